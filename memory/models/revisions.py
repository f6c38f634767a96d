"""Decisions about records: edits, retirements, merges, and their undoing."""

import uuid
from typing import Self

from django.conf import settings
from django.db import models
from django.utils import timezone

from accounts.actors import Actor
from memory import access
from memory.models.memories import Memory


class RevisionQuerySet(models.QuerySet["Revision"]):
    """Chainable reads; a read for somebody starts with `readable_by`."""

    def readable_by(self, actor: Actor) -> Self:
        """Return the decisions about records that the actor may read."""
        return self.filter(access.readable(actor, prefix="memory__"))


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
    run = models.CharField(max_length=64, blank=True, default="")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = RevisionQuerySet.as_manager()

    class Meta:
        db_table = "memory_revisions"
        ordering = ["-created_at", "-id"]
        indexes = [models.Index(fields=["memory", "-created_at"], name="revision_list")]

    def __str__(self) -> str:
        return f"{self.via} of {self.memory_id}"
