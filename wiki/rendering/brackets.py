"""Links and images in brackets, found in linear time.

Python-Markdown looks from every `[` for its `]` to the end of the text, for six kinds
of links: some thousand brackets without an end took it many seconds.
"""

import re

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import (
    ImageInlineProcessor,
    ImageReferenceInlineProcessor,
    LinkInlineProcessor,
    ReferenceInlineProcessor,
    ShortImageReferenceInlineProcessor,
    ShortReferenceInlineProcessor,
)

MOST_ADDRESS = 2_000
"""Characters between the parentheses of a link."""

_BRACKET = re.compile(r"[\[\]]")


class _Pairs:
    """Which bracket closes which, of the text that was asked about last."""

    def __init__(self) -> None:
        self._text = ""
        self._closing: dict[int, int] = {}

    def closing(self, text: str, opening: int) -> int | None:
        """Return where the bracket at `opening` is closed, or None."""
        if text is not self._text:
            self._text, self._closing = text, {}
            open_ones: list[int] = []
            for bracket in _BRACKET.finditer(text):
                if bracket[0] == "[":
                    open_ones.append(bracket.start())
                elif open_ones:
                    self._closing[open_ones.pop()] = bracket.start()
        return self._closing.get(opening)


class _Bounded(LinkInlineProcessor):
    """Replaces how the two parts of a link are found."""

    def __init__(self, pattern: str, md: Markdown, pairs: _Pairs) -> None:
        super().__init__(pattern, md)
        self._pairs = pairs

    def getText(self, data: str, index: int) -> tuple[str, int, bool]:
        """Return the text up to the closing bracket, what follows, and whether."""
        end = self._pairs.closing(data, index - 1)
        if end is None:
            return "", index, False
        return data[index:end], end + 1, True

    def getLink(self, data: str, index: int) -> tuple[str, str | None, int, bool]:
        """Return address, title, what follows, and whether there is a link."""
        if not data.startswith("(", index):
            return "", None, index, False
        href, title, end, found = super().getLink(data[: index + MOST_ADDRESS], index)
        return href, title, end, found


class _Link(_Bounded):
    pass


class _Image(_Bounded, ImageInlineProcessor):
    pass


class _Reference(_Bounded, ReferenceInlineProcessor):
    pass


class _ShortReference(_Bounded, ShortReferenceInlineProcessor):
    pass


class _ImageReference(_Bounded, ImageReferenceInlineProcessor):
    pass


class _ShortImageReference(_Bounded, ShortImageReferenceInlineProcessor):
    pass


_PROCESSORS = {
    "reference": (_Reference, 170),
    "link": (_Link, 160),
    "image_link": (_Image, 150),
    "image_reference": (_ImageReference, 140),
    "short_reference": (_ShortReference, 130),
    "short_image_ref": (_ShortImageReference, 125),
}


class Brackets(Extension):
    """The same links as ever, under the same names and priorities."""

    def extendMarkdown(self, md: Markdown) -> None:
        """Put ours in the place of Python-Markdown's."""
        pairs = _Pairs()
        for name, (kind, priority) in _PROCESSORS.items():
            pattern = md.inlinePatterns[name].pattern
            md.inlinePatterns.register(kind(pattern, md, pairs), name, priority)
