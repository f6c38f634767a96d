"""The record: everything searchable is one."""

import uuid
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.utils import timezone

from accounts.actors import Actor
from memory import access
from memory.models.spaces import Space
from memory.scopes import SUPERSEDED, IndexState, Kind, Origin, Scope

RESTORABLE_FOR = timedelta(days=30)


class MemoryQuerySet(models.QuerySet["Memory"]):
    """Chainable reads; a read for somebody starts with `readable_by`."""

    def readable_by(self, actor: Actor, *, scopes: Collection[str] = ()) -> Self:
        """Return what the actor may read, forgotten and expired records included."""
        return self.filter(access.readable(actor, scopes=scopes))

    def recent_for(self, actor: Actor) -> Self:
        """Return what the actor may read, for a list that begins with the newest.

        The database walks the records by time and stops when the page is full.
        """
        return self.filter(access.readable(actor, indexed=False))

    def live(self, now: datetime | None = None) -> Self:
        """Return what is neither forgotten nor expired."""
        return self.filter(access.live(now or timezone.now()))

    def current(self) -> Self:
        """Return what no newer record has replaced."""
        return self.filter(superseded_at__isnull=True)

    def mirrors(self) -> Self:
        """Return the copies of pages and files, in the words of their index."""
        return self.exclude(source_key="")

    def tagged(self, *names: str) -> Self:
        """Return what carries every one of the tags."""
        found = self
        for name in names:
            found = found.filter(
                models.Exists(
                    MemoryTag.objects.filter(memory=models.OuterRef("pk"), name=name)
                )
            )
        return found


class Memory(models.Model):
    """One record: content, where it lives, what it is, where it came from."""

    known_tags: frozenset[str] | None = None
    """The tags, on an object that has just been given them."""

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="memories")
    scope = models.CharField(max_length=16, choices=Scope.choices)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="memories",
    )
    agent = models.CharField(max_length=64, blank=True, default="")
    source_key = models.CharField(
        max_length=512,
        blank=True,
        default="",
        help_text="Wiki slug or workspace path of a mirrored record.",
    )

    kind = models.CharField(max_length=16, choices=Kind.choices, default=Kind.NOTE)
    domain = models.CharField(max_length=64, blank=True, default="")
    key = models.CharField(max_length=128, blank=True, default="")
    value = models.JSONField(null=True, blank=True)
    title = models.CharField(max_length=300, blank=True, default="")
    content = models.TextField()
    text_hash = models.CharField(max_length=64, editable=False)
    importance = models.PositiveSmallIntegerField(default=5)
    metadata = models.JSONField(default=dict, blank=True)
    sequence_id = models.CharField(max_length=128, blank=True, default="")
    sequence_position = models.IntegerField(null=True, blank=True)

    origin = models.CharField(max_length=16, choices=Origin.choices)
    session = models.CharField(max_length=64, blank=True, default="")
    message = models.CharField(max_length=64, blank=True, default="")
    run = models.CharField(max_length=64, blank=True, default="")
    run_kind = models.CharField(max_length=16, blank=True, default="")
    tool = models.CharField(max_length=64, blank=True, default="")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    created_by_key = models.ForeignKey(
        "accounts.ApiKey",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )

    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(default=timezone.now, editable=False)
    observed_at = models.DateTimeField(help_text="When it was true or said.")
    expires_at = models.DateTimeField(null=True, blank=True)
    forgotten_at = models.DateTimeField(null=True, blank=True)
    superseded_at = models.DateTimeField(null=True, blank=True)
    superseded_by = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    version = models.PositiveIntegerField(
        default=1, editable=False, help_text="Counts the edits; the API's ETag."
    )
    dedup_hash = models.CharField(max_length=64, editable=False)
    index_state = models.CharField(
        max_length=8, choices=IndexState.choices, default=IndexState.PENDING
    )
    index_error = models.CharField(max_length=300, blank=True, default="")
    to_judge = models.BooleanField(
        default=False,
        editable=False,
        help_text="The background model has not said yet which older ones it replaces.",
    )
    compared_at = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="When consolidation last looked for others that say the same.",
    )

    objects = MemoryQuerySet.as_manager()

    class Meta:
        db_table = "memories"
        verbose_name_plural = "memories"
        ordering = ["-created_at", "-id"]
        constraints = [
            models.CheckConstraint(
                name="memory_owner_is_personal",
                condition=models.Q(scope=Scope.PERSONAL, owner__isnull=False)
                | (~models.Q(scope=Scope.PERSONAL) & models.Q(owner__isnull=True)),
            ),
            models.CheckConstraint(
                name="memory_importance_1_to_10",
                condition=models.Q(importance__gte=1, importance__lte=10),
            ),
            # At most one live keyed fact: setting it again supersedes the old one.
            models.UniqueConstraint(
                name="one_live_keyed_fact",
                fields=["space", "domain", "key"],
                condition=~models.Q(key="")
                & models.Q(forgotten_at__isnull=True, superseded_at__isnull=True),
            ),
            models.UniqueConstraint(
                name="one_mirror_of_a_source",
                fields=["space", "agent", "source_key"],
                condition=~models.Q(source_key=""),
            ),
        ]
        indexes = [
            # Lists of a space, newest first, by keyset.
            models.Index(fields=["space", "-created_at", "-id"], name="memory_list"),
            # Lists over all spaces, newest first.
            models.Index(fields=["-created_at", "-id"], name="memory_recent"),
            # Counts, which then need not read the records themselves.
            models.Index(
                fields=[
                    "space",
                    "forgotten_at",
                    "expires_at",
                    "scope",
                    "kind",
                    "index_state",
                ],
                name="memory_counts",
            ),
            # The 24-hour duplicate check inside every write.
            models.Index(fields=["dedup_hash", "created_at"], name="memory_dedup"),
            # What the indexing job drains, oldest first.
            models.Index(
                fields=["id"],
                name="memory_pending",
                condition=models.Q(index_state=IndexState.PENDING),
            ),
            # Neighbours; the search asks with the very words of the condition.
            models.Index(
                fields=["sequence_id", "sequence_position"],
                name="memory_sequence",
                condition=models.Q(sequence_id__gt=""),
            ),
            # What the judge drains, oldest first.
            models.Index(
                fields=["id"],
                name="memory_to_judge",
                condition=models.Q(to_judge=True),
            ),
            # What the purge job takes.
            models.Index(
                fields=["forgotten_at"],
                name="memory_forgotten",
                condition=models.Q(forgotten_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.title or str(self.uid)

    @property
    def is_forgotten(self) -> bool:
        """Say whether it lies in the bin, restorable until it is purged."""
        return self.forgotten_at is not None

    @property
    def is_expired(self) -> bool:
        """Say whether its time is over."""
        return self.expires_at is not None and self.expires_at <= timezone.now()

    @property
    def is_superseded(self) -> bool:
        """Say whether a newer record replaced it."""
        return self.superseded_at is not None

    def tag_names(self) -> list[str]:
        """Return the tags in order, `superseded` included (uses a prefetch)."""
        names = self.known_tags
        if names is None:
            names = frozenset(tag.name for tag in self.tags.all())
        return sorted(names | {SUPERSEDED} if self.is_superseded else names)


class MemoryTag(models.Model):
    """A free label of a record."""

    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="tags")
    name = models.CharField(max_length=64)

    class Meta:
        db_table = "memory_tags"
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["memory", "name"], name="tag_once")
        ]
        indexes = [models.Index(fields=["name", "memory"], name="tag_lookup")]

    def __str__(self) -> str:
        return self.name
