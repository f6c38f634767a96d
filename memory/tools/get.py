"""`memory_get`: the text behind a citation."""

from pydantic import Field

from accounts.actors import Actor
from goclaw.lib.errors import BadInput
from memory import citations, reading
from memory.tools.base import Arguments, Tool, ToolResult
from memory.tools.registry import register

LINES = 200
"""How many lines are given where the model does not say."""
MAX_CHARS = 16_000
"""What fits a small model's window, some 4,000 tokens; it can read on."""


class Place(Arguments):
    """A citation, or a path or id with lines."""

    path: str | None = Field(
        None,
        max_length=600,
        description="A citation of memory_search, or a path of a file or wiki page.",
    )
    id: str | None = Field(
        None, max_length=60, description="The id of a record, instead of a path."
    )
    start: int | None = Field(
        None, alias="from", ge=1, le=2**31 - 1, description="First line, from 1."
    )
    lines: int | None = Field(
        None, ge=1, le=100_000, description=f"How many lines; {LINES} without it."
    )
    agent: str | None = Field(
        None, max_length=64, description="Whose workspace; the default agent's without."
    )


def run(actor: Actor, asked: Place) -> ToolResult:
    """Read lines of a file, a page or a record."""
    if (asked.path is None) == (asked.id is None):
        raise BadInput("Give either a path or an id.", field="path")
    place = citations.parse(asked.path or str(citations.record_id(asked.id or "")))
    start = asked.start or place.start or 1
    passage = reading.read(
        actor,
        uid=place.uid,
        path=place.path,
        agent=asked.agent,
        start=start,
        count=asked.lines or place.count or LINES,
    )
    return _told(passage, start)


def _told(passage: reading.Passage, start: int) -> ToolResult:
    record = str(passage.memory.uid) if passage.memory else None
    name = passage.path or record
    text, shown = _cut(passage.text)
    end = passage.line_start + shown - 1 if shown else 0
    goes_on = bool(shown) and end < passage.total_lines
    cut = shown == 1 and len(text) < len(passage.text.split("\n", 1)[0])
    if passage.missing:
        head = f"There is no file {name}."
    elif not shown:
        head = f"{name} has {passage.total_lines} lines, none from {start} on."
    else:
        head = f"{name}, lines {passage.line_start}-{end} of {passage.total_lines}:"
    after = [f"Read on with from={end + 1}."] if goes_on else []
    if cut:
        after.insert(0, f"The line is longer; it is cut at {MAX_CHARS} characters.")
    return ToolResult(
        text="\n".join([head, *([text] if shown else []), *after]),
        data={
            "id": record,
            "path": passage.path,
            "text": text,
            "line_start": passage.line_start,
            "line_end": end,
            "total_lines": passage.total_lines,
            "missing": passage.missing,
            "truncated": goes_on or cut,
            "next_from": end + 1 if goes_on else None,
        },
    )


def _cut(text: str) -> tuple[str, int]:
    """Return as many whole lines as fit, at least the begin of the first; how many."""
    if not text:
        return "", 0
    lines = text.split("\n")
    if len(text) <= MAX_CHARS:
        return text, len(lines)
    size, shown = 0, 0
    while shown < len(lines) and size + len(lines[shown]) <= MAX_CHARS:
        size += len(lines[shown]) + 1
        shown += 1
    return ("\n".join(lines[:shown]), shown) if shown else (lines[0][:MAX_CHARS], 1)


register(
    Tool(
        name="memory_get",
        description="Read the full text behind a result of memory_search: a workspace"
        " file, a wiki page or a record. Use it when the snippet is not enough. Lines"
        " count from 1.",
        example='{"path": "memory/2026-03-27.md#L3-L9"}',
        arguments=Place,
        run=run,
    )
)
