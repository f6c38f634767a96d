"""The queue of what machines proposed or decided, waiting for a person."""

import uuid
from datetime import timedelta
from enum import IntFlag
from typing import Self

from django.conf import settings
from django.db import models
from django.utils import timezone

from accounts.actors import Actor
from memory import access
from memory.models.spaces import Space


class ReviewKind(models.TextChoices):
    """What an item proposes, or what was already decided."""

    NEW_PAGE = "new_page", "new page"
    EDIT_PAGE = "edit_page", "change of a page"
    SUPERSEDE = "supersede", "replaced records"
    MERGE = "merge", "merged records"


PAGE_KINDS = frozenset({ReviewKind.NEW_PAGE, ReviewKind.EDIT_PAGE})
"""Proposals: nothing is published until somebody approves. The others have happened."""


class ReviewState(models.TextChoices):
    """Where an item stands."""

    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"
    UNDONE = "undone"
    """It had been approved, or had happened, and was taken back."""
    OUTDATED = "outdated"
    """A newer proposal took its place, or what it spoke of is gone."""


class Risk(IntFlag):
    """Why an item deserves a closer look; computed when it is made."""

    UNSOURCED = 1
    """A sentence has no fact behind it."""
    CONTRADICTS = 2
    """It says something else than a live fact."""
    DELETES_MUCH = 4
    """It takes away more than 30 % of the page."""
    HIDDEN_CHARACTERS = 8
    EXTERNAL = 16
    """It brings links or images from elsewhere."""
    STALE_BASE = 32
    """The page has moved on since."""


class ReviewItemQuerySet(models.QuerySet["ReviewItem"]):
    """Chainable reads; a read for somebody starts with `readable_by`."""

    def readable_by(self, actor: Actor) -> Self:
        """Return the items about spaces that the actor may read."""
        return self.filter(access.readable(actor))

    def pending(self) -> Self:
        """Return what waits for a person."""
        return self.filter(state=ReviewState.PENDING)

    def with_risk(self, risk: Risk) -> Self:
        """Return the items that carry all of the flags."""
        bits = models.F("risks").bitand(int(risk))
        return self.annotate(risk_bits=bits).filter(risk_bits=int(risk))


class ReviewItem(models.Model):
    """One thing for a person to approve, reject or undo."""

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    kind = models.CharField(max_length=12, choices=ReviewKind.choices)
    state = models.CharField(
        max_length=8, choices=ReviewState.choices, default=ReviewState.PENDING
    )
    space = models.ForeignKey(
        Space,
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
        help_text="Whoever reads it may see the item; never a personal one.",
    )
    title = models.CharField(max_length=300)
    domain = models.CharField(max_length=64, blank=True, default="")
    via = models.CharField(
        max_length=64, help_text="distill, judge, consolidation, dedupe or rule:<name>."
    )
    agent = models.CharField(max_length=64, blank=True, default="")
    run = models.CharField(max_length=64, blank=True, default="")
    risks = models.PositiveSmallIntegerField(
        default=0, help_text="Bits of memory.models.review.Risk."
    )
    added = models.PositiveIntegerField(default=0, help_text="Lines it adds.")
    removed = models.PositiveIntegerField(default=0, help_text="Lines it takes away.")
    facts = models.PositiveIntegerField(default=0, help_text="Records behind it.")
    unsourced = models.PositiveIntegerField(
        default=0, help_text="Sentences without a record behind them."
    )
    content_hash = models.CharField(
        max_length=64, help_text="Of the bytes shown; only these can be approved."
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    queued_at = models.DateTimeField(
        default=timezone.now,
        editable=False,
        help_text="Its place in the queue: when it came, or was last put off.",
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    reason = models.CharField(max_length=500, blank=True, default="")

    objects = ReviewItemQuerySet.as_manager()

    class Meta:
        db_table = "memory_review_items"
        ordering = ["-created_at", "-id"]
        indexes = [
            # The queue, oldest first, by keyset.
            models.Index(fields=["state", "queued_at", "id"], name="review_queue"),
            models.Index(
                fields=["state", "kind", "queued_at", "id"], name="review_kind"
            ),
            models.Index(fields=["run"], name="review_run"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.uid}"

    @property
    def risk(self) -> Risk:
        """Return the flags it carries."""
        return Risk(self.risks)

    @property
    def was_put_off(self) -> bool:
        """Say whether somebody has sent it to the end of the queue."""
        return self.queued_at - self.created_at > timedelta(seconds=1)

    @property
    def is_page(self) -> bool:
        """Say whether it proposes a page, rather than shows what has happened."""
        return self.kind in PAGE_KINDS
