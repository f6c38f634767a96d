"""What stands within a line: wiki links, bare addresses, struck-out text, raw tags."""

import html
import re
from xml.etree import ElementTree as etree

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import (
    HtmlInlineProcessor,
    InlineProcessor,
    SimpleTagInlineProcessor,
)
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from wiki.rendering.links import WIKI_LINK, wiki_link

Found = tuple[etree.Element | str | None, int | None, int | None]
_NOTHING: Found = (None, None, None)

_PLAIN = """
    a abbr b blockquote br code dd del details dfn div dl dt em h1 h2 h3 h4 h5 h6 hr i
    img ins kbd li mark ol p pre q s samp small span strong sub summary sup table tbody
    td tfoot th thead tr u ul var
"""
TAGS = frozenset(_PLAIN.split())
"""The elements a page may hold, by Markdown or by raw tags."""

_ACTIVE = """
    applet area audio base body button canvas datalist dialog embed fieldset font form
    frame frameset head html iframe image input isindex keygen link listing map marquee
    math menu meta noembed noframes noscript object optgroup option output param picture
    plaintext portal script search select slot source style svg template textarea title
    track video xml xmp
"""
_GONE = frozenset(_ACTIVE.split())
"""Elements that vanish. Others are no elements: `<name>` is text, and stays."""

_TAG = (
    r"<(/?)([A-Za-z][A-Za-z0-9-]{0,30})"
    r"((?:\s[^<>\"']{0,2000}+(?:\"[^\"<>]{0,2000}+\"[^<>\"']{0,500}+"
    r"|'[^'<>]{0,2000}+'[^<>\"']{0,500}+){0,20}+)?)/?>"
)
_URL = r"\bhttps?://[^\s<>\"`\\\x02\x03|\[\]]{1,2000}+"
_COMMENT = r"<!--(?:[^-]|-(?!->)){0,1000}+-->"
_STRUCK = r"(?<!~)(~~)(?=[^\s~])([^~]{1,2000}+)~~(?!~)"
_DONE = re.compile(r"\[([ xX])\](?:[ \n]+|$)")


class _WikiLinks(InlineProcessor):
    ANCESTOR_EXCLUDES = ("a",)

    def handleMatch(self, m: re.Match[str], data: str) -> Found:
        link = wiki_link(html.unescape(m[1]))
        if link is None:
            return _NOTHING
        element = etree.Element("a", {"href": link.href})
        label = (m[2] or "").strip() or m[1].strip().lstrip("#")
        element.text = AtomicString(label)
        return element, m.start(), m.end()


class _BareAddresses(InlineProcessor):
    ANCESTOR_EXCLUDES = ("a",)

    def handleMatch(self, m: re.Match[str], data: str) -> Found:
        url = _without_end(m[0])
        element = etree.Element("a", {"href": url})
        element.text = AtomicString(url)
        return element, m.start(), m.start() + len(url)


def _without_end(url: str) -> str:
    """Drop what ends the sentence rather than the address."""
    unmatched = url.count(")") - url.count("(")
    while url[-1] in ".,;:!?'*_~" or (url[-1] == ")" and unmatched > 0):
        unmatched -= url[-1] == ")"
        url = url[:-1]
    return url


class _RawTags(HtmlInlineProcessor):
    """Let allowed tags through to the cleaning, drop the others, keep what is text."""

    def handleMatch(self, m: re.Match[str], data: str) -> Found:
        name, tag = m[2].lower(), self.backslash_unescape(self.unescape(m[0]))
        if name in _GONE:
            return "", m.start(), m.end()
        kept = tag if name in TAGS else html.escape(tag)
        return self.md.htmlStash.store(kept), m.start(), m.end()


class _Comments(InlineProcessor):
    def handleMatch(self, m: re.Match[str], data: str) -> Found:
        return "", m.start(), m.end()


class _Tasks(Treeprocessor):
    """Mark list items that begin with a box; the cleaning draws it."""

    def run(self, root: etree.Element) -> None:
        for item in root.iter("li"):
            holder = item if (item.text or "").strip() else next(iter(item), item)
            if holder is not item and holder.tag != "p":
                continue
            text = (holder.text or "").lstrip()
            if box := _DONE.match(text):
                holder.text = text[box.end() :]
                item.set("class", "task" if box[1] == " " else "task done")


class Inline(Extension):
    """Our patterns, in an order that leaves code and escapes alone."""

    def extendMarkdown(self, md: Markdown) -> None:
        """Replace the reading of raw HTML, and add the rest."""
        md.preprocessors.deregister("html_block")
        patterns = md.inlinePatterns
        patterns.register(_WikiLinks(WIKI_LINK.pattern, md), "wiki_link", 176)
        patterns.register(_BareAddresses(_URL, md), "bare_address", 105)
        patterns.register(_Comments(_COMMENT, md), "comment", 109)
        # Before bare addresses, which may be the value of an attribute.
        patterns.register(_RawTags(_TAG, md), "html", 108)
        patterns.register(SimpleTagInlineProcessor(_STRUCK, "del"), "struck", 50)
        md.treeprocessors.register(_Tasks(md), "tasks", 25)
