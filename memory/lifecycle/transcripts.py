"""What of a conversation is learned from: what people said, and were asked. Pure.

Left out are what the agent, its tools and the system said, memory that was injected
into a message, heartbeats, and commands to this service. Of the agent's turns only a
question that a person answers is kept: it says what the answer is about, and claims
nothing.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from memory.lifecycle.dating import with_dates
from memory.llm.base import fence

MOST_LINES = 60
"""Of a part: a model names no more than a few facts at a time."""
MAX_QUESTION = 400
"""Characters of a question that are kept, from its end."""
COMMANDS = ("@notes:", "@config:")
"""Begin a message that is itself a write; it is not learned from once more."""

_INJECTED = re.compile(
    r"<(?P<tag>[\w-]*[_-](?:context|memory|memories|reminder|knowledge)"
    r"|memory|memories|context|system)\b[^<>]*>.*?(?:</(?P=tag)\s*>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_HEARTBEAT = re.compile(
    r"\s*(?:\[?heartbeat\b|heartbeat_ok\b|read heartbeat\.md)", re.IGNORECASE
)
_QUESTION = re.compile(r"[^.!?。！？؟\n]*(?:[.](?=\S)[^.!?。！？؟\n]*)*[?？؟]")
_AFFIRMED = (
    r"yes|yep|yeah|correct|exactly|right|sure|indeed|confirmed?|ok(?:ay)?"
    r"|that'?s (?:right|correct)|it is|ja|jawohl|genau|stimmt|richtig|oui"
    r"|exact(?:ement)?|d'accord|sí|si|claro|sim|certo|да|верно|evet|はい|そうです|对|是的"
    r"|没错|好的|네|예|نعم|हाँ"
)
_POLITE = r"please|thanks?|thank you|do (?:so|that|it)|bitte|danke|merci|gracias"
_YES = re.compile(
    rf"\s*(?:{_AFFIRMED})\b[\s,.!。！、]*"
    rf"(?:(?:{_AFFIRMED}|{_POLITE})\b[\s,.!。！、]*)*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A turn as learning takes it in; `person` is who said it, None for nobody known.

    `message` is how the turn is named later, `zone` is where the person is.
    """

    position: int
    role: str
    text: str
    at: datetime
    zone: tzinfo
    person: int | None = None
    name: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """Something a person said, cleaned; `question` is what they were asked before."""

    turn: Heard
    text: str
    question: str = ""

    @property
    def noted(self) -> str:
        """Return the text with the dates of its relative days."""
        return with_dates(self.text, said_at=self.turn.at, zone=self.turn.zone)

    @property
    def is_confirmed(self) -> bool:
        """Say whether the person says yes to the question, and nothing else."""
        return bool(self.question and _YES.fullmatch(self.text))

    @property
    def evidence(self) -> str:
        """Return all that the person stands for with it, their own name included.

        To a question that is answered by yes they stand as if they had said it.
        """
        question = self.question if self.is_confirmed else ""
        return "\n".join((self.turn.name, question, self.noted))


@dataclass(frozen=True, slots=True)
class Part:
    """As much as a model takes in; with it everything up to `upto` has been heard.

    `pieces` have been heard of the message after that, which is too long for one part.
    """

    lines: Sequence[Line]
    upto: int
    pieces: int = 0


def without_injected(text: str) -> str:
    """Return the text without what a gateway put into it from memory."""
    return _INJECTED.sub("", text).strip()


def lines_of(turns: Iterable[Heard]) -> Iterator[Line]:
    """Yield what people said, in order."""
    question = ""
    for turn in turns:
        if turn.role == "assistant":
            question = _question_in(turn.text)
        if turn.role != "user":
            continue
        text = without_injected(turn.text)
        learned = turn.person is not None and text and not _is_no_speech(turn, text)
        if learned:
            yield Line(turn, text, question)
        question = ""


def parts_of(
    turns: Sequence[Heard], *, max_chars: int, pieces: int = 0
) -> Iterator[Part]:
    """Yield the conversation in parts; one without a person's words has no lines.

    A message that is longer than a part is heard in pieces, of which the first line's
    first `pieces` have been heard already.
    """
    lines: list[Line] = []
    size, heard, begun = 0, 0, 0
    for line, number, last in _pieces(lines_of(turns), max_chars, pieces):
        cost = len(_as_told(1, line))
        if lines and (size + cost > max_chars or len(lines) == MOST_LINES):
            yield Part(lines, heard, begun)
            lines, size = [], 0
        lines.append(line)
        size += cost
        at = line.turn.position
        heard, begun = (at, 0) if last else (at - 1, number)
    if turns:
        yield Part(lines, turns[-1].position)


def to_prompt(lines: Sequence[Line]) -> str:
    """Return the lines as data for a model, numbered from 1."""
    told = (_as_told(number, line) for number, line in enumerate(lines, 1))
    return fence("conversation", "\n\n".join(told))


def _pieces(
    lines: Iterable[Line], max_chars: int, heard: int
) -> Iterator[tuple[Line, int, bool]]:
    """Yield (line, number of the piece, whether it is the last) of what fits a part."""
    room = max(200, max_chars - MAX_QUESTION - 200)
    for line in lines:
        texts = list(_cut(line.text, room))
        for number, text in enumerate(texts, 1):
            if number > heard:
                piece = replace(line, text=text)
                yield piece, number, number == len(texts)
        heard = 0


def _cut(text: str, room: int) -> Iterator[str]:
    """Yield the text in pieces that end at a line, a sentence or a word."""
    while len(text) > room:
        ends = (text.rfind(mark, room // 2, room) for mark in ("\n", ". ", "。", " "))
        end = next((end + 1 for end in ends if end > 0), room)
        yield text[:end]
        text = text[end:]
    yield text


def _as_told(number: int, line: Line) -> str:
    at = line.turn.at.astimezone(line.turn.zone)
    asked = f"(asked: {line.question})\n" if line.question else ""
    return f"[{number}] {line.turn.name}, {at:%A %Y-%m-%d %H:%M}:\n{asked}{line.noted}"


def _question_in(text: str) -> str:
    """Return the last question of a turn, if it ends with one."""
    found = _QUESTION.findall(text)
    if not found or not text.rstrip().endswith(found[-1][-1]):
        return ""
    return str(found[-1]).strip()[-MAX_QUESTION:]


def _is_no_speech(turn: Heard, text: str) -> bool:
    """Say whether a machine wrote it in somebody's name, or it was obeyed already."""
    return bool(_HEARTBEAT.match(text)) or is_command(turn.text)


def is_command(text: str) -> bool:
    """Say whether a message is a write to this service, not something said."""
    return text.lstrip().lower().startswith(COMMANDS)
