"""What search ranks: chunks of a record, and the vectors of their windows."""

from collections.abc import Collection
from typing import Self

from django.db import models
from django.utils import timezone

from accounts.actors import Actor
from memory import access
from memory.fields import EmbeddingField
from memory.models.memories import Memory


class ChunkQuerySet(models.QuerySet["Chunk"]):
    """Chainable reads; a search for somebody starts with `readable_by`."""

    def readable_by(self, actor: Actor, *, scopes: Collection[str] = ()) -> Self:
        """Return the chunks of live records that the actor may read, of some scopes."""
        return self.filter(access.readable(actor, scopes=scopes)).filter(
            access.live(timezone.now(), prefix="memory__")
        )

    def current(self) -> Self:
        """Return the chunks of records that no newer record has replaced."""
        return self.filter(memory__superseded_at__isnull=True)


class Chunk(models.Model):
    """A span of a record's text, about 400 tokens, with its line range."""

    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="chunks")
    space_id = models.BigIntegerField(help_text="A copy of the record's space.")
    ordinal = models.PositiveIntegerField(help_text="Position within the record.")
    start = models.PositiveIntegerField(help_text="Offset of the first character.")
    end = models.PositiveIntegerField(help_text="Offset after the last character.")
    line_start = models.PositiveIntegerField(help_text="First line, from 1.")
    line_end = models.PositiveIntegerField(help_text="Last line, from 1.")
    heading = models.CharField(max_length=300, blank=True, default="")
    text = models.TextField()
    text_hash = models.CharField(max_length=64)

    objects = ChunkQuerySet.as_manager()

    class Meta:
        db_table = "memory_chunks"
        ordering = ["memory_id", "ordinal"]
        constraints = [
            models.UniqueConstraint(fields=["memory", "ordinal"], name="chunk_order")
        ]
        indexes = [models.Index(fields=["space_id"], name="chunk_space")]

    def __str__(self) -> str:
        return f"{self.memory_id}:{self.line_start}-{self.line_end}"


class EmbeddingModel(models.Model):
    """A model whose vectors are kept. A query only meets vectors of its own model."""

    provider = models.CharField(max_length=16)
    name = models.CharField(max_length=200)
    base_url = models.CharField(max_length=300, blank=True, default="")
    dimension = models.PositiveIntegerField()
    ready_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When its vectors covered every record; searches use the newest.",
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        db_table = "memory_embedding_models"
        constraints = [
            models.UniqueConstraint(
                fields=["provider", "name", "base_url", "dimension"],
                name="embedding_model_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.provider}:{self.name} ({self.dimension})"


class Embedding(models.Model):
    """The vector of a window of a chunk by one model; never updated, only replaced."""

    chunk = models.ForeignKey(
        Chunk, on_delete=models.CASCADE, related_name="embeddings"
    )
    space_id = models.BigIntegerField(help_text="A copy of the record's space.")
    model = models.ForeignKey(
        EmbeddingModel, on_delete=models.CASCADE, related_name="embeddings"
    )
    ordinal = models.PositiveSmallIntegerField(help_text="Window within the chunk.")
    text_hash = models.CharField(max_length=64, help_text="SHA-256 of the window.")
    vector = EmbeddingField()
    words = models.BinaryField(
        default=b"", help_text="The signs of its words' vectors: memory.likeness."
    )

    class Meta:
        db_table = "memory_embeddings"
        constraints = [
            models.UniqueConstraint(
                fields=["chunk", "model", "ordinal"], name="window_once"
            )
        ]
        indexes = [
            # The same text is embedded once: looked up before the model is asked.
            models.Index(fields=["model", "text_hash"], name="embedding_reuse"),
        ]

    def __str__(self) -> str:
        return f"{self.chunk_id}/{self.ordinal}"
