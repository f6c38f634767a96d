"""Divide what a model is asked about into as few questions as it takes in. Pure."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def portions(
    things: Iterable[T],
    cost: Callable[[T], int],
    *,
    max_chars: int,
    most: int | None = None,
) -> Iterator[list[T]]:
    """Yield the things in order, up to `max_chars` of them and `most` at a time.

    `cost` is what one takes, in characters; one that is too long is alone.
    """
    portion: list[T] = []
    size = 0
    for thing in things:
        needed = cost(thing)
        if portion and (size + needed > max_chars or len(portion) == most):
            yield portion
            portion, size = [], 0
        portion.append(thing)
        size += needed
    if portion:
        yield portion
