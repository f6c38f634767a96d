"""What of the searchable chunks a question may see: permission first, then filters."""

from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Substr

from accounts.actors import Actor
from goclaw.lib import sql
from memory.models import Chunk, Memory, MemoryTag
from memory.models.chunks import ChunkQuerySet
from memory.scopes import IndexState
from memory.search.types import SearchQuery

_ANY_WAITING = "SELECT 1 FROM memories WHERE index_state = %s LIMIT 1"


def searchable_chunks(actor: Actor, query: SearchQuery) -> ChunkQuerySet:
    """Return the chunks of live records that the actor may read and filters pass."""
    chunks = Chunk.objects.readable_by(actor, scopes=query.scopes)
    if not query.include_history:
        chunks = chunks.current()
    return _filtered(chunks, query)


def pending_records(actor: Actor) -> int:
    """Return how many readable records have no vectors yet.

    The few that wait are looked up first: their index is small, the spaces are not.
    """
    if not sql.rows(_ANY_WAITING, IndexState.PENDING):
        return 0
    waiting = Memory.objects.filter(index_state=IndexState.PENDING).values("pk")
    return Memory.objects.readable_by(actor).live().filter(pk__in=waiting).count()


def _filtered(chunks: ChunkQuerySet, query: SearchQuery) -> ChunkQuerySet:
    wanted = Q()
    for field, values in (
        ("kind", query.kinds),
        ("domain", query.domains),
    ):
        if values:
            wanted &= Q(**{f"memory__{field}__in": values})
    if query.since:
        wanted &= Q(memory__observed_at__gte=query.since)
    if query.until:
        wanted &= Q(memory__observed_at__lt=query.until)
    if query.min_importance > 1:
        wanted &= Q(memory__importance__gte=query.min_importance)
    if query.keyed is not None:
        without_key = Q(memory__key="")
        wanted &= ~without_key if query.keyed else without_key
    if query.agent is not None:
        wanted &= Q(memory__agent=query.agent)
    for tag in query.tags:
        rows = MemoryTag.objects.filter(memory=OuterRef("memory_id"), name=tag)
        wanted &= Q(Exists(rows))
    chunks = chunks.filter(wanted)
    if query.path_prefix is not None:
        prefix = query.path_prefix.strip("/")
        start = Substr("memory__source_key", 1, len(prefix) + 1)
        chunks = chunks.annotate(_start=start).filter(
            Q(memory__source_key=prefix) | Q(_start=f"{prefix}/")
        )
    return chunks
