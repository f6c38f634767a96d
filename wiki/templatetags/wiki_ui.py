"""Template tags of the wiki: names of people, of files, and parts of a page."""

from typing import Any

from django import template

from accounts.models import User
from memory.scopes import Origin
from wiki.models import Revision
from wiki.web.drawing import split_rows, unified_rows
from wiki.web.navigation import Branch, branch
from wiki.web.presenting import page_url
from wiki.web.tree_drawing import branch_list

register = template.Library()
register.filter(page_url)
register.filter(branch_list)
register.filter(split_rows)
register.filter(unified_rows)

FILE_ICONS = {"image": "image", "text": "file-text"}


@register.simple_tag(takes_context=True)
def page_tree(context: dict[str, Any]) -> Branch:
    """The pages the person may read, open at the page that is shown."""
    return branch(context["request"].actor, current=context.get("slug") or "")


@register.filter
def person(user: User | None) -> str:
    """The name people read: full if there is one, else that for signing in."""
    if user is None:
        return "somebody"
    return user.get_full_name() or user.username


@register.filter
def author(revision: Revision) -> str:
    """Who wrote a revision: a person, or an agent for one."""
    name = person(revision.author) if revision.author else ""
    if revision.origin in {Origin.PERSON, Origin.IMPORT} and name:
        return name
    if revision.origin == Origin.AGENT:
        return f"an agent for {name}" if name else "an agent"
    return name or "the system"


@register.filter
def file_icon(media_type: str) -> str:
    """The symbol for a kind of file."""
    return FILE_ICONS.get(media_type.partition("/")[0], "paperclip")


@register.filter
def minus(number: int, other: int) -> int:
    """A difference, such as a count without those that are shown."""
    return number - other


@register.filter
def shallowest(toc: list[dict[str, Any]]) -> int:
    """The highest level of headings in use, from which the others are indented."""
    return min((entry["level"] for entry in toc), default=1)
