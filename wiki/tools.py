"""The wiki's tools for agents: search, read and write pages."""

from typing import Any

from pydantic import Field

from accounts.actors import Actor
from accounts.kinds import RunKind
from goclaw.lib.errors import Unavailable
from goclaw.lib.hidden import without_deceiving
from memory.access import YES, Verdict
from memory.models import Space
from memory.scopes import Scope
from memory.search import SearchQuery
from memory.search.types import MAX_QUERY_CHARS, MAX_RESULTS
from memory.tools import Arguments, Tool, ToolResult, hits, register
from memory.tools.words import Tag
from wiki import access
from wiki.finding import find_page
from wiki.history import newest
from wiki.models import Page
from wiki.pages import save_page
from wiki.review.proposing import goes_to_review, propose_page
from wiki.searching import search_pages


class PageQuestion(Arguments):
    """What to find in the wiki."""

    query: str = Field(
        min_length=1,
        max_length=MAX_QUERY_CHARS,
        description="What to find: a question or some words, in any language.",
    )
    max_results: int | None = Field(
        None, ge=1, le=MAX_RESULTS, description="How many results at most."
    )
    tag: Tag | None = Field(None, description="Only pages with this tag.")
    under: str | None = Field(
        None, max_length=200, description="Only this section, such as handbook."
    )


def search(actor: Actor, asked: PageQuestion) -> ToolResult:
    """Search pages and their attachments."""
    query = SearchQuery(
        text=asked.query,
        max_results=asked.max_results,
        tags=(asked.tag,) if asked.tag else (),
        path_prefix=asked.under,
    )
    try:
        answer = search_pages(actor, query)
    except Unavailable as error:
        return hits.unavailable(error)
    return hits.told(answer, more="Read a page with wiki_read.")


class Address(Arguments):
    """Which page."""

    slug: str = Field(
        max_length=1000, description="The page's address, such as handbook/deploys."
    )


def read(actor: Actor, address: Address) -> ToolResult:
    """Read a page, also by an address that it once had."""
    page = find_page(actor, address.slug.partition("#")[0]).page
    revision = newest(page)
    body = revision.body
    if actor.run is not RunKind.HUMAN:
        body = without_deceiving(body)
    tags = f"; tags: {', '.join(page.tags)}" if page.tags else ""
    head = f"{page.title} ({page.slug}, revision {page.number}{tags})"
    return ToolResult(
        text=f"{head}\n\n{body}", data=_data(page) | {"tags": page.tags, "body": body}
    )


class PageDraft(Arguments):
    """A page to save."""

    slug: str = Field(
        max_length=1000,
        description="The page's address: lower-case words with dashes, sections with"
        " slashes, such as handbook/deploys.",
    )
    body: str = Field(description="The whole text of the page, in Markdown.")
    title: str = Field("", description="Its title; made from the text without.")
    tags: list[Tag] | None = Field(
        None, max_length=50, description="Its tags; they stay as they are without."
    )
    summary: str = Field("", description="What you changed and why, in some words.")
    base_revision: int | None = Field(
        None,
        ge=1,
        le=2**31 - 1,
        description="For a page that exists: the revision that wiki_read showed you.",
    )


def write(actor: Actor, draft: PageDraft) -> ToolResult:
    """Save a page; changes that others made meanwhile are merged or refused.

    What autonomous runs write is put before people instead, where a setting says so.
    """
    if goes_to_review(actor):
        return _proposed(actor, draft)
    saved = save_page(
        actor=actor,
        slug=draft.slug,
        body=draft.body,
        title=draft.title,
        tags=draft.tags,
        summary=draft.summary,
        base_revision=draft.base_revision,
    )
    page = saved.page
    if saved.created:
        done = "Made the page"
    else:
        done = "Saved the page" if saved.changed else "The page says so already:"
    merged = " Changes of others, made meanwhile, are in it." if saved.merged else ""
    return ToolResult(
        text=f"{done} {page.slug}, revision {page.number}.{merged}",
        data=_data(page)
        | {
            "created": saved.created,
            "changed": saved.changed,
            "merged": saved.merged,
        },
    )


def _proposed(actor: Actor, draft: PageDraft) -> ToolResult:
    item = propose_page(
        actor=actor,
        slug=draft.slug,
        title=draft.title,
        body=draft.body,
        tags=draft.tags,
    )
    return ToolResult(
        text=f"Proposed {item.draft.slug}. It is published when a person approves it;"
        " until then readers get the page as it was.",
        data={"proposed": str(item.uid), "slug": item.draft.slug, "state": item.state},
    )


def may_write(actor: Actor) -> Verdict:
    """Judge whether there is any part of the wiki that the actor edits."""
    verdict = access.can_edit(actor, Space.objects.get(kind=Scope.WIKI, path=""))
    return YES if verdict or access.editable_space_ids(actor) else verdict


def _data(page: Page) -> dict[str, Any]:
    return {
        "id": str(page.uid),
        "slug": page.slug,
        "title": page.title,
        "revision": page.number,
    }


register(
    Tool(
        name="wiki_search",
        description="Search the organisation's wiki only: its pages and their"
        " attachments. Use it for how things are done here: rules, guides, contacts."
        " memory_search finds these too, and everything else.",
        example='{"query": "holiday rules", "max_results": 5}',
        arguments=PageQuestion,
        run=search,
    )
)
register(
    Tool(
        name="wiki_read",
        description="Read a whole wiki page in Markdown, with the number of its"
        " revision. Use it after a search, and always before you change a page.",
        example='{"slug": "handbook/deploys"}',
        arguments=Address,
        run=read,
    )
)
register(
    Tool(
        name="wiki_write",
        description="Save a wiki page: a new one, or a changed one with the revision"
        " that wiki_read showed as base_revision. Use it when a person asks you to"
        " document something for the organisation. The body replaces the whole text.",
        example='{"slug": "handbook/deploys", "body": "# Deploys\\n\\nOn Tuesdays.",'
        ' "summary": "first version"}',
        arguments=PageDraft,
        run=write,
        allowed=may_write,
        reads_only=False,
    )
)
