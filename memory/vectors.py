"""Which embedding models have vectors, and which of them a search uses.

The configured model is the one to build. Until its vectors cover every record, searches
go on with the newest one that does, and new records get vectors of both.
"""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from goclaw.lib import sql
from goclaw.lib.config import embedding_config
from memory.embeddings import Provider, get_provider, provider_for
from memory.models import Chunk, Embedding, EmbeddingModel
from memory.scopes import IndexState

DROPPED_AT_ONCE = 2000
"""Short transactions, so that writers need not wait."""


@dataclass(frozen=True, slots=True)
class Served:
    """A model with the means to embed by it."""

    model: EmbeddingModel
    provider: Provider


def configured_model() -> Served | None:
    """Return the model of the settings, or None where search is by words only.

    The first call asks the provider for its dimension, which may load or call it.
    """
    provider = get_provider()
    if provider is None:
        return None
    config = embedding_config()
    model, _ = EmbeddingModel.objects.get_or_create(
        provider=config.provider,
        name=config.model,
        base_url=config.base_url,
        dimension=provider.dimension,
    )
    return Served(model, provider)


def serving_model() -> Served | None:
    """Return the model that searches use now: the newest that covers every record."""
    config = embedding_config()
    if config.provider == "none":
        return None
    ready = serving_model_row()
    if ready is not None and not _is_configured(ready):
        return Served(ready, provider_for(ready.provider, ready.name, ready.base_url))
    provider = get_provider()
    if ready is None or provider is None or provider.dimension != ready.dimension:
        return configured_model()
    return Served(ready, provider)


def serving_model_row() -> EmbeddingModel | None:
    """Return the model that covered every record last, if any ever did."""
    ready = "ready_at IS NOT NULL ORDER BY ready_at DESC"
    return sql.first(EmbeddingModel, ready)


def models_to_fill() -> list[Served]:
    """Return the models whose vectors new records need, the configured one first."""
    wanted = configured_model()
    if wanted is None:
        return []
    serving = serving_model()
    if serving is None or serving.model == wanted.model:
        return [wanted]
    return [wanted, serving]


def settle(model: EmbeddingModel) -> bool:
    """Mark a model ready once no indexed record lacks its vectors; say if it is."""
    if unfilled(model).filter(memory__index_state=IndexState.INDEXED).exists():
        return False
    if serving_model_row() != model:
        model.ready_at = timezone.now()
        model.save(update_fields=["ready_at"])
    return True


def drop_others(model: EmbeddingModel) -> None:
    """Delete the vectors of every other model, a slice at a time."""
    others = EmbeddingModel.objects.exclude(pk=model.pk)
    for other in others:
        rows = Embedding.objects.filter(model=other).order_by("pk")
        while ids := list(rows.values_list("pk", flat=True)[:DROPPED_AT_ONCE]):
            Embedding.objects.filter(pk__in=ids).delete()
        other.delete()


def unfilled(model: EmbeddingModel) -> QuerySet[Chunk]:
    """Return the chunks that have no vectors of the model yet, but should."""
    return Chunk.objects.exclude(memory__index_state=IndexState.FAILED).exclude(
        Exists(Embedding.objects.filter(chunk=OuterRef("pk"), model=model))
    )


def _is_configured(model: EmbeddingModel) -> bool:
    config = embedding_config()
    return (model.provider, model.name, model.base_url) == (
        config.provider,
        config.model,
        config.base_url,
    )
