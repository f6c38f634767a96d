"""The HTML of revisions: rendered once, kept, and finished for each reader."""

from dataclasses import asdict

from accounts.actors import Actor
from goclaw.lib import sql
from wiki import links
from wiki.models import RenderedRevision, Revision
from wiki.rendering import RENDERER_VERSION, Rendered, linked_slugs, present, render

_KEPT = "revision_id = %s AND renderer_version = %s"


def rendering_of(revision: Revision) -> RenderedRevision:
    """Return what a revision renders to, made and kept if it is not there yet."""
    found = sql.first(RenderedRevision, _KEPT, revision.pk, RENDERER_VERSION)
    return found or keep(revision, render(revision.body, slug=revision.slug))


def html_for(actor: Actor, rendering: RenderedRevision) -> str:
    """Return the HTML for a reader; links to what they cannot read look missing."""
    there = links.existing(actor, linked_slugs(rendering.html))
    return present(rendering.html, existing=there)


def keep(revision: Revision, rendered: Rendered) -> RenderedRevision:
    """Keep what a revision renders to; whoever was quicker said the same.

    What failed only because nobody could render just now is not kept.
    """
    which = {"revision": revision, "renderer_version": RENDERER_VERSION}
    says = {
        "html": rendered.html,
        "toc": [asdict(entry) for entry in rendered.toc],
        "failed": rendered.failed,
    }
    if rendered.failed == "unavailable":
        return RenderedRevision(**which, **says)
    kept, _ = RenderedRevision.objects.get_or_create(**which, defaults=says)
    return kept
