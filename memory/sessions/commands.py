"""`@notes:` and `@config:` at the start of an administrator's message: a write by chat.

From anybody else they are refused, and the message with them: its text is not stored.
"""

from accounts.actors import Actor, Conversation, actor_for_turn
from accounts.models import User
from goclaw.lib.errors import BadInput, GoClawError
from memory import access, records
from memory.drafts import Draft
from memory.lifecycle.learning import learn
from memory.lifecycle.transcripts import is_command
from memory.models import Message, Role, Session
from memory.scopes import Kind, Scope

SCOPES = {"@notes:": Scope.AGENT_NOTES, "@config:": Scope.AGENT_CONFIG}


def obey(*, actor: Actor, session: Session, places: dict[int, int]) -> None:
    """Write what new messages command, in the transaction that stores them.

    `places` has the messages' positions, and where they are in the request.
    Raises Forbidden or BadInput, which takes back the whole request.
    """
    rows = session.messages.filter(position__in=places, role=Role.USER)
    for message in rows.order_by("position"):
        if not is_command(message.content):
            continue
        try:
            _obey(actor, session, message)
        except GoClawError as error:
            error.field = f"messages.{places[message.position]}.content"
            raise


def _obey(actor: Actor, session: Session, message: Message) -> None:
    speaker = _speaker(actor, session, message.speaker_id)
    scope, text = _parted(message.content)
    access.can_command(speaker, scope, confirmed=session.confirmed).require()
    said_in = {"session": str(session.uid), "message": str(message.position)}
    if scope == Scope.AGENT_NOTES:
        draft = Draft(scope=scope, content=text, kind=Kind.FACT)
        learn(actor=speaker, draft=draft, **said_in)
    else:
        draft = Draft(scope=scope, content=text, kind=Kind.CONFIG)
        records.write(actor=speaker, draft=draft, **said_in)


def _parted(content: str) -> tuple[Scope, str]:
    """Return the scope of a command, and the text that is to be written."""
    text = content.lstrip()
    prefix = next(name for name in SCOPES if text.lower().startswith(name))
    return SCOPES[prefix], text[len(prefix) :].strip()


def _speaker(actor: Actor, session: Session, speaker_id: int | None) -> Actor:
    """Return the actor of who gives a command, which must be known."""
    if speaker_id is None:
        raise BadInput("It is not known who says this.", remedy="Name the speaker.")
    if speaker_id == actor.user_id:
        return actor
    user = User.objects.get(pk=speaker_id)
    return actor_for_turn(user, conversation=Conversation(session.kind))
