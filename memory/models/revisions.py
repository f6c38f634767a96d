"""Decisions about records: edits, retirements, merges, and their undoing."""

import uuid
from typing import Self

from django.conf import settings
from django.db import models
from django.utils import timezone

from accounts.actors import Actor
from memory import access
from memory.models.memories import Memory
from memory.models.review import ReviewItem


class RevisionQuerySet(models.QuerySet["Revision"]):
    """Chainable reads; a read for somebody starts with `readable_by`."""

    def readable_by(self, actor: Actor) -> Self:
        """Return the decisions about records that the actor may read."""
        return self.filter(access.readable(actor, prefix="memory__"))

    def recent_for(self, actor: Actor) -> Self:
        """Return the same for a list that begins with the newest."""
        return self.filter(access.readable(actor, prefix="memory__", indexed=False))

    def decisions(self) -> Self:
        """Return those that retired a record, whether undone since or not."""
        return self.exclude(via__in=("edit", "undo"))


class Revision(models.Model):
    """One decision about a record: what it was before, what replaced it, and why."""

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    memory = models.ForeignKey(
        Memory, on_delete=models.CASCADE, related_name="revisions"
    )
    replacement = models.ForeignKey(
        Memory, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    via = models.CharField(
        max_length=64,
        help_text="edit, key, person, judge, consolidation, dedupe or rule:<name>.",
    )
    before = models.JSONField(
        default=dict, help_text="The fields that changed, as they were."
    )
    reason = models.CharField(max_length=500, blank=True, default="")
    run = models.CharField(
        max_length=64,
        blank=True,
        default="",
        help_text="What was decided together, and is undone together.",
    )
    model = models.CharField(
        max_length=100, blank=True, default="", help_text="Which model was asked."
    )
    words = models.TextField(blank=True, default="", help_text="What the model said.")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    item = models.ForeignKey(
        ReviewItem,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="decisions",
        help_text="Where a person confirms or undoes it.",
    )
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    undoes = models.ForeignKey(
        "self",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="The decision that this one takes back.",
    )

    objects = RevisionQuerySet.as_manager()

    class Meta:
        db_table = "memory_revisions"
        ordering = ["-created_at", "-id"]
        indexes = [
            models.Index(fields=["memory", "-created_at"], name="revision_list"),
            models.Index(fields=["-created_at", "-id"], name="revision_recent"),
            models.Index(
                fields=["run"], name="revision_run", condition=~models.Q(run="")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.via} of {self.memory_id}"

    @property
    def is_undone(self) -> bool:
        """Say whether somebody took it back."""
        return self.undone_at is not None


class Veto(models.Model):
    """Two texts that no machine may decide about again, since a person undid it.

    By hashes of the normalised texts: it also holds when the same is written anew.
    """

    space = models.ForeignKey(
        "memory.Space", on_delete=models.CASCADE, related_name="+", db_index=False
    )
    pair = models.CharField(
        max_length=64, help_text="SHA-256 of the two hashes, in order of age or sorted."
    )
    revision = models.ForeignKey(
        Revision,
        on_delete=models.CASCADE,
        related_name="vetoes",
        help_text="The decision that was undone.",
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        db_table = "memory_vetoes"
        constraints = [
            models.UniqueConstraint(
                fields=["space", "pair", "revision"], name="one_veto_a_pair"
            )
        ]

    def __str__(self) -> str:
        return self.pair
