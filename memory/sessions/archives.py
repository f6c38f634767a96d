"""The text of an archive: Markdown for people, from which every turn is read back.

Front matter says whose it is; each turn has a heading with speaker and time, a comment
with the exact fields, and its content. A line of the content that looks like a heading
of a turn gets a backslash before it. Pure.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from memory.sessions.turns import Turn

_HEADING = "## "
_ESCAPED = re.compile(r"^(\\*)(?=## )", re.MULTILINE)
_ESCAPES = re.compile(r"^\\(?=\\*## )", re.MULTILINE)
_TURN = re.compile(r"^## [^\n]*\n<!-- (\{[^\n]*\}) -->\n\n", re.MULTILINE)
_FRONT = re.compile(r"---\n((?:[a-z]+: [^\n]*\n)+)---\n\n")
_UNSEEN = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]"
)


class Damaged(Exception):
    """The text is no archive, or not a whole one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """The trimmed turns of a session that one file holds, in order."""

    session: str
    agent: str
    kind: str
    participants: Sequence[str]
    turns: Sequence[Turn]


def to_text(archive: Archive) -> str:
    """Return the file of an archive; `from_text` gives the archive back."""
    times = [turn.created_at for turn in archive.turns]
    front = {
        "session": archive.session,
        "agent": archive.agent,
        "kind": archive.kind,
        "participants": list(archive.participants),
        "from": min(times).astimezone(UTC).isoformat() if times else None,
        "to": max(times).astimezone(UTC).isoformat() if times else None,
        "messages": len(archive.turns),
    }
    lines = "".join(f"{name}: {_json(value)}\n" for name, value in front.items())
    return f"---\n{lines}---\n\n" + "".join(map(_turn_text, archive.turns))


def from_text(text: str) -> Archive:
    """Read an archive back, every field as it was. Raises Damaged."""
    front = _FRONT.match(text)
    if front is None:
        raise Damaged("It has no front matter.")
    try:
        fields = dict(_front_fields(front[1]))
        turns = list(_turns(text, front.end()))
        if len(turns) != fields["messages"]:
            raise Damaged(f"It has {len(turns)} of {fields['messages']} turns.")
        return Archive(
            session=fields["session"],
            agent=fields["agent"],
            kind=fields["kind"],
            participants=fields["participants"],
            turns=turns,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise Damaged(f"It cannot be read: {error}") from error


def _front_fields(lines: str) -> Iterator[tuple[str, Any]]:
    for line in lines.splitlines():
        name, _, value = line.partition(": ")
        yield name, json.loads(value)


def _turns(text: str, start: int) -> Iterator[Turn]:
    while start < len(text):
        head = _TURN.match(text, start)
        if head is None:
            raise Damaged(f"There is no turn at character {start}.")
        following = text.find("\n\n" + _HEADING, head.end() - 2)
        end = len(text) if following < 0 else following + 2
        if not text.endswith("\n\n", head.end(), end):
            raise Damaged("Its last turn is cut off.")
        content = _ESCAPES.sub("", text[head.end() : end - 2])
        fields = json.loads(head[1])
        fields["created_at"] = datetime.fromisoformat(fields["created_at"])
        yield Turn(content=content, **fields)
        start = end


def _turn_text(turn: Turn) -> str:
    at = turn.created_at.astimezone(UTC)
    fields = {
        "position": turn.position,
        "role": turn.role,
        "created_at": at.isoformat(),
        "speaker": turn.speaker,
        "name": turn.name,
        "client_id": turn.client_id,
        "tool_name": turn.tool_name,
        "tool_call_id": turn.tool_call_id,
        "tool_calls": turn.tool_calls,
        "call_position": turn.call_position,
    }
    left_out: tuple[Any, ...] = ("", None, [])
    kept = {name: value for name, value in fields.items() if value not in left_out}
    who = turn.name or turn.speaker or turn.tool_name or turn.role
    heading = _UNSEEN.sub(" ", f"{who}, {at:%Y-%m-%d %H:%M:%S} UTC")
    content = _ESCAPED.sub(r"\\\1", turn.content)
    return f"{_HEADING}{heading}\n<!-- {_json(kept)} -->\n\n{content}\n\n"


def _json(value: Any) -> str:
    """Return JSON of one line that can stand in a comment."""
    text = json.dumps(value, ensure_ascii=False)
    for hidden in ("<", ">", "\u2028", "\u2029", "\x85"):
        text = text.replace(hidden, f"\\u{ord(hidden):04x}")
    return text
