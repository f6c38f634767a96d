"""`memory_feedback`: say whether a hit was useful."""

from typing import Annotated

from pydantic import Field

from accounts.actors import Actor
from memory import feedback
from memory.citations import record_id
from memory.models import Feedback
from memory.tools.base import Arguments, Tool, ToolResult
from memory.tools.registry import register
from memory.tools.words import listed, one_of


class Opinion(Arguments):
    """What to say of which record."""

    id: str = Field(max_length=100, description="The id of a result of memory_search.")
    feedback: Annotated[str, one_of(Feedback), listed(Feedback)] = Field(
        description="useful: it helped to answer. wrong: it is false or off the point."
    )


def run(actor: Actor, opinion: Opinion) -> ToolResult:
    """Note it in the recall log."""
    memory = feedback.give(
        actor=actor, uid=record_id(opinion.id), feedback=opinion.feedback
    )
    return ToolResult(
        text=f"Noted: {memory.uid} was {opinion.feedback}.",
        data={"id": str(memory.uid), "feedback": opinion.feedback},
    )


register(
    Tool(
        name="memory_feedback",
        description="Say whether a result of memory_search was useful or wrong. Use it"
        " after you have answered with the help of a result, or found that it misled"
        " you. It only counts in statistics; to correct or remove the record use"
        " memory_write or memory_forget.",
        example='{"id": "0b6f2f8e-6d0c-4a53-9d3e-0a2f6b0a6e11", "feedback": "useful"}',
        arguments=Opinion,
        run=run,
        reads_only=False,
    )
)
