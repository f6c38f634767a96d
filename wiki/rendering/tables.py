"""Tables whose cells end at every pipe, as on GitHub: `\\|` is a pipe, even in code."""

import re

from markdown import Markdown
from markdown.extensions import Extension
from markdown.extensions.tables import TableProcessor

_CELL = re.compile(r"(?:\[\[[^\[\]\n]*\]\]|\\.|[^|\\])*", re.DOTALL)


class PipeTableProcessor(TableProcessor):
    """Split rows at pipes; the one in `[[slug|label]]` is no end of a cell."""

    def _split(self, row: str) -> list[str]:
        cells, at = [], 0
        while at <= len(row):
            found = _CELL.match(row, at)
            end = found.end() if found else len(row)
            if end < len(row) and row[end] != "|":  # a lone backslash at the end
                end += 1
            cells.append(row[at:end].replace("\\|", "|"))
            at = end + 1
        return cells


class PipeTables(Extension):
    """Tables with columns aligned by attribute, which needs no inline style."""

    def extendMarkdown(self, md: Markdown) -> None:
        """Read tables before paragraphs."""
        md.ESCAPED_CHARS.append("|")
        processor = PipeTableProcessor(md.parser, {"use_align_attribute": True})
        md.parser.blockprocessors.register(processor, "table", 75)
