"""`memory_write`: remember something."""

from typing import Any

from pydantic import Field

from accounts.actors import Actor
from goclaw.lib.errors import BadInput
from memory import daily
from memory.drafts import Draft
from memory.lifecycle import learning
from memory.scopes import Kind, Scope
from memory.spaces import may_write, writable_scopes
from memory.tools.base import Arguments, Schema, Tool, ToolResult
from memory.tools.registry import register
from memory.tools.words import AnyKind, Domain, OwnScope, Tag
from memory.workspace import get_agent

NAME = "memory_write"


class Note(Arguments):
    """What to remember, and where."""

    content: str = Field(
        "", description="The text: one self-contained statement, with names and dates."
    )
    scope: OwnScope | None = Field(
        None,
        description="personal: of this person only. agent_notes: what all agents"
        " learned. global: for everybody. agent_config: rules for agents.",
    )
    kind: AnyKind = Field(Kind.NOTE.value, description="What it is.")
    domain: Domain | None = Field(
        None, description="Its topic, one lower-case word such as databases."
    )
    tags: list[Tag] = Field([], max_length=50, description="Lower-case labels.")
    key: str | None = Field(
        None,
        description="Name of a fact that has one current value, such as deploy/day."
        " Writing the key again replaces the value.",
    )
    value: Any = Field(None, description="The value of the key: any JSON.")
    daily: bool = Field(
        False, description="Append the content to today's shared note file instead."
    )
    agent: str | None = Field(
        None, max_length=64, description="Whose daily note; seldom needed."
    )


def run(actor: Actor, note: Note) -> ToolResult:
    """Write a record, or append to today's note."""
    if note.daily:
        return _append(actor, note)
    written = learning.write(
        actor=actor,
        draft=Draft(
            scope=note.scope or writable_scopes(actor)[0],
            content=note.content,
            kind=note.kind,
            domain=note.domain or "",
            tags=tuple(note.tags),
            key=note.key or "",
            value=note.value,
        ),
        tool=NAME,
    )
    memory = written.memory
    head = "This was known already" if written.deduplicated else "Remembered"
    return ToolResult(
        text=f"{head}: {memory.uid} ({memory.scope}, {memory.kind}).",
        data={
            "id": str(memory.uid),
            "scope": memory.scope,
            "kind": memory.kind,
            "domain": memory.domain,
            "key": memory.key,
            "path": None,
            "deduplicated": written.deduplicated,
        },
    )


def _append(actor: Actor, note: Note) -> ToolResult:
    if note.scope not in {None, Scope.AGENT_NOTES}:
        raise BadInput(
            "Daily notes are shared, like agent_notes.",
            field="scope",
            remedy="Leave the scope out, or write without daily.",
        )
    if note.key or note.value is not None:
        raise BadInput("A daily note has no key.", field="key")
    agent = get_agent(note.agent)
    appended = daily.append(actor=actor, agent=agent, content=note.content)
    head = "It stands there already" if appended.deduplicated else "Appended"
    return ToolResult(
        text=f"{head}: {appended.path}.",
        data={
            "id": None,
            "scope": Scope.WORKSPACE.value,
            "agent": appended.agent,
            "path": appended.path,
            "date": appended.date.isoformat(),
            "deduplicated": appended.deduplicated,
        },
    )


def _narrowed(actor: Actor, schema: Schema) -> Schema:
    """Return the schema with only the scopes that the actor may write to."""
    scope = schema["properties"]["scope"]
    scopes = writable_scopes(actor)
    narrow = scope | {"enum": scopes, "default": scopes[0]}
    return schema | {"properties": schema["properties"] | {"scope": narrow}}


register(
    Tool(
        name=NAME,
        description="Remember something for later conversations. Use it when a person"
        " states a lasting fact, preference or decision, corrects you, or asks you to"
        " remember. Search first; do not store secrets or small talk.",
        example='{"content": "Deploys go out on Tuesdays.", "kind": "decision",'
        ' "domain": "deploy"}',
        arguments=Note,
        run=run,
        allowed=may_write,
        narrowed=_narrowed,
        reads_only=False,
    )
)
