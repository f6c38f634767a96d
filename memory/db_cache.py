"""Schema notes of data sources: one mirrored record for each object."""

from django.utils import timezone

from accounts.actors import Actor
from goclaw.lib.errors import BadInput, NotFound
from memory import access
from memory.drafts import FORM_OF_NAMES, check_content, check_text
from memory.mirrors import remove_documents, sync_document
from memory.models import Memory, Space
from memory.scopes import DOMAIN, Kind, Origin, Scope
from memory.spaces import space_for


def put_note(*, actor: Actor, source: str, object_name: str, content: str) -> Memory:
    """Set what is known of an object of a source; raises Forbidden or BadInput."""
    space, key = _place(actor, source, object_name)
    check_content(content)
    return sync_document(
        space=space,
        agent="",
        source_key=key,
        title=key,
        content=content,
        kind=Kind.DOCUMENT,
        observed_at=timezone.now(),
        origin=Origin.AGENT,
    )


def forget_note(*, actor: Actor, source: str, object_name: str) -> None:
    """Delete what was known of an object; raises Forbidden or NotFound."""
    space, key = _place(actor, source, object_name)
    notes = list(Memory.objects.filter(space=space, source_key=key))
    if not notes:
        raise NotFound("There is no such note.")
    remove_documents(notes)


def _place(actor: Actor, source: str, object_name: str) -> tuple[Space, str]:
    space = space_for(actor, Scope.DB_CACHE)
    access.can_write(actor, space).require()
    if not DOMAIN.fullmatch(source):
        raise BadInput(
            f"Malformed source {source!r}.",
            field="source",
            remedy=FORM_OF_NAMES,
        )
    check_text("object", object_name, limit=400)
    return space, f"{source}/{object_name}"
