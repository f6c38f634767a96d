"""What is decided when a page is shown: which links lead nowhere, ids beside others.

Works on tags of cleaned HTML, in which every `<` begins a tag and every attribute value
is quoted; nothing is parsed again.
"""

import html
import re
from collections.abc import Collection

_LINK = re.compile(r'<a (?=[^<>]*data-slug=)(?:[^<>"]|"[^"]*")*>')
_SLUG = re.compile(r'data-slug="([^"]*)"')
_TAG_WITH_ID = re.compile(r'<(?:a|h[1-6]|li|sup) (?:[^<>"]|"[^"]*")*>')
_ID = re.compile(r'(\bid="|\bhref="#)(?=(?:h|fn)-)')


def linked_slugs(rendered: str) -> frozenset[str]:
    """Return the slugs that the wiki links of rendered HTML lead to."""
    found = (_SLUG.search(tag) for tag in _LINK.findall(rendered))
    return frozenset(html.unescape(slug[1]) for slug in found if slug)


def present(rendered: str, *, existing: Collection[str], fragment: str = "") -> str:
    """Return rendered HTML for one reader.

    `existing` are the slugs this reader would find a page at; links to all others look
    the same, whether there is no page or one that is not theirs to see. `fragment`
    begins the ids of a text that is shown beside others, such as a preview.
    """

    def marked(tag: re.Match[str]) -> str:
        slug = _SLUG.search(tag[0])
        if slug is None or html.unescape(slug[1]) in existing:
            return tag[0]
        missing = 'class="wikilink missing" title="There is no such page yet"'
        return _without_title(tag[0]).replace('class="wikilink"', missing, 1)

    shown = _LINK.sub(marked, rendered)
    if not fragment:
        return shown
    return _TAG_WITH_ID.sub(lambda tag: _ID.sub(rf"\g<1>{fragment}", tag[0]), shown)


def _without_title(tag: str) -> str:
    return re.sub(r' title="[^"]*"', "", tag)
