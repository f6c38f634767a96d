"""Keep the records of scope `workspace` in step with the agents' files on disk."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from django.db import IntegrityError, transaction
from django.utils import timezone

from goclaw.lib.errors import BadInput, NotFound
from memory import mirrors
from memory.drafts import text_hash
from memory.models import Agent, Memory, Space
from memory.scopes import SLUG, Kind, Origin, Scope
from memory.workspace_files import (
    MAX_FILE_BYTES,
    Refused,
    WorkspaceFile,
    agent_folders,
    date_of,
    files_of,
    locate,
    root_of,
)

DEFAULT_AGENT = "default"

_TITLE = re.compile(r"^# +(.+?)[ #]*$", re.MULTILINE)


@dataclass(slots=True)
class SyncResult:
    """What a sync of one agent's folder did, as counts; failures by path."""

    agent: str
    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    failed: list[Refused] = field(default_factory=list)


class Unreadable(Exception):
    """A file that cannot be taken as text; the message says why."""


def get_agent(slug: str | None) -> Agent:
    """Return an agent, the default one for None; a folder of that name makes one.

    Raises BadInput for a malformed slug and NotFound where there is no such folder.
    """
    if not slug or slug == DEFAULT_AGENT:
        return _ensure(DEFAULT_AGENT, default=True)
    if not SLUG.fullmatch(slug):
        raise BadInput(f"Malformed agent {slug!r}.", field="agent")
    agent = Agent.objects.filter(slug=slug).first()
    if agent is None and slug in agent_folders():
        agent = _ensure(slug, default=False)
    if agent is None:
        raise NotFound(
            f"There is no agent {slug}.",
            field="agent",
            remedy=f"Make the folder agents/{slug}/workspace in the state directory.",
        )
    return agent


def all_agents() -> list[Agent]:
    """Return the known agents, and those whose folders are new."""
    for slug in (DEFAULT_AGENT, *agent_folders()):
        get_agent(slug)
    return list(Agent.objects.all())


def sync(agent: Agent, *, force: bool = False) -> SyncResult:
    """Read the folder and bring the records in step; vectors follow from the queue.

    `force` indexes unchanged files anew as well. A file that fails is reported, keeps
    what was known of it, and the rest goes on.
    """
    space = Space.objects.get(kind=Scope.WORKSPACE, path="")
    mirrored = Memory.objects.filter(space=space, agent=agent.slug)
    known = dict(mirrored.values_list("source_key", "text_hash"))
    result = SyncResult(agent.slug)
    kept = set()
    for file in files_of(agent):
        kept.add(file.path)
        if isinstance(file, Refused):
            result.failed.append(file)
            continue
        try:
            content = read_text(file.location)
        except Unreadable as error:
            result.failed.append(Refused(file.path, str(error)))
            continue
        if known.get(file.path) == text_hash(content) and not force:
            result.unchanged += 1
            continue
        _mirror(space, agent, file, content)
        if file.path in known:
            result.changed += 1
        else:
            result.added += 1
    gone = mirrored.filter(source_key__in=known.keys() - kept)
    result.removed = gone.count()
    mirrors.remove_documents(gone)
    Agent.objects.filter(pk=agent.pk).update(synced_at=timezone.now())
    return result


def sync_file(agent: Agent, path: str) -> None:
    """Bring the record of one file in step, after our own tools have written it.

    Raises Unreadable for a file that cannot be taken.
    """
    space = Space.objects.get(kind=Scope.WORKSPACE, path="")
    file = locate(agent, path)
    _mirror(space, agent, file, read_text(file.location))


def read_text(location: Path) -> str:
    """Return the text of a file as it is, newlines included."""
    try:
        if location.stat().st_size > MAX_FILE_BYTES:
            raise Unreadable(f"larger than {MAX_FILE_BYTES // 1024**2} MB")
        text = location.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        raise Unreadable("not UTF-8 text") from None
    except OSError as error:
        raise Unreadable(error.strerror or "cannot be read") from None
    if "\0" in text:
        raise Unreadable("has NUL characters")
    return text


def _mirror(space: Space, agent: Agent, file: WorkspaceFile, content: str) -> None:
    observed_at, dated = date_of(file.path, file.location)
    mirrors.sync_document(
        space=space,
        agent=agent.slug,
        source_key=file.path,
        title=_title(file.path, content),
        content=content,
        kind=Kind.NOTE if dated else Kind.DOCUMENT,
        observed_at=observed_at,
        origin=Origin.WORKSPACE,
    )


def _title(path: str, content: str) -> str:
    heading = _TITLE.search(content, 0, 2000)
    return (heading[1] if heading else path)[:300]


def _ensure(slug: str, *, default: bool) -> Agent:
    agent = Agent.objects.filter(slug=slug).first()
    if agent is None:
        try:
            with transaction.atomic():
                agent = Agent.objects.create(slug=slug, default=default)
        except IntegrityError:  # somebody was quicker
            agent = Agent.objects.get(slug=slug)
        root_of(agent).mkdir(mode=0o700, parents=True, exist_ok=True)
    return agent
