"""Put a backup, or a safety copy, in the place of what is there."""

import contextlib
import json
import shutil
import sqlite3
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connections

from goclaw.lib.errors import BadInput, Conflict
from goclaw.lib.state import InUse, alone_with
from memory.backups import archiving
from memory.backups.copying import FILES, backups_folder, database_file

_ASIDE = ".replaced"
_BESIDE = ("-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True)
class Restored:
    """What was put back, and where that is what was there before."""

    parts: list[str]
    before: Path | None


def restore(source: Path, *, dry_run: bool = False) -> Restored:
    """Replace the state by a backup's. What was there before becomes a backup first.

    `dry_run` only looks whether the backup is whole and could be put back.

    Raises BadInput for what is no whole backup, Conflict while the server runs, and
    then nothing has changed.
    """
    if not source.is_file():
        raise BadInput(f"There is no file {source}.", field="file")
    with server_stopped(), _unpacked(source) as fresh:
        _check(fresh)
        database = database_file()
        if database is None and (fresh / archiving.DATABASE).exists():
            raise BadInput(
                "This backup has an SQLite database, and the configured one is not.",
                code="wrong_engine",
                remedy="Restore it without GOCLAW_DATABASE_URL, then move it with"
                " `goclaw memory migrate --to`.",
            )
        if dry_run:
            return Restored([part.name for part in _parts(fresh)], None)
        before = archiving.make_backup(label="_before-restore").path
        parts = _swap(fresh, database)
    return Restored(parts, before)


@contextlib.contextmanager
def server_stopped() -> Iterator[None]:
    """Hold the state directory, so that no server runs or starts meanwhile."""
    connections.close_all()
    try:
        with alone_with(Path(settings.GOCLAW_STATE_DIR)):
            _check_unused(database_file())
            yield
    except InUse as error:
        raise Conflict(
            f"Process {error.holder} serves this state directory.",
            code="server_running",
            remedy="Stop the server first.",
        ) from None


def _check_unused(database: Path | None) -> None:
    """Refuse while any process has the database open."""
    if database is None or not database.exists():
        return
    with contextlib.closing(sqlite3.connect(database, timeout=0.5)) as probe:
        try:
            probe.execute("PRAGMA locking_mode=EXCLUSIVE")
            probe.execute("BEGIN EXCLUSIVE")
            probe.rollback()
        except sqlite3.OperationalError:
            raise Conflict(
                "Some process has the database open.",
                code="server_running",
                remedy="Stop whatever uses it first.",
            ) from None
        except sqlite3.DatabaseError:
            return  # what is damaged is the more to be replaced


@contextlib.contextmanager
def _unpacked(source: Path) -> Iterator[Path]:
    """Give a folder that has the parts of the backup, laid out as they are kept."""
    with tempfile.TemporaryDirectory(prefix=".restore-", dir=backups_folder()) as name:
        fresh = Path(name)
        if source.name.endswith(".sqlite"):
            shutil.copy2(source, fresh / archiving.DATABASE)
            files = source.with_name(source.name + FILES)
            if files.is_dir():
                shutil.copytree(files, fresh / FILES)
        else:
            _unpack(source, fresh)
        yield fresh


def _unpack(source: Path, fresh: Path) -> None:
    known = {
        archiving.MANIFEST,
        archiving.DATABASE,
        archiving.CREDENTIALS,
        *archiving.OTHER_DATABASES,
        *archiving.FOLDERS,
    }
    try:
        with tarfile.open(source, "r:gz") as archive:
            for member in archive:
                if member.name.split("/")[0] in known:
                    # A link that leads out of its folder is left out, as in the index.
                    with contextlib.suppress(tarfile.FilterError):
                        archive.extract(member, fresh, filter="data")
        manifest = json.loads((fresh / archiving.MANIFEST).read_text("utf-8"))
        version = manifest["format"]
    except (OSError, EOFError, ValueError, KeyError, tarfile.TarError) as error:
        raise BadInput(
            f"{source.name} is no whole backup: {error}.",
            code="damaged_backup",
            remedy="Take another one; `goclaw backup` makes them.",
        ) from error
    if version != archiving.FORMAT:
        raise BadInput(
            f"This backup has the format {version}.",
            code="damaged_backup",
            remedy="Restore it with the version of the program that made it.",
        )
    (fresh / archiving.MANIFEST).unlink()


def _check(fresh: Path) -> None:
    for path in fresh.glob("*.sqlite"):
        try:
            with contextlib.closing(sqlite3.connect(path)) as database:
                (state,) = database.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.DatabaseError as error:
            state = str(error)
        if state != "ok":
            raise BadInput(
                f"Its database is damaged: {state}.",
                code="damaged_backup",
                remedy="Take another one.",
            )


def _swap(fresh: Path, database: Path | None) -> list[str]:
    """Move the fresh parts into place; when one fails, all are as before."""
    state = Path(settings.GOCLAW_STATE_DIR)
    aside = fresh / _ASIDE
    aside.mkdir()
    moved: list[tuple[Path, Path]] = []
    put: list[Path] = []
    parts = _parts(fresh)
    try:
        for part in parts:
            place = state / part.name
            if part.name == archiving.DATABASE and database is not None:
                place = database
            for old in _with_siblings(place):
                shutil.move(old, aside / old.name)
                moved.append((aside / old.name, old))
            put.append(place)
            shutil.move(part, place)
    except OSError:
        for place in put:
            shutil.rmtree(place) if place.is_dir() else place.unlink(missing_ok=True)
        for kept, place in moved:
            shutil.move(kept, place)
        raise
    if (fresh / FILES).is_dir():
        shutil.copytree(fresh / FILES, state, dirs_exist_ok=True)
    return [part.name for part in parts]


def _parts(fresh: Path) -> list[Path]:
    return sorted(set(fresh.iterdir()) - {fresh / _ASIDE, fresh / FILES})


def _with_siblings(place: Path) -> list[Path]:
    """Return what is there of a part: a folder, or a database with its journals."""
    found = [place, *(place.with_name(place.name + end) for end in _BESIDE)]
    return [path for path in found if path.exists()]
