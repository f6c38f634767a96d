"""What hangs on addresses: redirects, links, and how many pages lie below."""

from django.db import models
from django.utils import timezone

from memory.models import Space
from wiki.models.fields import KeyField
from wiki.models.pages import Page
from wiki.slugs import MAX_SLUG


class Redirect(models.Model):
    """An old address of a page. It leads to the page itself, so there are no chains."""

    slug = models.CharField(max_length=MAX_SLUG)
    slug_key = KeyField(max_length=MAX_SLUG, unique=True, editable=False)
    page = models.ForeignKey(Page, on_delete=models.CASCADE, related_name="redirects")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        db_table = "wiki_redirects"
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return self.slug


class Link(models.Model):
    """A wiki link in the newest text of a live page."""

    page = models.ForeignKey(Page, on_delete=models.CASCADE, related_name="links")
    slug = models.CharField(max_length=MAX_SLUG, help_text="As the text names it.")
    slug_key = KeyField(max_length=MAX_SLUG)
    target = models.ForeignKey(
        Page,
        on_delete=models.SET_NULL,
        null=True,
        related_name="backlinks",
        help_text="The live page it leads to, through a redirect or not.",
    )

    class Meta:
        db_table = "wiki_links"
        constraints = [
            models.UniqueConstraint(fields=["page", "slug_key"], name="link_once")
        ]
        indexes = [
            # Links that a new or a deleted page makes whole or breaks.
            models.Index(fields=["slug_key"], name="link_slug"),
            models.Index(
                fields=["id"],
                name="link_broken",
                condition=models.Q(target__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return self.slug


class Section(models.Model):
    """How many live pages of one space lie at or below a path: the tree's levels."""

    path = models.CharField(max_length=MAX_SLUG)
    path_key = KeyField(max_length=MAX_SLUG)
    parent_key = KeyField(max_length=MAX_SLUG, blank=True)
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="+")
    pages = models.IntegerField(default=0)

    class Meta:
        db_table = "wiki_sections"
        constraints = [
            models.UniqueConstraint(
                fields=["path_key", "space"], name="one_section_of_a_space"
            )
        ]
        indexes = [
            # A level of the tree.
            models.Index(fields=["parent_key", "path_key"], name="section_level")
        ]

    def __str__(self) -> str:
        return self.path
