"""Daily notes: one file a day, to which the service appends for everybody."""

from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from django.utils import timezone

from accounts.actors import Actor
from goclaw.lib.errors import Conflict, TooLarge
from goclaw.lib.files import alone_in, replace_file
from memory import access
from memory.drafts import check_content
from memory.models import Agent
from memory.scopes import Scope
from memory.spaces import space_for
from memory.workspace import Unreadable, read_text, sync_file
from memory.workspace_files import MAX_FILE_BYTES, locate


@dataclass(frozen=True, slots=True)
class Appended:
    """Where a note stands; `deduplicated` when it stood there already."""

    agent: str
    path: str
    date: date
    deduplicated: bool


def append(*, actor: Actor, agent: Agent, content: str) -> Appended:
    """Append a text to today's note of an agent, today where the person is.

    A text that stands there already, line by line, is not appended again. Writers take
    turns, and each finds the file as the one before has left it, or not at all.

    Raises BadInput or TooLarge for the text, Forbidden, and Conflict for a file that is
    no text.
    """
    check_content(content)
    space = space_for(actor, Scope.AGENT_NOTES)
    access.can_write_daily_notes(actor, space).require()
    today = timezone.now().astimezone(ZoneInfo(actor.timezone)).date()
    file = locate(agent, f"memory/{today:%Y-%m-%d}.md")
    folder = file.location.parent
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with alone_in(folder):
        before = _text_of(file.path, agent)
        after = appended(before, content, title=f"{today:%Y-%m-%d}")
        if after != before:
            if len(after.encode()) > MAX_FILE_BYTES:
                raise TooLarge(
                    f"{file.path} would be larger than {MAX_FILE_BYTES // 1024**2} MB.",
                    field="content",
                    remedy="Write it to a file of its own.",
                )
            replace_file(file.location, after)
            sync_file(agent, file.path)
    return Appended(agent.slug, file.path, today, deduplicated=after == before)


def appended(text: str, note: str, *, title: str) -> str:
    """Return the text with the note at its end, as it is if it has the note. Pure.

    A new text begins with the title as its heading; a blank line parts the notes.
    """
    note = note.strip("\r\n")
    if f"\n{note}\n" in f"\n{text}\n":
        return text
    if not text:
        return f"# {title}\n\n{note}\n"
    return f"{text.rstrip(chr(10))}\n\n{note}\n"


def _text_of(path: str, agent: Agent) -> str:
    file = locate(agent, path)
    if not file.location.exists():
        return ""
    try:
        return read_text(file.location)
    except Unreadable as error:
        raise Conflict(
            f"{path} cannot be appended to: {error}.",
            code="unreadable_file",
            remedy="Somebody with access to the server can repair or move it.",
        ) from None
