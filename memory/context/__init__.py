"""The prompt's memory: `assemble(actor=…, query=…)` is the one door."""

from accounts.actors import Actor
from memory.context import loading
from memory.context.assembling import (
    SESSION_SHARE,
    Fitted,
    Row,
    fit_message,
    fit_session,
)
from memory.context.blocks import Part
from memory.context.registry import Shown, offers
from memory.context.roles import message_role
from memory.context.sections import SECTIONS, memory_file_content
from memory.context.types import Context, ContextQuery, Extras, Report

__all__ = [
    "SECTIONS",
    "Context",
    "ContextQuery",
    "Extras",
    "Fitted",
    "Report",
    "Row",
    "assemble",
    "memory_file_content",
]


def assemble(
    *, actor: Actor, query: ContextQuery, hide_personal: bool = False
) -> Context:
    """Return the memory for a turn of the actor's conversation.

    The session part is made before anything is looked up for the message, so no
    message can change it. With `hide_personal` personal texts are replaced by their
    count and size: that is for the eyes of others than their owner.

    Raises NotFound for an agent or a session that is not there for the actor.
    """
    asked = loading.asked(actor, query)
    budget = asked.config.budget_chars
    if query.budget_chars is not None:
        budget = query.budget_chars
    session = fit_session(list(offers(Part.SESSION, asked, Shown())), budget)
    shown = Shown.of(session.offers)
    message = fit_message(list(offers(Part.MESSAGE, asked, shown)), budget, session)
    return Context(
        session=session.text(hidden=hide_personal),
        message=message.text(hidden=hide_personal),
        message_role=message_role(query.model, asked.config.roles),
        report=Report(
            budget=budget,
            session_share=int(budget * SESSION_SHARE),
            session_used=session.used,
            message_used=message.used,
            sections=session.rows + message.rows,
        ),
    )
