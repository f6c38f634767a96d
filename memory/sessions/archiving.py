"""The archive files of a session: written so that no crash loses or doubles a turn."""

from collections.abc import Sequence
from datetime import date, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

from django.utils import timezone

from goclaw.lib.files import alone_in, replace_file
from memory.models import Agent, Message, Session
from memory.sessions import archives
from memory.sessions.archives import Archive
from memory.sessions.turns import Turn
from memory.workspace_files import root_of


def turn_of(message: Message) -> Turn:
    """Return a stored message as plain data."""
    return Turn(
        position=message.position,
        role=message.role,
        content=message.content,
        created_at=message.created_at,
        speaker=message.speaker.username if message.speaker else None,
        name=message.name,
        client_id=message.client_id,
        tool_name=message.tool_name,
        tool_call_id=message.tool_call_id,
        tool_calls=message.tool_calls,
        call_position=message.call_position,
    )


def files_of(session: Session) -> list[Path]:
    """Return the session's archive files, oldest first."""
    return sorted(_folder(session).glob(f"????-??-??-{session.uid}.md"))


def all_files(agent: Agent) -> list[Path]:
    """Return the archive files of every session of an agent, oldest first."""
    return sorted(_folder_of(agent).glob("????-??-??-*.md"))


def file_of(session: Session, day: date) -> Path:
    """Return where the turns are that were trimmed from that day on."""
    return _folder(session) / f"{day.isoformat()}-{session.uid}.md"


def day_of(path: Path) -> date:
    """Return the day in an archive file's name."""
    return date.fromisoformat(path.name[:10])


def read_text(path: Path) -> str:
    """Return the text of an archive file as it is."""
    with path.open(encoding="utf-8", newline="") as file:
        return file.read()


def load(session: Session) -> list[Turn]:
    """Return every archived turn in order. Raises archives.Damaged, or OSError."""
    turns = {
        turn.position: turn for path in files_of(session) for turn in _read(path).turns
    }
    return [turns[position] for position in sorted(turns)]


def store(session: Session, turns: Sequence[Turn]) -> None:
    """See to it that the turns are in the archive, and on the disk.

    Those that are there already stay as they are. The file is named by the day of the
    first turn, where the person is.
    """
    if not turns:
        return
    path = file_of(session, turns[0].created_at.astimezone(_zone(session)).date())
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with alone_in(path.parent):
        kept = {
            turn.position for file in files_of(session) for turn in _read(file).turns
        }
        new = [turn for turn in turns if turn.position not in kept]
        if not new:
            return
        old = _read(path).turns if path.exists() else []
        archive = Archive(
            session=str(session.uid),
            agent=session.agent.slug,
            kind=session.kind,
            participants=sorted(
                session.participants.values_list("username", flat=True)
            ),
            turns=[*old, *new],
        )
        replace_file(path, archives.to_text(archive))


def _read(path: Path) -> Archive:
    return archives.from_text(read_text(path))


def _folder(session: Session) -> Path:
    return _folder_of(session.agent)


def _folder_of(agent: Agent) -> Path:
    return root_of(agent) / "memory" / "archive"


def _zone(session: Session) -> tzinfo:
    """Return the zone of a direct conversation's person, else the configured one."""
    if session.person is None:
        return timezone.get_default_timezone()
    return ZoneInfo(session.person.timezone)
