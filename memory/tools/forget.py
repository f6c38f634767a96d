"""`memory_forget`: take a record out of search and prompt."""

from pydantic import Field

from accounts.actors import Actor
from memory import changes
from memory.citations import record_id
from memory.models.memories import RESTORABLE_FOR
from memory.spaces import may_write
from memory.tools.base import Arguments, Tool, ToolResult
from memory.tools.registry import register


class Which(Arguments):
    """One record."""

    id: str = Field(max_length=100, description="The id of a result of memory_search.")


def run(actor: Actor, which: Which) -> ToolResult:
    """Forget the record, restorable for 30 days."""
    memory = changes.forget(actor=actor, uid=record_id(which.id))
    return ToolResult(
        text=f"Forgotten: {memory.uid}. It can be restored for"
        f" {RESTORABLE_FOR.days} days.",
        data={"id": str(memory.uid), "forgotten": True},
    )


register(
    Tool(
        name="memory_forget",
        description="Forget one record. Use it when a person asks you to forget"
        " something, or says that a record is wrong and nothing replaces it. To correct"
        " a fact with a key, write the key again instead.",
        example='{"id": "0b6f2f8e-6d0c-4a53-9d3e-0a2f6b0a6e11"}',
        arguments=Which,
        run=run,
        allowed=may_write,
        reads_only=False,
    )
)
