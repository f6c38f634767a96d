"""API keys of agents and gateways."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Self

from django.db import models
from django.utils import timezone

from accounts.kinds import RunKind
from accounts.models.people import User
from accounts.validators import validate_run_kinds

if TYPE_CHECKING:
    from accounts.actors import Actor


def default_runs() -> list[str]:
    """Return the run kinds of a key that nobody asked more of."""
    return [RunKind.CHAT.value]


class ApiKeyQuerySet(models.QuerySet["ApiKey"]):
    """Ways to pick keys."""

    def readable_by(self, actor: Actor) -> Self:
        """Keep the actor's own keys, or all of them for an administrator."""
        return self if actor.is_admin else self.filter(owner_id=actor.user_id)

    def unrevoked(self) -> Self:
        """Keep the keys that nobody has revoked."""
        return self.filter(revoked_at=None)


class ApiKey(models.Model):
    """A secret that lets a program act for a person; only its hash is stored."""

    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_keys")
    label = models.CharField(max_length=100, help_text="What uses this key.")
    prefix = models.CharField(
        max_length=12, editable=False, help_text="The visible start of the secret."
    )
    secret_hash = models.CharField(max_length=64, unique=True, editable=False)
    runs = models.JSONField(
        "allowed run kinds",
        default=default_runs,
        validators=[validate_run_kinds],
        help_text="chat, sop, cron, webhook.",
    )
    may_act_for_others = models.BooleanField(
        default=False, help_text="It can read what the people it names can read."
    )
    auto_provision = models.BooleanField(
        default=False, help_text="An unknown identity becomes a new person."
    )
    may_write_db_cache = models.BooleanField(
        "may write schema notes", default=False, help_text="Scope db_cache."
    )
    is_local_admin = models.BooleanField(
        default=False,
        editable=False,
        help_text="The key of this machine's command line: never throttled.",
    )
    created_at = models.DateTimeField(auto_now_add=True, editable=False)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False)
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = ApiKeyQuerySet.as_manager()

    class Meta:
        verbose_name = "API key"
        ordering = ["-created_at", "-id"]
        indexes = [models.Index(fields=["-created_at", "-id"])]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(auto_provision=False)
                | models.Q(may_act_for_others=True),
                name="auto_provision_acts_for_others",
                violation_error_message=(
                    "A key that makes new people must be allowed to act for others."
                ),
            )
        ]

    def __str__(self) -> str:
        return f"{self.prefix}… {self.label}"

    @property
    def state(self) -> str:
        """Say `active`, `expired` or `revoked`."""
        if self.revoked_at is not None:
            return "revoked"
        return "expired" if self.has_expired(timezone.now()) else "active"

    def has_expired(self, now: datetime) -> bool:
        """Tell whether the key's time is over at `now`."""
        return self.expires_at is not None and self.expires_at <= now
