"""The searchable record of each file: name, description, tags and text."""

from collections.abc import Iterable, Iterator, Sequence

from memory import entries, mirrors
from memory.models import Memory, Space
from memory.models.ids import among
from memory.scopes import Kind, Origin, Scope
from memory.tagging import set_tags
from wiki.models import Attachment, Page


def source_key(attachment: Attachment) -> str:
    """Return the key of the record; with its first slash it is no page's slug."""
    return f"/media/{attachment.uid}"


def prepare(attachment: Attachment) -> entries.Prepared:
    """Analyse what can be found: slow, and no business of a transaction."""
    return entries.prepare(attachment.name, _content(attachment))


def enter(attachment: Attachment, prepared: entries.Prepared) -> None:
    """Make the record of a file, in the caller's transaction."""
    space = attachment.home
    memory = mirrors.sync_document(
        space=space,
        agent="",
        source_key=source_key(attachment),
        title=attachment.name,
        content=_content(attachment),
        kind=Kind.DOCUMENT,
        observed_at=attachment.created_at,
        origin=Origin.WIKI if space.kind == Scope.WIKI else Origin.AGENT,
        prepared=prepared,
    )
    set_tags(memory, attachment.tags, present=frozenset(memory.tag_names()))
    if attachment.memory_id != memory.pk:
        attachment.memory = memory
        attachment.save(update_fields=["memory"])


def leave(attachments: Iterable[Attachment]) -> None:
    """Take the records of files out of the search, in the caller's transaction."""
    memories = [a.memory for a in attachments if a.memory]
    if memories:
        mirrors.remove_documents(memories)


def page_leaves(page: Page) -> None:
    """Take the files of a page along when it goes to the trash."""
    leave(Attachment.objects.filter(page=page).select_related("memory"))


def page_enters(page: Page) -> None:
    """Bring the files of a page along when it comes back."""
    for attachment in Attachment.objects.filter(page=page, memory=None):
        attachment.page = page
        enter(attachment, prepare(attachment))


def following(pages: Sequence[Page]) -> Iterator[tuple[Memory, str, Space]]:
    """Yield the records of the pages' files, with keys and the spaces they move to."""
    spaces = {page.pk: page.space for page in pages}
    found = Attachment.objects.filter(page__in=among(spaces), memory__isnull=False)
    for attachment in found.select_related("memory").defer("text"):
        if attachment.memory and attachment.page_id:
            space = spaces[attachment.page_id]
            yield attachment.memory, source_key(attachment), space


def _content(attachment: Attachment) -> str:
    about = [attachment.name, attachment.description, " ".join(attachment.tags)]
    return "\n\n".join(part for part in (*about, attachment.text) if part)
