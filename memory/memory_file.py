"""`Memory.md`, the curated memory of an agent: read, and changed by administrators."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from django.utils import timezone

from accounts.actors import Actor
from goclaw.lib.errors import BadInput, Conflict
from goclaw.lib.files import alone_in, free_path, replace_file
from memory import access
from memory.drafts import check_text, text_hash
from memory.models import Agent
from memory.workspace import Unreadable, read_text, sync_file
from memory.workspace_files import locate, root_of

NAMES = ("Memory.md", "MEMORY.md")
MAX_CHARS = 1_000_000
_STAMP = "%Y%m%dT%H%M%SZ"


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """The file as it is on disk; `version` is "" where there is none."""

    path: str
    text: str
    version: str


def load(agent: Agent) -> MemoryFile:
    """Return the curated file of an agent, an empty one where there is none.

    Raises BadInput for a file that is no text, or a link that leads elsewhere.
    """
    for name in NAMES:
        place = _place(agent, name)
        if not place.is_file():
            continue
        try:
            text = read_text(place)
        except Unreadable as error:
            raise BadInput(
                f"{name} cannot be edited: {error}.", code="unreadable_file"
            ) from None
        return MemoryFile(name, text, text_hash(text))
    return MemoryFile(NAMES[0], "", "")


def save(*, actor: Actor, agent: Agent, text: str, version: str) -> MemoryFile:
    """Write the file, if it is still the version that its author saw.

    Raises Forbidden, BadInput for text that cannot be stored, and Conflict when
    somebody else has changed the file meanwhile; nothing is changed then.
    """
    access.can_administrate(actor).require()
    check_text("text", text, limit=MAX_CHARS)
    root = root_of(agent)
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    with alone_in(root):
        found = load(agent)
        if found.version != version:
            raise Conflict(
                f"{found.path} has changed meanwhile.",
                code="version_conflict",
                remedy="Take over what is new, and save again.",
            )
        if text != found.text or not found.version:
            replace_file(_place(agent, found.path), text)
            sync_file(agent, found.path)
    return MemoryFile(found.path, text, text_hash(text))


def rewrite(*, agent: Agent, change: Callable[[str], str]) -> MemoryFile:
    """Write what `change` makes of the text as it is now, for our own jobs.

    Nobody writes in between. Raises BadInput for a file that is no text, or would be
    none, and leaves it as it was.
    """
    root = root_of(agent)
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    with alone_in(root):
        found = load(agent)
        text = change(found.text)
        check_text("text", text, limit=MAX_CHARS)
        if text != found.text:
            replace_file(_place(agent, found.path), text)
            sync_file(agent, found.path)
    return MemoryFile(found.path, text, text_hash(text))


def text_or_nothing(agent: Agent) -> str:
    """Return the text of the file; "" where there is none, or it is no text."""
    try:
        return load(agent).text
    except BadInput:
        return ""


def replace(*, agent: Agent, text: str) -> Path | None:
    """Put another text in the file's place, for our own jobs, whatever it is now.

    What was there is kept beside it, as `Memory.md.<time>.bak`, whose path is returned;
    None where there was nothing, or just this text. Raises BadInput for no text.
    """
    check_text("text", text, limit=MAX_CHARS)
    root = root_of(agent)
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    with alone_in(root):
        places = (_place(agent, name) for name in NAMES)
        place = next((place for place in places if place.is_file()), None)
        if place is None:
            place, saved = _place(agent, NAMES[0]), None
        elif place.read_bytes() == text.encode():
            return None
        else:
            saved = free_path(
                place.with_name(f"{place.name}.{timezone.now():{_STAMP}}.bak")
            )
            shutil.copy2(place, saved)
        replace_file(place, text)
        sync_file(agent, place.name)
    return saved


def _place(agent: Agent, name: str) -> Path:
    return locate(agent, name).location
