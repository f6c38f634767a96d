"""The tree of pages as HTML: hundreds of nodes on every page, so not by a template."""

from html import escape
from urllib.parse import quote

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from memory.templatetags.ui import icon
from wiki.web.navigation import Branch, Item
from wiki.web.presenting import page_url


def branch_list(branch: Branch) -> SafeString:
    """Return a level of the tree as a list, with the levels below that are open."""
    pages_url = reverse("wiki:pages")
    return mark_safe(_list(branch, pages_url))  # noqa: S308 - each text is escaped


def _list(branch: Branch, pages_url: str) -> str:
    items = "".join(_item(item, pages_url) for item in branch.items)
    more = ""
    if branch.next:
        place = f"?slug={quote(branch.section)}&amp;after={quote(branch.next)}"
        more = f'<li><a class="more-pages" href="{pages_url}{place}">More …</a></li>'
    return f'<ul class="branch">{items}{more}</ul>'


def _item(item: Item, pages_url: str) -> str:
    node = item.node
    label = escape(node.title or node.name)
    twist = '<span class="twist"></span>'
    if node.below:
        is_open = " data-open" if item.branch else ""
        twist = (
            f'<a class="twist" href="{pages_url}?slug={quote(node.slug)}"'
            f' data-branch="{escape(node.slug)}"{is_open}'
            f' aria-label="Pages below {label}">{icon("chevron-right")}</a>'
        )
    current = ' aria-current="page"' if item.is_current else ""
    missing = ' class="no-page"' if node.title is None else ""
    below = _list(item.branch, pages_url) if item.branch else ""
    return (
        f'<li><div class="node">{twist}<a href="{escape(page_url(node.slug))}"'
        f"{current}{missing}>{label}</a></div>{below}</li>"
    )
