"""Copies of workspace files and archives, against the files on disk."""

from collections.abc import Iterator

from memory import mirrors
from memory.checking.registry import Check, register
from memory.models import Agent, Memory, Session
from memory.scopes import Scope
from memory.sessions import archives, archiving
from memory.workspace_files import files_of


def _dead_mirrors() -> list[Memory]:
    """Return the copies of files that are gone, or of agents that are."""
    there = {
        (agent.slug, file.path)
        for agent in Agent.objects.all()
        for file in files_of(agent)
    }
    copies = Memory.objects.filter(scope=Scope.WORKSPACE).exclude(source_key="")
    return [
        memory
        for memory in copies.only("pk", "agent", "source_key", "title", "uid")
        if (memory.agent, memory.source_key) not in there
    ]


def _bad_archives() -> Iterator[str]:
    """Yield the conversations whose trimmed turns are not all in readable archives."""
    trimmed = Session.objects.filter(trimmed_to__gt=0).select_related("agent")
    for session in trimmed.iterator(chunk_size=200):
        try:
            positions = {turn.position for turn in archiving.load(session)}
        except (OSError, archives.Damaged) as error:
            yield f"{session.uid}: {error}"
            continue
        missing = session.trimmed_to - len(
            positions & set(range(1, session.trimmed_to + 1))
        )
        if missing:
            yield f"{session.uid}: {missing} turns are missing"


register(
    Check(
        name="workspace-copies",
        problem="copies of workspace files that are gone",
        find=_dead_mirrors,
        repair=lambda: mirrors.remove_documents(_dead_mirrors()),
    )
)
register(
    Check(
        name="archives",
        problem="conversations whose archive is not whole",
        find=_bad_archives,
        advice="Put the files of memory/archive/ back from a backup.",
    )
)
