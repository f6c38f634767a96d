"""Pages: what each is now. Everything that a list shows is here, and no text."""

import uuid
from typing import Self

from django.conf import settings
from django.db import models
from django.utils import timezone

from accounts.actors import Actor
from memory import access
from memory.models import Memory, Space
from wiki import slugs
from wiki.models.fields import KeyField

MAX_TITLE = 300


class PageQuerySet(models.QuerySet["Page"]):
    """Chainable reads; a read for somebody starts with `readable_by`."""

    def readable_by(self, actor: Actor) -> Self:
        """Return what the actor may read, the trash included.

        Nearly all pages live in one space: other columns find them.
        """
        return self.filter(access.readable(actor, indexed=False))

    def live(self) -> Self:
        """Return what is not in the trash."""
        return self.filter(deleted_at__isnull=True)

    def at(self, slug: str) -> Self:
        """Return the page of a slug, and those of it in the trash."""
        return self.filter(slug_key=slugs.key(slug))

    def under(self, section: str) -> Self:
        """Return the page of the section and all below; "" is the whole wiki."""
        if not section:
            return self
        key = slugs.key(section)
        low, high = slugs.below(key)
        return self.filter(
            models.Q(slug_key=key) | models.Q(slug_key__gte=low, slug_key__lt=high)
        )

    def tagged(self, name: str) -> Self:
        """Return what carries the tag."""
        return self.filter(pk__in=PageTag.objects.filter(name=name).values("page_id"))


class Page(models.Model):
    """A page as it is now: address, title, place and newest revision."""

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    slug = models.CharField(max_length=slugs.MAX_SLUG)
    slug_key = KeyField(max_length=slugs.MAX_SLUG, editable=False)
    title = models.CharField(max_length=MAX_TITLE)
    excerpt = models.CharField(
        max_length=300, blank=True, default="", help_text="How its plain text begins."
    )
    tags = models.JSONField(default=list, help_text="Names, in order.")
    space = models.ForeignKey(
        Space,
        on_delete=models.PROTECT,
        related_name="pages",
        help_text="The wiki's own, or that of the nearest restricted section.",
    )
    revision = models.ForeignKey(
        "wiki.Revision",
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        help_text="The newest.",
    )
    number = models.PositiveIntegerField(default=0, help_text="Of the newest revision.")
    size = models.PositiveIntegerField(default=0, help_text="Bytes of the text.")
    memory = models.OneToOneField(
        Memory,
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        help_text="The searchable copy; none while in the trash.",
    )
    updated_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(default=timezone.now, editable=False)
    deleted_at = models.DateTimeField(null=True, editable=False)
    deleted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
    )

    objects = PageQuerySet.as_manager()

    class Meta:
        db_table = "wiki_pages"
        ordering = ["slug_key"]
        constraints = [
            models.UniqueConstraint(
                name="one_live_page_of_a_slug",
                fields=["slug_key"],
                condition=models.Q(deleted_at__isnull=True),
            )
        ]
        indexes = [
            # A slug's pages in the trash as well; whole sections, by range.
            models.Index(fields=["slug_key"], name="page_slug"),
            # Lists, newest first.
            models.Index(fields=["-updated_at", "-id"], name="page_recent"),
            # What lies in the trash, newest first.
            models.Index(
                fields=["-deleted_at", "-id"],
                name="page_trash",
                condition=models.Q(deleted_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.slug

    @property
    def is_deleted(self) -> bool:
        """Say whether it lies in the trash."""
        return self.deleted_at is not None


class PageTag(models.Model):
    """A tag of a live page, for the lists by tag."""

    page = models.ForeignKey(Page, on_delete=models.CASCADE, related_name="tag_rows")
    space = models.ForeignKey(
        Space,
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
        help_text="A copy of its page's, so that counting need not look at pages.",
    )
    name = models.CharField(max_length=64)

    class Meta:
        db_table = "wiki_page_tags"
        constraints = [
            models.UniqueConstraint(fields=["page", "name"], name="page_tag_once")
        ]
        indexes = [
            models.Index(fields=["name", "page"], name="page_tag_lookup"),
            models.Index(fields=["name", "space"], name="page_tag_counts"),
        ]

    def __str__(self) -> str:
        return self.name


class TitleWord(models.Model):
    """A word of a live page's title or slug, folded, for suggestions while typing."""

    page = models.ForeignKey(Page, on_delete=models.CASCADE, related_name="words")
    word = KeyField(max_length=64)

    class Meta:
        db_table = "wiki_title_words"
        constraints = [
            models.UniqueConstraint(fields=["page", "word"], name="title_word_once")
        ]
        indexes = [models.Index(fields=["word", "page"], name="title_word_lookup")]

    def __str__(self) -> str:
        return self.word
