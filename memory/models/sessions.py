"""Conversations and their turns, as gateways hand them over."""

import uuid
from typing import Self

from django.conf import settings
from django.db import models
from django.utils import timezone

from accounts.actors import Actor
from memory import access
from memory.models.agents import Agent


class SessionKind(models.TextChoices):
    """Whether it was one person's alone; the words of `X-GoClaw-Conversation`."""

    DIRECT = "direct"
    SHARED = "shared"


class SummarySource(models.TextChoices):
    """How the summary of what was trimmed came about."""

    NONE = "", "nothing was trimmed yet"
    MODEL = "model", "by the background model"
    EXTRACTIVE = "extractive", "lines taken from the conversation"


class SessionQuerySet(models.QuerySet["Session"]):
    """Chainable reads; a read for somebody starts with `readable_by`."""

    def readable_by(self, actor: Actor) -> Self:
        """Return the sessions whose texts the actor may read.

        A direct one is its person's, in a conversation that is theirs alone; a shared
        one its participants'. Nobody else reads them, not even an administrator.
        """
        kinds = access.readable_session_kinds(actor)
        if not kinds or actor.user_id is None:
            return self.none()
        return self.filter(
            models.Exists(
                Session.participants.through.objects.filter(
                    session_id=models.OuterRef("pk"), user_id=actor.user_id
                )
            ),
            kind__in=kinds,
        )

    def listed_for(self, actor: Actor) -> Self:
        """Return the sessions that the actor may know of: their metadata only."""
        if access.can_administrate(actor):
            return self
        return self.readable_by(actor)


class Session(models.Model):
    """One conversation with an agent.

    Messages have positions from 1 without gaps. Those up to `trimmed_to` are no rows
    any more: they are in the archive, and `summary` says what they were about.
    """

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    agent = models.ForeignKey(Agent, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=8, choices=SessionKind.choices)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        help_text="Whose alone a direct conversation is; empty for a shared one.",
    )
    participants = models.ManyToManyField(
        settings.AUTH_USER_MODEL,
        related_name="+",
        db_table="memory_session_participants",
    )
    key = models.ForeignKey(
        "accounts.ApiKey",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="The gateway's key that opened it.",
    )
    conversation = models.CharField(
        max_length=200,
        blank=True,
        default="",
        help_text="What the gateway calls it, unique among those of its key.",
    )
    title = models.CharField(max_length=200, blank=True, default="")
    confirmed = models.BooleanField(
        default=True, help_text="Whether it is certain who speaks."
    )
    variables = models.JSONField(default=dict, blank=True)

    last_position = models.PositiveIntegerField(default=0, editable=False)
    tokens = models.PositiveIntegerField(
        default=0, editable=False, help_text="Of the messages that are not trimmed."
    )
    trimmed_to = models.PositiveIntegerField(default=0, editable=False)
    archived_to = models.PositiveIntegerField(default=0, editable=False)
    summarised_to = models.PositiveIntegerField(default=0, editable=False)
    extracted_to = models.PositiveIntegerField(default=0, editable=False)
    trim_upto = models.PositiveIntegerField(
        null=True,
        blank=True,
        editable=False,
        help_text="How far the trim goes that is under way.",
    )
    summary = models.TextField(blank=True, default="")
    summary_source = models.CharField(
        max_length=12, choices=SummarySource.choices, blank=True, default=""
    )
    summary_problem = models.CharField(
        max_length=300,
        blank=True,
        default="",
        help_text="Why the model did not write the last part of the summary.",
    )

    created_at = models.DateTimeField(default=timezone.now, editable=False)
    last_active_at = models.DateTimeField(default=timezone.now, editable=False)
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = SessionQuerySet.as_manager()

    class Meta:
        db_table = "memory_sessions"
        ordering = ["-last_active_at", "-id"]
        constraints = [
            models.CheckConstraint(
                name="session_person_is_direct",
                condition=models.Q(kind=SessionKind.DIRECT, person__isnull=False)
                | models.Q(kind=SessionKind.SHARED, person__isnull=True),
            ),
            models.CheckConstraint(
                name="session_steps_in_order",
                condition=models.Q(trimmed_to__lte=models.F("summarised_to"))
                & models.Q(summarised_to__lte=models.F("archived_to"))
                & models.Q(archived_to__lte=models.F("last_position")),
            ),
            models.UniqueConstraint(
                name="one_direct_session_of_a_name",
                fields=["key", "agent", "person", "conversation"],
                condition=models.Q(kind=SessionKind.DIRECT)
                & ~models.Q(conversation=""),
            ),
            models.UniqueConstraint(
                name="one_shared_session_of_a_name",
                fields=["key", "agent", "conversation"],
                condition=models.Q(kind=SessionKind.SHARED)
                & ~models.Q(conversation=""),
            ),
        ]
        indexes = [
            models.Index(fields=["-last_active_at", "-id"], name="session_list"),
            # What the schedule closes.
            models.Index(
                fields=["last_active_at"],
                name="session_open",
                condition=models.Q(closed_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return str(self.uid)

    @property
    def message_count(self) -> int:
        """Return how many messages are not trimmed."""
        return self.last_position - self.trimmed_to

    @property
    def is_being_trimmed(self) -> bool:
        """Say whether a trim is under way, or waits."""
        return self.trim_upto is not None

    @property
    def is_closed(self) -> bool:
        """Say whether it has come to an end, until somebody speaks again."""
        return self.closed_at is not None
