"""Rows of a diff as HTML: thousands of them, so not by a template."""

from collections.abc import Iterable
from html import escape

from django.utils.safestring import SafeString, mark_safe

from goclaw.lib.diffs import Line, Part, Row
from wiki.web.diffing import Shown

_LEFT_OUT = {"fold": "unchanged lines", "cut": "more lines are not shown"}
_SIGNS = {"removed": ("del", "−", "Removed: "), "added": ("ins", "+", "Added: ")}


def split_rows(rows: Iterable[Shown]) -> SafeString:
    """Return the rows of a table that has both texts side by side."""
    return _joined(_split_row(shown) for shown in rows)


def unified_rows(rows: Iterable[Shown]) -> SafeString:
    """Return the rows of a table that has both texts in one column."""
    return _joined(_unified_row(shown) for shown in rows)


def _joined(rows: Iterable[str]) -> SafeString:
    return mark_safe("\n".join(rows))  # noqa: S308 - each text went through _text


def _split_row(shown: Shown) -> str:
    row = shown.row
    if not isinstance(row, Row) or row.op in _LEFT_OUT:
        return _left_out(row, columns=4)
    left = _side(row.left, "left", row.left.old if row.left else 0)
    right = _side(row.right, "right", row.right.new if row.right else 0)
    return f"{_begin(shown)}{left}{right}</tr>"


def _side(line: Line | None, name: str, number: int) -> str:
    if line is None:
        return f'<td class="n"></td><td class="{name} none"></td>'
    return f'<td class="n">{number}</td><td class="{name}">{_line(line)}</td>'


def _unified_row(shown: Shown) -> str:
    line = shown.row
    if not isinstance(line, Line) or line.op in _LEFT_OUT:
        return _left_out(line, columns=3)
    numbers = f'<td class="n">{line.old or ""}</td><td class="n">{line.new or ""}</td>'
    return f'{_begin(shown)}{numbers}<td class="text">{_line(line)}</td></tr>'


def _begin(shown: Shown) -> str:
    mark = ""
    if shown.change:
        mark = f' id="change-{shown.change}" data-change tabindex="-1"'
    return f'<tr class="{shown.row.op}"{mark}>'


def _left_out(row: Row | Line, *, columns: int) -> str:
    says = f"{row.count} {_LEFT_OUT[row.op]}"
    return f'<tr class="fold"><td colspan="{columns}">{says}</td></tr>'


def _line(line: Line) -> str:
    text = "".join(map(_text, line.parts))
    if line.op not in _SIGNS:
        return text
    tag, sign, said = _SIGNS[line.op]
    return (
        f'<{tag}><span class="sign" aria-hidden="true">{sign}</span>'
        f'<span class="sr-only">{said}</span>{text}</{tag}>'
    )


def _text(part: Part) -> str:
    if part.mark:
        mark = escape(part.mark)
        return f'<span class="unseen" title="{mark}">{mark}</span>'
    text = escape(part.text)
    return f"<b>{text}</b>" if part.changed else text
