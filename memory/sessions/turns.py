"""A turn as plain data, and where a conversation may be cut. Pure."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from memory.chunking import estimate_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message, with all that an archive keeps of it."""

    position: int
    role: str
    content: str
    created_at: datetime
    speaker: str | None = None
    """The username of the participant who said it."""
    name: str = ""
    client_id: str = ""
    tool_name: str = ""
    tool_call_id: str = ""
    tool_calls: list[Any] = field(default_factory=list)
    call_position: int | None = None


class Place(Protocol):
    """What cutting needs to know of a message."""

    @property
    def position(self) -> int:
        """Return its place in the conversation, from 1."""

    @property
    def call_position(self) -> int | None:
        """Return where the call stands that this is the result of."""


def token_estimate(content: str, tool_calls: Sequence[Any] = ()) -> int:
    """Return about how many tokens a message costs a model: at least one."""
    calls = json.dumps(tool_calls, ensure_ascii=False) if tool_calls else ""
    return 1 + estimate_tokens(content + calls)


def cut_points(places: Sequence[Place]) -> list[int]:
    """Return the positions after which a cut parts no result from its call, in order.

    `places` are consecutive messages in order; a cut after the last one is none.
    """
    points = []
    earliest = places[-1].position if places else 0
    for place in reversed(places):
        if earliest > place.position:
            points.append(place.position)
        earliest = min(earliest, place.position, place.call_position or place.position)
    return points[::-1]
