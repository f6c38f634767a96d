"""`Memory.md`, the curated memory of an agent: read, and changed by administrators."""

from dataclasses import dataclass
from pathlib import Path

from accounts.actors import Actor
from goclaw.lib.errors import BadInput, Conflict
from goclaw.lib.files import alone_in, replace_file
from memory import access
from memory.drafts import check_text, text_hash
from memory.models import Agent
from memory.workspace import Unreadable, read_text, sync_file
from memory.workspace_files import locate, root_of

NAMES = ("Memory.md", "MEMORY.md")
MAX_CHARS = 1_000_000


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


def _place(agent: Agent, name: str) -> Path:
    return locate(agent, name).location
