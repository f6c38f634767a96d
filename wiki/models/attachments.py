"""Files: those of pages, and those that agents keep for themselves or for others."""

import uuid
from typing import Self

from django.conf import settings
from django.db import models
from django.utils import timezone

from accounts.actors import Actor
from memory import access
from memory.models import Memory, Space
from wiki.filenames import MAX_NAME
from wiki.models.pages import Page

MAX_DESCRIPTION = 1000


class AttachmentQuerySet(models.QuerySet["Attachment"]):
    """Chainable reads; a read for somebody starts with `readable_by`."""

    def readable_by(self, actor: Actor) -> Self:
        """Return the files of pages and spaces the actor reads; no trash."""
        return self.filter(
            access.readable(actor)
            | models.Q(
                access.readable(actor, prefix="page__"), page__deleted_at__isnull=True
            )
        )


class Attachment(models.Model):
    """What is known of a file. It lives with its page, or in a space of its own."""

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    page = models.ForeignKey(
        Page, on_delete=models.CASCADE, null=True, related_name="attachments"
    )
    space = models.ForeignKey(
        Space,
        on_delete=models.CASCADE,
        null=True,
        related_name="+",
        help_text="Whose it is, when it belongs to no page.",
    )
    key = models.CharField(max_length=100, unique=True, help_text="In the storage.")
    name = models.CharField(max_length=MAX_NAME, help_text="As it is shown.")
    description = models.CharField(max_length=MAX_DESCRIPTION, blank=True, default="")
    tags = models.JSONField(default=list)
    media_type = models.CharField(max_length=64, help_text="By its bytes.")
    size = models.PositiveBigIntegerField(help_text="Bytes.")
    sha256 = models.CharField(max_length=64)
    width = models.PositiveIntegerField(default=0)
    height = models.PositiveIntegerField(default=0)
    text = models.TextField(blank=True, default="", help_text="For the search.")
    memory = models.OneToOneField(
        Memory,
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        help_text="What the search finds; none while its page is in the trash.",
    )
    uploaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = AttachmentQuerySet.as_manager()

    class Meta:
        db_table = "wiki_attachments"
        ordering = ["-created_at", "-id"]
        constraints = [
            models.CheckConstraint(
                name="attachment_has_one_place",
                condition=models.Q(page__isnull=True, space__isnull=False)
                | models.Q(page__isnull=False, space__isnull=True),
            )
        ]
        indexes = [
            models.Index(fields=["page", "-created_at", "-id"], name="file_page"),
            models.Index(fields=["space", "-created_at", "-id"], name="file_space"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def home(self) -> Space:
        """Return the space whose rules hold for it."""
        if self.space is not None:
            return self.space
        if self.page is not None:
            return self.page.space
        raise ValueError("A file has a page or a space.")
