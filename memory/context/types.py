"""What goes into the assembly of a prompt's memory, and what comes out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from memory.context.assembling import Row

Extra = str | Mapping[str, Any]
"""What a gateway adds: a text, or an object that is shown by its fields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extras:
    """What only the gateway knows: its data sources, hooks, and earlier queries."""

    datasources: Sequence[Extra] = ()
    hooks: Sequence[Extra] = ()
    queries: Sequence[Extra] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextQuery:
    """For which turn the memory is wanted.

    `agent` of None is the default one; `budget_chars` of None takes the settings', 0 is
    no budget; `model` decides as whose words the message part goes.
    """

    message: str
    agent: str | None = None
    session: UUID | None = None
    model: str = ""
    budget_chars: int | None = None
    extras: Extras = field(default_factory=Extras)
    noted: bool = True
    """Whether the recall log notes what was found; not for a mere look at it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What became of each section; sizes in characters.

    `session_used` and `message_used` are what the memory sections take of the budget,
    with what frames them; `session_share` is the most the session part may take.
    """

    budget: int
    session_share: int
    session_used: int
    message_used: int
    sections: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The two texts, ready for the prompt, and the report."""

    session: str
    message: str
    message_role: str
    report: Report
