"""The tables of the wiki app."""

from wiki.models.pages import Page, PageTag, TitleWord
from wiki.models.places import Link, Redirect, Section
from wiki.models.revisions import RenderedRevision, Revision

__all__ = [
    "Link",
    "Page",
    "PageTag",
    "Redirect",
    "RenderedRevision",
    "Revision",
    "Section",
    "TitleWord",
]
