"""Revisions: every text that a page has had, and what they render to."""

import uuid
from typing import Self

from django.conf import settings
from django.db import models
from django.utils import timezone

from accounts.actors import Actor
from memory import access
from memory.scopes import Origin
from wiki.models.pages import MAX_TITLE, Page
from wiki.slugs import MAX_SLUG

MAX_SUMMARY = 300


class RevisionQuerySet(models.QuerySet["Revision"]):
    """Chainable reads; a read for somebody starts with `readable_by`."""

    def readable_by(self, actor: Actor) -> Self:
        """Return the revisions of pages that the actor may read."""
        return self.filter(access.readable(actor, prefix="page__"))

    def recent_for(self, actor: Actor) -> Self:
        """Return the revisions of live pages the actor may read, for a list by time."""
        readable = access.readable(actor, prefix="page__", indexed=False)
        return self.filter(readable, page__deleted_at__isnull=True)

    def listed(self) -> Self:
        """Return the rows of a list: without the texts."""
        return self.defer("body").select_related("author")


class Revision(models.Model):
    """One saved state of a page; never changed, and never deleted alone."""

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    page = models.ForeignKey(
        Page, on_delete=models.CASCADE, related_name="revisions", db_index=False
    )
    number = models.PositiveIntegerField(help_text="From 1, for each page.")
    slug = models.CharField(max_length=MAX_SLUG, help_text="Of the page at the time.")
    title = models.CharField(max_length=MAX_TITLE)
    body = models.TextField(blank=True)
    tags = models.JSONField(default=list, help_text="Names, in order.")
    text_hash = models.CharField(max_length=64, help_text="Of title, tags and text.")
    size = models.PositiveIntegerField(help_text="Bytes of the text.")
    summary = models.CharField(max_length=MAX_SUMMARY, blank=True, default="")
    base = models.ForeignKey(
        "self",
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        help_text="The revision that its author had before them.",
    )
    origin = models.CharField(max_length=16, choices=Origin.choices)
    run_kind = models.CharField(max_length=16)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
    )
    key = models.ForeignKey(
        "accounts.ApiKey", on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = RevisionQuerySet.as_manager()

    class Meta:
        db_table = "org_wiki_revisions"
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["page", "number"], name="revision_number")
        ]
        indexes = [
            # Recent changes of the whole wiki.
            models.Index(fields=["-created_at", "-id"], name="wiki_revision_recent"),
        ]

    def __str__(self) -> str:
        return f"{self.slug} #{self.number}"


class RenderedRevision(models.Model):
    """What a revision's text renders to, by one version of the renderer."""

    revision = models.ForeignKey(
        Revision, on_delete=models.CASCADE, related_name="renderings"
    )
    renderer_version = models.PositiveIntegerField()
    html = models.TextField()
    toc = models.JSONField(default=list, help_text="Headings: level, id, text.")
    failed = models.CharField(
        max_length=300, blank=True, default="", help_text="Why it shows its source."
    )

    class Meta:
        db_table = "wiki_rendered_revisions"
        constraints = [
            models.UniqueConstraint(
                fields=["revision", "renderer_version"], name="rendered_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.revision_id} by {self.renderer_version}"
