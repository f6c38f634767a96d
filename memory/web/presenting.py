"""How records are put to people: names of scopes, cited lines, past versions. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.timezone import localtime

from goclaw.lib.diffs import Line, diff
from memory.scopes import Scope

SCOPE_LABELS = {
    Scope.PERSONAL: "Personal",
    Scope.AGENT_NOTES: "Agent notes",
    Scope.GLOBAL: "Global",
    Scope.AGENT_CONFIG: "Agent config",
    Scope.WIKI: "Wiki",
    Scope.WIKIJS: "Wiki.js",
    Scope.DB_CACHE: "Database schema",
    Scope.WORKSPACE: "Workspace",
}
SCOPE_READERS = {
    Scope.PERSONAL: "only you",
    Scope.AGENT_NOTES: "everyone, agents included",
    Scope.GLOBAL: "everyone, agents included",
    Scope.AGENT_CONFIG: "administrators, and agents as standing instruction",
}
MOST_LINES = 400
"""Lines of one change that are shown: a record's page has up to twenty of them."""
TEXT_FIELDS = frozenset({"content", "title"})
TIME_FIELDS = frozenset({"observed_at", "expires_at"})


@dataclass(frozen=True, slots=True)
class Cited:
    """A text cut at the lines somebody cites: before, the lines, after."""

    before: str
    lines: str
    after: str


def cite(text: str, wanted: str) -> Cited:
    """Cut the text at lines such as "12-18" (from 1); anything else cites nothing."""
    first, _, last = wanted.partition("-")
    last = last or first
    if not (first.isdecimal() and last.isdecimal()) or len(wanted) > 20:
        return Cited(text, "", "")
    lines = text.split("\n")  # the only line end that chunks count
    start, end = int(first) - 1, int(last)
    if not 0 <= start < end <= len(lines):
        return Cited(text, "", "")
    before = "".join(f"{line}\n" for line in lines[:start])
    after = "".join(f"\n{line}" for line in lines[end:])
    return Cited(before, "\n".join(lines[start:end]), after)


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field of an edit: a diff for texts, both values for the rest."""

    name: str
    old: str
    new: str
    lines: list[Line]


def field_changes(
    newest_first: Iterable[dict[str, Any]], current: dict[str, Any]
) -> Iterator[list[FieldChange]]:
    """Yield what each edit changed, from the old values that revisions keep.

    The new value of a field is the old one of the next edit of that field, or what the
    record says now.
    """
    after = dict(current)
    for before in newest_first:
        yield [
            FieldChange(
                name=name.replace("_", " "),
                old=_shown(name, old),
                new=_shown(name, after.get(name)),
                lines=diff(str(old), str(after.get(name) or ""), most=MOST_LINES)
                if name in TEXT_FIELDS
                else [],
            )
            for name, old in before.items()
        ]
        after |= before


def _shown(name: str, value: Any) -> str:
    if name in TIME_FIELDS and isinstance(value, str):
        value = datetime.fromisoformat(value)
    if isinstance(value, datetime):
        return f"{localtime(value):%Y-%m-%d %H:%M}"
    if value in (None, "", [], {}):
        return "nothing"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
