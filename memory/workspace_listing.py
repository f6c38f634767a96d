"""What an agent's folder holds, and how far the index knows of it."""

from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from accounts.actors import Actor
from memory.models import Agent, Memory
from memory.scopes import IndexState, Scope
from memory.workspace import Unreadable, read_text
from memory.workspace_files import Refused, WorkspaceFile, files_of

REFUSED, NEW, CHANGED, GONE = "refused", "new", "changed", "gone"
OUT_OF_STEP = frozenset({NEW, CHANGED, GONE})
"""The states of files for which a sync has something to do."""


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file with its state: one of the index (`indexed`, `pending`, `failed`), or
    `new` and `changed` since the last sync, `gone` from disk, `refused`.

    `record` is its searchable copy; `detail` says why it failed or was refused.
    """

    path: str
    state: str
    size: int | None = None
    modified: datetime | None = None
    record: UUID | None = None
    detail: str = ""


def list_files(actor: Actor, agent: Agent) -> list[ListedFile]:
    """Return the files of an agent in order of their paths."""
    copies = Memory.objects.readable_by(actor).live()
    rows = copies.filter(scope=Scope.WORKSPACE, agent=agent.slug).values_list(
        "source_key", "uid", "updated_at", "index_state", "index_error"
    )
    known = {row[0]: row[1:] for row in rows}
    listed = []
    for file in files_of(agent):
        copy = known.pop(file.path, None)
        if isinstance(file, Refused):
            listed.append(ListedFile(file.path, REFUSED, detail=file.reason))
            continue
        about = file.location.stat()
        modified = datetime.fromtimestamp(about.st_mtime, UTC)
        if copy is None:
            state, detail = _first_look(file)
            listed.append(
                ListedFile(file.path, state, about.st_size, modified, detail=detail)
            )
            continue
        uid, read_at, state, error = copy
        listed.append(
            ListedFile(
                file.path,
                CHANGED if modified > read_at else IndexState(state).value,
                about.st_size,
                modified,
                uid,
                error,
            )
        )
    listed += [ListedFile(path, GONE, record=copy[0]) for path, copy in known.items()]
    return sorted(listed, key=lambda file: file.path)


def _first_look(file: WorkspaceFile) -> tuple[str, str]:
    """Return the state of a file that has no copy, and why it cannot have one."""
    try:
        read_text(file.location)
    except Unreadable as error:
        return IndexState.FAILED.value, str(error)
    return NEW, ""
