"""Write the whole state to a file, as it is at one moment."""

import contextlib
import hashlib
import json
import os
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction

from goclaw.lib.errors import Unavailable
from goclaw.state_archive import values
from goclaw.state_archive.tables import Plan, Table, label, plan

FORMAT = "goclaw-state"
VERSION = 1
MANIFEST = "manifest.json"
TABLES = "tables/"
FILES = "files/"
_AT_ONCE = 256 * 1024

Seen = Callable[[str, int, int], None]
"""Is told what is being done, how much is done, and of how much."""


@dataclass(frozen=True, slots=True)
class TablePart:
    """A table in the file: its rows are an array each, in the order of `columns`."""

    name: str
    columns: list[str]
    rows: int
    sha256: str


@dataclass(frozen=True, slots=True)
class FilePart:
    """A file of the state directory in the file."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What is in the file."""

    sessions: bool
    tables: list[TablePart]
    files: list[FilePart]

    def rows(self) -> dict[str, int]:
        """Return how many rows each table has, where there are any."""
        return {part.name: part.rows for part in self.tables if part.rows}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What goes into the file besides people, records and the wiki."""

    sessions: bool = False
    files: bool = False
    attachments: bool = False


def export_state(path: Path, wanted: Wanted, seen: Seen) -> Manifest:
    """Write the state to a file, complete or not at all; return what is in it.

    Writers of an SQLite or PostgreSQL database go on meanwhile.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        draft.touch(mode=0o600)
        with zipfile.ZipFile(
            draft, "w", zipfile.ZIP_DEFLATED, compresslevel=3
        ) as archive:
            manifest = _write(archive, wanted, seen)
        draft.replace(path)
    except OSError as error:
        raise Unavailable(
            f"The file cannot be written: {error}.",
            code="backup_failed",
            remedy=f"Is there enough room in {path.parent}?",
        ) from error
    finally:
        draft.unlink(missing_ok=True)
    return manifest


def table_digest(table: Table, what: Plan, names: values.Names) -> values.Digest:
    """Return the hash of a table as it is here."""
    digest = values.Digest()
    for row in values.rows(table, what, names):
        digest.add(row)
    return digest


def _write(archive: zipfile.ZipFile, wanted: Wanted, seen: Seen) -> Manifest:
    what = plan(sessions=wanted.sessions)
    with snapshot():
        names = values.natural_names()
        tables = [_table(archive, table, what, names, seen) for table in what.tables]
    # Rows before files: a file that comes meanwhile is one too many, not too few.
    found = list(_files(wanted))
    files = []
    for number, path in enumerate(found, start=1):
        if part := _file(archive, path):
            files.append(part)
        seen("files", number, len(found))
    manifest = Manifest(wanted.sessions, tables, files)
    about = {
        "format": FORMAT,
        "version": VERSION,
        "made_at": datetime.now(UTC).isoformat(),
        **asdict(manifest),
    }
    archive.writestr(MANIFEST, json.dumps(about, ensure_ascii=False))
    return manifest


@contextlib.contextmanager
def snapshot() -> Iterator[None]:
    """Have all reads inside see one moment, without holding up any writer."""
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield
        return
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")  # not IMMEDIATE, as Django would
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def _table(
    archive: zipfile.ZipFile, table: Table, what: Plan, names: values.Names, seen: Seen
) -> TablePart:
    name = label(table)
    total = table._base_manager.count()
    digest = values.Digest()
    with archive.open(f"{TABLES}{name}.jsonl", "w", force_zip64=True) as entry:
        for row in values.rows(table, what, names):
            entry.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
            digest.add(row)
            if digest.rows % 500 == 0:
                seen(name, digest.rows, total)
    seen(name, total, total)
    return TablePart(name, values.columns(table), digest.rows, digest.hexdigest())


def _files(wanted: Wanted) -> Iterator[Path]:
    state = Path(settings.GOCLAW_STATE_DIR)
    folders = []
    if wanted.files:
        folders += [state / "workspace", state / "agents"]
    elif wanted.sessions:  # what was trimmed of them is in these files only
        folders += [state / "workspace/memory/archive"]
        folders += sorted(state.glob("agents/*/workspace/memory/archive"))
    if wanted.attachments:
        folders.append(Path(settings.MEDIA_ROOT))
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.resolve().is_relative_to(state.resolve()):
                yield path


def _file(archive: zipfile.ZipFile, path: Path) -> FilePart | None:
    name = path.relative_to(settings.GOCLAW_STATE_DIR).as_posix()
    digest, size = hashlib.sha256(), 0
    try:
        with (
            path.open("rb") as source,
            archive.open(f"{FILES}{name}", "w", force_zip64=True) as entry,
        ):
            while part := source.read(_AT_ONCE):
                entry.write(part)
                digest.update(part)
                size += len(part)
    except FileNotFoundError:
        return None  # it has gone since it was listed
    return FilePart(name, size, digest.hexdigest())
