"""The tables of the wiki app."""

from wiki.models.attachments import MAX_DESCRIPTION, Attachment
from wiki.models.drafts import PageDraft
from wiki.models.pages import MAX_TITLE, Page, PageTag, TitleWord
from wiki.models.places import Link, Redirect, Section
from wiki.models.revisions import MAX_SUMMARY, RenderedRevision, Revision

__all__ = [
    "MAX_DESCRIPTION",
    "MAX_SUMMARY",
    "MAX_TITLE",
    "Attachment",
    "Link",
    "Page",
    "PageDraft",
    "PageTag",
    "Redirect",
    "RenderedRevision",
    "Revision",
    "Section",
    "TitleWord",
]
