"""Add and remove files: judged first, bytes before rows, rows before bytes."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Any

from django.core.files import File
from django.db import transaction

from accounts import audit
from accounts.actors import Actor
from goclaw.lib.errors import BadInput, NotFound, TooLarge
from memory.access import can_set_tags, can_write
from memory.drafts import check_tags, check_text
from memory.models import Space
from memory.spaces import space_for
from wiki import access, documents, storing
from wiki.extracting import text_of
from wiki.filenames import display_name
from wiki.finding import find_page
from wiki.locking import hold_page
from wiki.models import MAX_DESCRIPTION, Attachment, Page
from wiki.sniffing import HEAD, Sniffed, sniff

MAX_PIXELS = 50_000_000
"""Of an image; a small file can say that it is huge, and whoever shows it pays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A file as it was sent. What it is, is looked up in its bytes."""

    file: "IO[bytes] | File[Any]"
    name: str
    description: str = ""
    tags: Sequence[str] = ()
    uid: uuid.UUID | None = None
    """Of a file that comes back from an export; one that is taken is an error."""


def attach(*, actor: Actor, slug: str, upload: Upload) -> Attachment:
    """Add a file to a page, for those who edit it.

    Raises NotFound, Forbidden, BadInput or TooLarge, and then keeps nothing.
    """
    page = find_page(actor, slug).page
    access.can_edit(actor, page.space).require()
    return _add(actor, upload, home=page.space, page=page)


def add_file(*, actor: Actor, scope: str, upload: Upload) -> Attachment:
    """Add a file that belongs to no page, for those who may write records there.

    Raises Forbidden, BadInput or TooLarge, and then keeps nothing.
    """
    space = space_for(actor, scope)
    can_write(actor, space).require()
    return _add(actor, upload, home=space, page=None)


def find_file(actor: Actor, uid: Any) -> Attachment:
    """Return a file the actor may read; raises NotFound, whatever the reason."""
    readable = Attachment.objects.readable_by(actor).filter(uid=uid).defer("text")
    found = readable.select_related("page__space", "space", "uploaded_by").first()
    if found is None:
        raise NotFound("There is no such file.")
    return found


def remove(*, actor: Actor, uid: Any) -> None:
    """Delete a file for good: row, record and bytes.

    Raises NotFound, or Forbidden for who may not change what it belongs to.
    """
    attachment = find_file(actor, uid)
    require_change(actor, attachment)
    with transaction.atomic():
        documents.leave([attachment])
        attachment.delete()
        transaction.on_commit(lambda: storing.discard(attachment.key))
        audit.record(
            "wiki.remove_file", actor=actor, target=str(uid), details=_place(attachment)
        )


def require_change(actor: Actor, attachment: Attachment) -> None:
    """Raise Forbidden for who may not change what a file belongs to."""
    if attachment.page is not None:
        access.can_edit(actor, attachment.page.space).require()
    else:
        can_write(actor, attachment.home).require()


def _place(attachment: Attachment) -> dict[str, str]:
    """Return where it was, for the audit log; nothing about personal files."""
    return {"page": attachment.page.slug} if attachment.page else {}


def _add(actor: Actor, upload: Upload, *, home: Space, page: Page | None) -> Attachment:
    check_text("description", upload.description, limit=MAX_DESCRIPTION)
    check_tags(upload.tags)
    can_set_tags(actor, home, upload.tags).require()
    sniffed = _sniffed(upload)
    text = text_of(upload.file, sniffed.media_type)
    stored = storing.store(upload.file)
    attachment = Attachment(
        uid=upload.uid or uuid.uuid4(),
        page=page,
        space=None if page else home,
        key=stored.key,
        name=display_name(upload.name),
        description=upload.description,
        tags=sorted(set(upload.tags)),
        media_type=sniffed.media_type,
        size=stored.size,
        sha256=stored.sha256,
        width=sniffed.width,
        height=sniffed.height,
        text=text,
        uploaded_by_id=actor.user_id,
    )
    with storing.undone_on_error(stored):
        prepared = documents.prepare(attachment)
        with transaction.atomic():
            _hold(attachment)
            attachment.save()
            documents.enter(attachment, prepared)
    return attachment


def _hold(attachment: Attachment) -> None:
    """See that the page is still there, and in which space, until all is written."""
    if attachment.page is None:
        return
    hold_page(attachment.page.pk)
    page = Page.objects.live().select_related("space").filter(pk=attachment.page.pk)
    attachment.page = page.first()
    if attachment.page is None:
        raise NotFound("There is no such page.", field="slug")


def _sniffed(upload: Upload) -> Sniffed:
    upload.file.seek(0)
    head = upload.file.read(HEAD)
    if not head:
        raise BadInput("The file is empty.", code="empty_file", field="file")
    sniffed = sniff(head)
    if sniffed.width * sniffed.height > MAX_PIXELS:
        raise TooLarge(
            f"The image has {sniffed.width} x {sniffed.height} pixels; at most"
            f" {MAX_PIXELS // 1_000_000} million are taken.",
            code="image_too_large",
            field="file",
        )
    return sniffed
