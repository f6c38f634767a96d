"""Pages that a machine proposes: the structure, and the Markdown made of it."""

from django.db import models

from memory.models import ReviewItem
from wiki.models.pages import MAX_TITLE, Page
from wiki.models.revisions import Revision
from wiki.slugs import MAX_SLUG


class PageDraft(models.Model):
    """What a review item about a page would publish.

    The structure is {"sections": [{"heading": str, "sentences": [{"text": str,
    "facts": [uid of a record]}]}], "considered": {uid: hash of its text}}; a sentence
    without facts is unsourced, unless it says "edited": true, which a person did.
    """

    item = models.OneToOneField(
        ReviewItem, on_delete=models.CASCADE, related_name="draft"
    )
    slug = models.CharField(max_length=MAX_SLUG)
    title = models.CharField(max_length=MAX_TITLE)
    body = models.TextField()
    tags = models.JSONField(default=list, help_text="Names, in order.")
    structure = models.JSONField(default=dict)
    facts_hash = models.CharField(
        max_length=64, help_text="Of the records it was made from, and their texts."
    )
    base_number = models.PositiveIntegerField(
        default=0, help_text="Revision of the page that it was made against; 0: none."
    )
    page = models.ForeignKey(
        Page,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="drafts",
        help_text="The page that it was made against, or has become.",
    )
    published = models.OneToOneField(
        Revision,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="draft",
        help_text="The revision that an approval wrote.",
    )

    class Meta:
        db_table = "wiki_page_drafts"
        indexes = [models.Index(fields=["slug", "facts_hash"], name="draft_facts")]

    def __str__(self) -> str:
        return self.slug
