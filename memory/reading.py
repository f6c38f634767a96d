"""Read a part of a workspace file or of a record, by path or id and lines."""

from dataclasses import dataclass
from uuid import UUID

from accounts.actors import Actor
from goclaw.lib.errors import NotFound
from memory.models import Agent, Memory
from memory.scopes import Scope
from memory.workspace import Unreadable, get_agent, read_text
from memory.workspace_files import locate


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Lines of a text; `missing` for a file that is not there, with an empty text.

    `line_start` and `line_end` count from 1; both are 0 when there are no lines.
    """

    text: str
    line_start: int
    line_end: int
    total_lines: int
    path: str | None = None
    memory: Memory | None = None
    missing: bool = False


def read(
    actor: Actor,
    *,
    uid: UUID | None = None,
    path: str = "",
    agent: str | None = None,
    start: int,
    count: int | None,
) -> Passage:
    """Return lines of the record of an id, else of what lies at the path.

    That is a page of the wiki, if no agent is named and there is one, or a file of the
    agent's workspace. Raises NotFound or BadInput.
    """
    if uid is not None:
        return read_record(actor, uid, start=start, count=count)
    if agent is None:
        page = read_page(actor, path, start=start, count=count)
        if page is not None:
            return page
    return read_file(get_agent(agent), path, start=start, count=count)


def read_file(agent: Agent, path: str, *, start: int, count: int | None) -> Passage:
    """Return lines of a workspace file as it is on disk now.

    Raises BadInput for a path that is refused or a file that is no text.
    """
    file = locate(agent, path)
    if not file.location.is_file():
        return Passage(
            text="", line_start=0, line_end=0, total_lines=0, path=path, missing=True
        )
    try:
        text = read_text(file.location)
    except Unreadable as error:
        raise NotFound(
            f"{path}: {error}.", code="unreadable_file", field="path"
        ) from None
    return _passage(text, start, count, path=file.path)


def read_record(actor: Actor, uid: UUID, *, start: int, count: int | None) -> Passage:
    """Return lines of a live record the actor may read; raises NotFound."""
    memory = Memory.objects.readable_by(actor).live().filter(uid=uid).first()
    if memory is None:
        raise NotFound("There is no such record.", field="id")
    path = memory.source_key or None
    return _passage(memory.content, start, count, path=path, memory=memory)


def read_page(
    actor: Actor, path: str, *, start: int, count: int | None
) -> Passage | None:
    """Return lines of a page of the wiki by its slug, None where there is none.

    No slug has a dot and every file has one, so a path means one or the other.
    """
    copies = Memory.objects.readable_by(actor).live().mirrors()
    pages = copies.filter(scope__in=(Scope.WIKI, Scope.WIKIJS))
    memory = pages.filter(agent="", source_key=path).first()
    if memory is None:
        return None
    return _passage(memory.content, start, count, path=path, memory=memory)


def _passage(
    text: str,
    start: int,
    count: int | None,
    *,
    path: str | None,
    memory: Memory | None = None,
) -> Passage:
    # Lines end at "\n" only, as in the line ranges of chunks.
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    stop = len(lines) if count is None else start - 1 + count
    chosen = lines[start - 1 : stop]
    return Passage(
        text="\n".join(chosen),
        line_start=start if chosen else 0,
        line_end=start + len(chosen) - 1 if chosen else 0,
        total_lines=len(lines),
        path=path,
        memory=memory,
    )
