"""The summary of a conversation: five parts, as text and back, with or without a model.

Without one it is extractive: first lines of decisions, questions, numbers. Pure.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from memory.sessions.turns import Turn

HEADINGS = {
    "context": "Context",
    "key_decisions": "Key Decisions",
    "action_items": "Action Items",
    "important_details": "Important Details",
    "current_state": "Current State",
}
EXTRACTIVE_MARK = (
    "*Extractive summary: lines taken from the conversation, not written by a model.*"
)
MAX_LINES = 15
"""Of a part; the oldest go."""
MAX_LINE = 200
"""Characters of a line: the whole fits a record in any script."""

_DECISION = re.compile(
    r"\b(?:decid\w+|decision|agreed?|we(?:'ll| will| go with)|let's|settled|chose"
    r"|entschieden|entscheidung|beschlossen|wir (?:nehmen|machen|werden)|einigen"
    r"|décid\w+|d'accord|choisi\w*|decidi\w+|acordamos|decisión)\b"
    r"|決め|決定|決まり|决定|결정",
    re.IGNORECASE,
)
_TO_DO = re.compile(
    r"\b(?:todo|to do|must|need(?:s|ed)? to|have to|please|don't forget|remind\w*"
    r"|bitte|muss|müssen|erinner\w*|il faut|doit|hay que|por favor)\b",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"[?？؟]\s*$")
_NUMBER = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Summary:
    """The five parts, each a list of lines without line breaks."""

    context: Sequence[str] = field(default_factory=tuple)
    key_decisions: Sequence[str] = field(default_factory=tuple)
    action_items: Sequence[str] = field(default_factory=tuple)
    important_details: Sequence[str] = field(default_factory=tuple)
    current_state: Sequence[str] = field(default_factory=tuple)


def to_text(summary: Summary, *, extractive: bool) -> str:
    """Return the summary as Markdown, under its five headings."""
    parts = [EXTRACTIVE_MARK] if extractive else []
    for name, heading in HEADINGS.items():
        lines = [f"- {line}" for line in _tidy(getattr(summary, name))]
        parts.append("\n".join([f"## {heading}", "", *(lines or ["- none"])]))
    return "\n\n".join(parts) + "\n"


def from_text(text: str) -> Summary:
    """Read a summary back, whoever wrote it."""
    names = {f"## {heading}": name for name, heading in HEADINGS.items()}
    found: dict[str, list[str]] = {name: [] for name in HEADINGS}
    lines: list[str] = []
    for line in text.split("\n"):
        if line in names:
            lines = found[names[line]]
        elif line.startswith("- ") and line != "- none":
            lines.append(line[2:])
    return Summary(**found)


def extract(turns: Sequence[Turn], before: Summary) -> Summary:
    """Return the summary so far with the telling lines of what people said since.

    What the agent and its tools said is left out, except as where things stand.
    """
    said = [turn for turn in turns if turn.role == "user"]
    lines = [line for turn in said for line in _lines(turn)]
    spoken = [turn for turn in turns if turn.role in {"user", "assistant"}]
    decisions = [line for line in lines if _DECISION.search(line)]
    open_ = [line for line in lines if _QUESTION.search(line) or _TO_DO.search(line)]
    details = [line for line in lines if _NUMBER.search(line)]
    return Summary(
        context=before.context or lines[:2],
        key_decisions=_with(before.key_decisions, decisions),
        action_items=_with(before.action_items, open_, known=decisions),
        important_details=_with(
            before.important_details, details, known=[*decisions, *open_]
        ),
        current_state=[line for turn in spoken[-2:] for line in _lines(turn)[:1]]
        or before.current_state,
    )


def transcript(turns: Iterable[Turn], *, max_chars: int) -> Iterator[tuple[int, str]]:
    """Yield (position of its last turn, text) of parts that a model can take in.

    A turn that is longer than a part is shown by its beginning and its end.
    """
    part: list[str] = []
    size, last = 0, 0
    for turn in turns:
        text = _as_told(turn, max_chars)
        if part and size + len(text) > max_chars:
            yield last, "\n\n".join(part)
            part, size = [], 0
        part.append(text)
        size += len(text) + 2
        last = turn.position
    if part:
        yield last, "\n\n".join(part)


def _as_told(turn: Turn, max_chars: int) -> str:
    who = turn.name or turn.speaker or turn.tool_name or turn.role
    role = "" if who == turn.role else f" ({turn.role})"
    text = turn.content
    room = max(200, max_chars - 200)
    if len(text) > room:
        half = room // 2
        text = f"{text[:half]}\n[...]\n{text[-half:]}"
    return f"{who}{role}, {turn.created_at:%Y-%m-%d %H:%M} UTC:\n{text}"


def _with(
    before: Sequence[str], lines: Sequence[str], *, known: Sequence[str] = ()
) -> list[str]:
    """Return the lines so far and the new ones that are not in another part."""
    new = [line for line in lines if line not in known]
    return list(dict.fromkeys([*before, *new]))


def _lines(turn: Turn) -> list[str]:
    """Return the lines of a turn, under the name of who said them."""
    who = turn.name or turn.speaker or turn.role
    stripped = (line.strip() for line in turn.content.splitlines())
    return [f"{who}: {line}" for line in stripped if line]


def _tidy(lines: Iterable[str]) -> list[str]:
    """Return the newest lines, each on one line and not too long."""
    flat = (" ".join(line.replace("\0", "").split()) for line in lines)
    cut = [
        line if len(line) <= MAX_LINE else line[: MAX_LINE - 1] + "…" for line in flat
    ]
    return [line for line in cut if line and line != "none"][-MAX_LINES:]
