"""What a rule answers, and the rules that look at nobody but the actor."""

from dataclasses import dataclass

from accounts.actors import Actor
from accounts.kinds import Conversation, RunKind
from goclaw.lib.errors import Forbidden


@dataclass(frozen=True, slots=True)
class Verdict:
    """Yes, or no with a reason and a remedy."""

    allowed: bool
    reason: str = ""
    remedy: str = ""

    def __bool__(self) -> bool:
        return self.allowed

    def require(self) -> None:
        """Raise `Forbidden` with the reason and the remedy, unless it is a yes."""
        if not self.allowed:
            raise Forbidden(self.reason, remedy=self.remedy or None)


YES = Verdict(allowed=True)


def can_administrate(actor: Actor) -> Verdict:
    """Judge whether the actor is an administrator at work, or the system itself.

    Autonomous runs work on outside input, and a shared conversation has other readers:
    they get nothing of what only administrators see and do, whoever they act for.
    """
    alone = actor.conversation is Conversation.DIRECT
    at_work = actor.is_admin and alone and not actor.is_autonomous
    if at_work or actor.run is RunKind.SYSTEM:
        return YES
    return Verdict(
        allowed=False,
        reason="Only administrators may do that, in the browser or in a direct"
        " conversation.",
        remedy="Ask an administrator.",
    )


def can_append(actor: Actor) -> Verdict:
    """Judge whether the actor may open sessions and append to those it reads."""
    if actor.key_id is not None and actor.run is RunKind.CHAT:
        return YES
    if actor.is_autonomous:
        return Verdict(
            allowed=False,
            reason="Autonomous runs have no part in anybody's conversation.",
            remedy="Write what is worth keeping to agent_notes.",
        )
    return Verdict(
        allowed=False,
        reason="Messages come from a gateway, by its key.",
        remedy="Send them with an API key that acts for a participant.",
    )


def can_teach(actor: Actor) -> Verdict:
    """Judge whether anything is learned from what is said to the actor's agent."""
    if actor.user_id is not None and actor.run in {RunKind.HUMAN, RunKind.CHAT}:
        return YES
    return Verdict(
        allowed=False,
        reason="Nothing is learned from autonomous runs: no person speaks in them.",
        remedy="Write what is worth keeping to agent_notes.",
    )


def can_command(actor: Actor, scope: str, *, confirmed: bool) -> Verdict:
    """Judge whether a message of the actor may write to the scope by its prefix.

    Being listed is not enough: a prefix is easily said, or put into somebody's mouth.
    """
    if not actor.is_admin or actor.is_autonomous:
        return Verdict(
            allowed=False,
            reason=f"Only administrators write to {scope} by a prefix.",
            remedy="Say it without the prefix, or ask an administrator.",
        )
    if not confirmed:
        return Verdict(
            allowed=False,
            reason="It is not certain who speaks in this session.",
            remedy="Confirm the session first.",
        )
    return YES


def can_consolidate(actor: Actor) -> Verdict:
    """Judge whether the actor may have old notes taken into `Memory.md`.

    Webhooks bring text from outside, and must not decide what everybody's prompt says.
    """
    if actor.run in {RunKind.SOP, RunKind.CRON}:
        return YES
    verdict = can_administrate(actor)
    if verdict:
        return YES
    return Verdict(
        allowed=False,
        reason="Only administrators, and sop and cron runs, consolidate memory.",
        remedy=verdict.remedy,
    )


def can_purge(actor: Actor) -> Verdict:
    """Judge whether the actor may delete at once what can still be restored."""
    if can_administrate(actor):
        return YES
    return Verdict(
        allowed=False,
        reason="Only administrators purge at once.",
        remedy="Forget it; after 30 days a job purges it.",
    )
