"""Markdown to HTML that is not clean yet. Runs in the renderer's own process."""

import html
import re

from markdown import Markdown
from markdown.extensions.admonition import AdmonitionExtension
from markdown.extensions.def_list import DefListExtension
from markdown.extensions.footnotes import FootnoteExtension
from markdown.extensions.sane_lists import SaneListExtension
from markdown.preprocessors import Preprocessor

from wiki.rendering.blocks import arrange
from wiki.rendering.brackets import Brackets
from wiki.rendering.inline import Inline
from wiki.rendering.tables import PipeTables

_UNUSABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]|[\ud800-\udfff]")
_LANGUAGE = re.compile(r"[A-Za-z0-9_+#.-]{1,32}")


def to_html(text: str) -> str:
    """Return the HTML of a Markdown text; has to be cleaned before anybody sees it.

    May take very long or raise RecursionError: see `pool`.
    """
    md = Markdown(
        extensions=[
            PipeTables(),
            FootnoteExtension(),
            DefListExtension(),
            AdmonitionExtension(),
            SaneListExtension(),
            Brackets(),
            Inline(),
        ],
        lazy_ol=False,
    )
    # After the step that drops the marks of placeholders from what was sent.
    md.preprocessors.register(_Arranging(md), "arranging", 25)
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return str(md.convert(_UNUSABLE.sub("", plain)))


class _Arranging(Preprocessor):
    def run(self, lines: list[str]) -> list[str]:
        return arrange(lines, lambda *code: self.md.htmlStash.store(_block(*code)))


def _block(code: str, info: str) -> str:
    language = language_of(info)
    name = f' class="language-{language}"' if language else ""
    return f"<pre><code{name}>{html.escape(code)}</code></pre>"


def language_of(info: str) -> str:
    """Return the language that a fence names; "" for what is no plain name."""
    words = info.strip("{} .").split(None, 1)
    return words[0] if words and _LANGUAGE.fullmatch(words[0]) else ""
