"""Which passages stand beside each other, and sums over them. Pure."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

REACH = 2
"""How many neighbours to each side a window has."""
WINDOW_WORDS = 450
"""A window is not larger than about one chunk: full chunks stand alone."""

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


class Windows:
    """Which passages are in the window of each: it and up to REACH to both sides.

    A window grows only as long as it stays small.
    """

    def __init__(
        self, group: Numbers, positions: Sequence[int], lengths: Floats
    ) -> None:
        # Group and position (of 32 bits) as one number, to look neighbours up at once.
        keys = (group.astype(np.int64) << 34) + np.array(positions, dtype=np.int64)
        order = np.argsort(keys, kind="stable")
        self._beside: list[tuple[Numbers, NDArray[np.bool_]]] = []
        self._counts = np.ones(len(keys))
        size, growing = lengths.copy(), np.ones(len(keys), dtype=bool)
        for distance in range(1, REACH + 1):
            found = [
                _rows_of(keys + step, keys[order], order)
                for step in (-distance, distance)
            ]
            for rows, there in found:
                size += np.where(there, lengths[rows], 0)
            growing &= size <= WINDOW_WORDS
            for rows, there in found:
                self._beside.append((rows, there & growing))
                self._counts += there & growing

    def sums(self, values: Floats) -> Floats:
        """Return the sum over each window; values are of shape (passages, ...)."""
        summed = values.copy()
        for rows, inside in self._beside:
            mask = inside if values.ndim == 1 else inside[:, None]
            summed += np.where(mask, values[rows], 0)
        return summed

    def means(self, values: Floats) -> Floats:
        """Return the mean over each window."""
        return self.sums(values) / self._counts


def _rows_of(
    wanted: Numbers, keys: Numbers, order: Numbers
) -> tuple[Numbers, NDArray[np.bool_]]:
    """Return for each wanted key the row that has it, and whether there is one."""
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return order[at], keys[at] == wanted
