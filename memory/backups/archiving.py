"""Backups: the databases and all files of the state directory in one archive."""

import io
import json
import os
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import IO

from django.conf import settings

from goclaw.lib.errors import Unavailable
from memory.backups.copying import (
    backups_folder,
    copy_database,
    database_file,
    stamp,
)

FORMAT = 1
PREFIX = "goclaw_"
SUFFIX = ".tar.gz"
FOLDERS = ("media", "workspace", "agents")
CREDENTIALS = "credentials"
DATABASE = "gc_state.sqlite"
OTHER_DATABASES = ("kg.sqlite",)
MANIFEST = "manifest.json"
_AT_ONCE = 1024 * 1024
"""Bytes of a file that is read whole, so that it may change meanwhile."""

Seen = Callable[[int, str], None]


@dataclass(frozen=True, slots=True)
class Backup:
    """An archive that was made."""

    path: Path
    files: int
    has_database: bool
    """False where the database is a server's, which its own tools have to save."""

    @property
    def size(self) -> int:
        """Return its bytes."""
        return self.path.stat().st_size


def make_backup(
    *,
    folder: Path | None = None,
    keep: int | None = None,
    credentials: bool = False,
    label: str = "",
    seen: Seen = lambda done, name: None,
) -> Backup:
    """Save the state to an archive in the folder, complete or not at all.

    With `keep` the oldest archives above that number go. `seen` is told of each file,
    of large ones again and again; what it raises ends the backup, and nothing stays.
    Raises Unavailable when it cannot be written.
    """
    folder = folder or backups_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    now = datetime.now(UTC)
    path = folder / f"{PREFIX}{stamp(now)}{label}{SUFFIX}"
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        draft.touch(mode=0o600)
        with tarfile.open(draft, "w:gz", compresslevel=1) as archive:
            files = _fill(archive, now, credentials, seen)
        draft.replace(path)
    except OSError as error:
        raise Unavailable(
            f"The backup cannot be written: {error}.",
            code="backup_failed",
            remedy=f"Is there enough room in {folder}?",
        ) from error
    finally:
        draft.unlink(missing_ok=True)
    if keep is not None:
        for old in list_backups(folder)[keep:]:
            old.unlink()
    return Backup(path, files, has_database=database_file() is not None)


def list_backups(folder: Path | None = None) -> list[Path]:
    """Return the archives of a folder, the newest first."""
    found = (folder or backups_folder()).glob(f"{PREFIX}*{SUFFIX}")
    return sorted(found, reverse=True)


def _fill(
    archive: tarfile.TarFile, now: datetime, credentials: bool, seen: Seen
) -> int:
    state = Path(settings.GOCLAW_STATE_DIR)
    database = database_file()
    manifest = {
        "format": FORMAT,
        "made_at": now.isoformat(),
        "database": "sqlite" if database else "elsewhere",
        "credentials": credentials,
    }
    _add_text(archive, MANIFEST, json.dumps(manifest, indent=1), now)
    files = 0
    # Databases before files: a file that comes meanwhile is one too many, not too few.
    for name, source in _databases(state, database):
        with tempfile.TemporaryDirectory(dir=backups_folder()) as aside:
            copy = Path(aside) / name
            copy_database(source, copy)
            files += _add(archive, copy, name, seen=partial(seen, files, name))
    folders = (*FOLDERS, CREDENTIALS) if credentials else FOLDERS
    for path in _files(state, folders):
        name = path.relative_to(state).as_posix()
        files += _add(archive, path, name, seen=partial(seen, files, path.name))
    return files


def _databases(state: Path, database: Path | None) -> Iterator[tuple[str, Path]]:
    if database is not None and database.exists():
        yield DATABASE, database
    for name in OTHER_DATABASES:
        if (state / name).exists():
            yield name, state / name


def _files(state: Path, folders: tuple[str, ...]) -> Iterator[Path]:
    for folder in folders:
        for path in sorted((state / folder).rglob("*")):
            if path.is_symlink() or path.is_file():
                yield path


def _add(
    archive: tarfile.TarFile, path: Path, name: str, *, seen: Callable[[], None]
) -> int:
    """Add a file as it is now; return 0 when it has gone meanwhile."""
    seen()
    try:
        entry = archive.gettarinfo(path, name)
        if not entry.isreg():
            archive.addfile(entry)
            return 1
        with path.open("rb") as file:
            if entry.size > _AT_ONCE:
                archive.addfile(entry, _Watched(file, seen))
                return 1
            content = file.read()
    except FileNotFoundError:
        return 0
    entry.size = len(content)
    archive.addfile(entry, io.BytesIO(content))
    return 1


class _Watched(io.RawIOBase):
    """A large file, of which somebody is told again and again while it is read."""

    def __init__(self, file: IO[bytes], seen: Callable[[], None]) -> None:
        self._file = file
        self._seen = seen

    def read(self, size: int = -1, /) -> bytes:
        """Read on."""
        self._seen()
        return self._file.read(size)


def _add_text(archive: tarfile.TarFile, name: str, text: str, now: datetime) -> None:
    entry = tarfile.TarInfo(name)
    content = text.encode()
    entry.size, entry.mtime, entry.mode = len(content), int(now.timestamp()), 0o600
    archive.addfile(entry, io.BytesIO(content))
