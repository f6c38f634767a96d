"""What a person undid, no machine decides again: kept by the texts of both records."""

import hashlib
from collections.abc import Iterable, Sequence
from itertools import combinations

from memory.lifecycle.particulars import normalise
from memory.models import Memory, Revision, Veto


def pair_of(one: str, other: str) -> str:
    """Return what two texts are remembered by, in whichever order they come."""
    hashes = sorted(_hash(normalise(text)) for text in (one, other))
    return _hash("".join(hashes))


def vetoed(space_id: int, pairs: Iterable[tuple[str, str]]) -> set[str]:
    """Return the pairs, as `pair_of` names them, about which nobody decides again."""
    names = {pair_of(*texts) for texts in pairs}
    found = Veto.objects.filter(space_id=space_id, pair__in=names)
    return set(found.values_list("pair", flat=True))


def any_vetoed(memories: Sequence[Memory]) -> bool:
    """Say whether two of the records, all of one space, were set apart by a person."""
    texts = [memory.content for memory in memories]
    return bool(vetoed(memories[0].space_id, combinations(texts, 2)))


def forbid(revision: Revision, texts: Sequence[str], *, space_id: int) -> None:
    """Let no machine decide about any two of the texts again."""
    pairs = {pair_of(*pair) for pair in combinations(texts, 2)}
    Veto.objects.bulk_create(
        [
            Veto(space_id=space_id, pair=pair, revision=revision)
            for pair in sorted(pairs)
        ],
        ignore_conflicts=True,
    )


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
