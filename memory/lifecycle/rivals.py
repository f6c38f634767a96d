"""Which records a new one may repeat, replace or contradict: those that share words."""

from collections.abc import Iterable, Sequence

from django.utils import timezone

from memory import access
from memory.lifecycle.claims import Claim, claim_of
from memory.lifecycle.fields import SAME
from memory.lifecycle.particulars import content_words
from memory.lifecycle.preferences import may_be_wish, wish_of
from memory.models import Chunk, Memory
from memory.models.memories import MemoryQuerySet
from memory.search.engines import get_engine
from memory.search.engines.permitted import Permitted

MOST = 40
"""Records that are looked at, those that share the most and rarest words first."""
SHARED = 0.4
"""Of a new record's distinct content words, how many a rival has at least."""
MOST_WISHES = 2_000
"""Of one author, how many records are read for wishes of another language."""


def find_rivals(space_id: int, text: str, *, author: int | None) -> list[Memory]:
    """Return the live records of a space that a text may have to do with.

    By words, those of its subject first, and by what its author wants: that may be
    said without a common word, as in `Antworte auf Deutsch` and `Answer in English`.
    """
    found = dict.fromkeys(_by_words(space_id, content_words(text)))
    if about := claim_of(text):
        found |= dict.fromkeys(_by_words(space_id, _words_of(about)))
    memories = live_in(space_id).prefetch_related("tags").in_bulk(list(found))
    if (wish := wish_of(text)) and wish.is_unnamed:
        memories |= {m.pk: m for m in _wishes(space_id, wish, author)}
    return list(memories.values())


def live_in(space_id: int) -> MemoryQuerySet:
    """Return the records of a space that hold now, copies of files left out."""
    return Memory.objects.live().current().filter(space_id=space_id, source_key="")


def shared(new: frozenset[str], text: str) -> float:
    """Return how many of some content words a text has too, from 0 to 1."""
    return len(new & content_words(text)) / len(new) if new else 0.0


def _by_words(space_id: int, words: Iterable[str]) -> list[int]:
    """Return the ids of the live records with any of the words, the likest first."""
    tokens = sorted(set(words))
    if not tokens:
        return []
    engine = get_engine()
    holding = access.live(timezone.now(), prefix="memory__")
    chunks = Chunk.objects.filter(holding, space_id=space_id).current()
    ranked = engine.keyword_chunks(
        Permitted(chunks), engine.statistics(tokens), limit=MOST
    )
    ids = [chunk for chunk, _ in ranked]
    owners = dict(Chunk.objects.filter(pk__in=ids).values_list("pk", "memory_id"))
    return [owners[pk] for pk in ids if pk in owners]


def _words_of(claim: Claim) -> frozenset[str]:
    """Return the words by which the subject may be named in the index."""
    names = claim.subject.split()
    short = [word for word, long in SAME.items() if long in names]
    return content_words(" ".join([*names, *short]))


def _wishes(space_id: int, wish: Claim, author: int | None) -> Sequence[Memory]:
    said = live_in(space_id).filter(created_by=author).order_by("-pk")[:MOST_WISHES]
    return [
        memory
        for memory in said
        if may_be_wish(memory.content)
        and (other := wish_of(memory.content))
        and other.topic == wish.topic
    ]
