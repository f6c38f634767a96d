"""Copy the SQLite database while it is in use, and keep copies before destruction."""

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import connection

from goclaw.lib.config import backup_config
from goclaw.lib.errors import Conflict, Unavailable
from goclaw.lib.files import free_path

PREFIX = "gc_state_"
FILES = ".files"
"""What a copy's folder of files is called after its name."""


@dataclass(frozen=True, slots=True)
class SafetyCopy:
    """The database as it was, and when the copy is deleted by itself."""

    path: Path
    deleted_at: datetime


def backups_folder() -> Path:
    """Return where copies are kept."""
    return Path(settings.GOCLAW_STATE_DIR) / "backups"


def database_file() -> Path | None:
    """Return the file of the database, None where it is a server's."""
    if connection.vendor != "sqlite":
        return None
    return Path(connection.settings_dict["NAME"])


def copy_database(source: Path, target: Path) -> None:
    """Copy a database as it is at one moment, private, complete or not at all.

    By SQLite's online backup in one step: writers go on beside it.
    """
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    draft.touch(mode=0o600)
    try:
        with (
            contextlib.closing(sqlite3.connect(source, timeout=20)) as old,
            contextlib.closing(sqlite3.connect(draft)) as new,
        ):
            old.backup(new)
        draft.replace(target)
    except (OSError, sqlite3.Error) as error:
        raise Unavailable(
            f"The database cannot be copied: {error}.",
            code="backup_failed",
            remedy=f"Is there enough room in {target.parent}?",
        ) from error
    finally:
        draft.unlink(missing_ok=True)


def safety_copy(*, backed_up: bool, files: Iterable[Path] = ()) -> SafetyCopy | None:
    """Copy the database before something is destroyed, and the files that will go.

    Where the database is a server's, its operator has to have made the copy: returns
    None when `backed_up` says so, raises Conflict (`backup_needed`) when not.
    """
    database = database_file()
    if database is None:
        if backed_up:
            return None
        raise Conflict(
            "This database cannot be copied from here.",
            code="backup_needed",
            field="backed_up",
            remedy="Make a copy with pg_dump, and say so: backed_up, or --backed-up.",
        )
    now = datetime.now(UTC)
    folder = backups_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    target = free_path(folder / f"{PREFIX}{stamp(now)}.sqlite")
    copy_database(database, target)
    for path in files:
        _keep_file(path, target.with_name(target.name + FILES))
    return SafetyCopy(target, now + timedelta(days=backup_config().safety_days))


def drop_old_copies() -> int:
    """Delete the safety copies that are past their time; return how many.

    What a process was writing when it was killed goes as well, a day later.
    """
    now, folder = datetime.now(UTC), backups_folder()
    for path in _older(folder.glob(".*.part"), now - timedelta(days=1)):
        path.unlink()
    oldest = now - timedelta(days=backup_config().safety_days)
    old = _older(folder.glob(f"{PREFIX}*.sqlite"), oldest)
    for path in old:
        shutil.rmtree(path.with_name(path.name + FILES), ignore_errors=True)
        path.unlink()
    return len(old)


def stamp(now: datetime) -> str:
    """Return a time as it stands in names of files."""
    return f"{now:%Y%m%dT%H%M%SZ}"


def _older(paths: Iterable[Path], than: datetime) -> list[Path]:
    return [path for path in paths if path.stat().st_mtime <= than.timestamp()]


def _keep_file(path: Path, folder: Path) -> None:
    """Copy a file of the state directory to the same place below the folder."""
    inside = path.resolve().relative_to(Path(settings.GOCLAW_STATE_DIR).resolve())
    target = folder / inside
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(FileNotFoundError):
        shutil.copy2(path, target)
