"""Put a state into an empty database: all of it in one transaction, or nothing."""

import hashlib
import os
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.color import no_style
from django.db import connection, transaction

from accounts.models import User
from goclaw.lib.errors import BadInput, Conflict
from goclaw.state_archive import reading, values
from goclaw.state_archive.exporting import (
    FilePart,
    Manifest,
    Seen,
    TablePart,
    table_digest,
)
from goclaw.state_archive.rebuilding import rebuild
from goclaw.state_archive.tables import (
    FIRST_START,
    Table,
    all_tables,
    emptied,
    label,
    plan,
)
from memory.backups.copying import SafetyCopy, safety_copy
from memory.backups.restoring import server_stopped

_ROWS_AT_ONCE = 500
_BYTES_AT_ONCE = 256 * 1024


@dataclass(frozen=True, slots=True)
class Imported:
    """What was imported, and the copy of what was there before."""

    manifest: Manifest
    copy: SafetyCopy | None
    resumed: bool
    """All rows were there already, from an import that was interrupted afterwards."""


def import_state(path: Path, *, force: bool, backed_up: bool, seen: Seen) -> Imported:
    """Import a file that `export_state` has written, and check every table's hash.

    Into an empty database; with `force` into any, whose rows go. Interrupted at any
    moment it can be repeated. Raises BadInput for a damaged file, Conflict
    (`target_not_empty`, `server_running`, `backup_needed`): then no row has changed.
    """
    with server_stopped(), reading.opened(path) as (archive, manifest):
        tables = _tables_of(manifest)
        copy, resumed = None, False
        if not _is_empty():
            resumed = _has_all(manifest, tables)
            if not resumed:
                if not force:
                    raise Conflict(
                        "There is something in this database already.",
                        code="target_not_empty",
                        remedy="Take an empty one, or replace what is there: --force.",
                    )
                copy = safety_copy(backed_up=backed_up)
        _put_files(archive, manifest.files, seen)
        if not resumed:
            with transaction.atomic():
                _empty()
                _put_rows(archive, manifest, tables, seen)
                _renumber(tables)
                _check(manifest, tables, seen)
        rebuild(seen)
    return Imported(manifest, copy, resumed)


def _tables_of(manifest: Manifest) -> dict[str, Table]:
    known = {label(table): table for table in all_tables()}
    for part in manifest.tables:
        table = known.get(part.name)
        unknown = set(part.columns) - set(values.columns(table) if table else ())
        if table is None or unknown:
            raise BadInput(
                f"The file has {part.name} {sorted(unknown)}, which is unknown here.",
                code="newer_format",
                remedy="Import it with the version of the program that wrote it.",
            )
    return {part.name: known[part.name] for part in manifest.tables}


def _is_empty() -> bool:
    """Say whether there is no more than what a first start makes."""
    if User.objects.filter(is_superuser=False).exists() or User.objects.count() > 1:
        return False
    used = (t for t in plan(sessions=True).tables if label(t) not in FIRST_START)
    return not any(
        table._base_manager.exists() for table in used if not table._meta.auto_created
    )


def _has_all(manifest: Manifest, tables: dict[str, Table]) -> bool:
    """Say whether every row of the file is there, and no other."""
    if any(
        tables[part.name]._base_manager.count() != part.rows for part in manifest.tables
    ):
        return False
    names, what = values.natural_names(), plan(sessions=manifest.sessions)
    return all(
        table_digest(tables[part.name], what, names).hexdigest() == part.sha256
        for part in manifest.tables
    )


def _empty() -> None:
    with connection.cursor() as cursor:
        for table in emptied():
            cursor.execute(f"DELETE FROM {_quoted(table._meta.db_table)}")


def _put_rows(
    archive: zipfile.ZipFile, manifest: Manifest, tables: dict[str, Table], seen: Seen
) -> None:
    names = values.natural_names()
    for part in manifest.tables:
        digest = values.Digest()
        statement = _insert(tables[part.name], part)
        defaults = _defaults(tables[part.name], part)
        prepared = _prepared(tables[part.name], part, names)
        source = _digested(reading.table_rows(archive, part), digest)
        while batch := list(islice(source, _ROWS_AT_ONCE)):
            with connection.cursor() as cursor:
                cursor.executemany(
                    statement, [[*prepared(row), *defaults] for row in batch]
                )
            seen(part.name, digest.rows, part.rows)
        if (digest.rows, digest.hexdigest()) != (part.rows, part.sha256):
            raise reading.damaged(f"The rows of {part.name} are not what was written.")


def _digested(rows: Iterator[list[Any]], digest: values.Digest) -> Iterator[list[Any]]:
    for row in rows:
        digest.add(row)
        yield row


def _insert(table: Table, part: TablePart) -> str:
    fields = {f.attname: f.column for f in table._meta.concrete_fields}
    missing = [name for name in fields if name not in part.columns]
    places = [_quoted(fields[name]) for name in (*part.columns, *missing)]
    marks = ", ".join(["%s"] * len(places))
    name = _quoted(table._meta.db_table)
    return f"INSERT INTO {name} ({', '.join(places)}) VALUES ({marks})"


def _defaults(table: Table, part: TablePart) -> list[Any]:
    """Return the values of columns that came after the file was written."""
    return [
        field.get_db_prep_save(field.get_default(), connection)
        for field in table._meta.concrete_fields
        if field.attname not in part.columns
    ]


def _prepared(table: Table, part: TablePart, names: values.Names) -> Any:
    """Return what turns a row of the file into parameters of the statement."""
    fields = {field.attname: field for field in table._meta.concrete_fields}
    ordered = [fields[name] for name in part.columns]
    readers = values.readers(table, part.columns, names)

    def prepare(row: Sequence[Any]) -> list[Any]:
        return [
            field.get_db_prep_save(read(value), connection)
            for field, read, value in zip(ordered, readers, row, strict=True)
        ]

    return prepare


def _renumber(tables: dict[str, Table]) -> None:
    """Have new rows numbered after those that came with their numbers."""
    found = list(tables.values())
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), found):
            cursor.execute(statement)


def _check(manifest: Manifest, tables: dict[str, Table], seen: Seen) -> None:
    """See that the database gives back what the file says, and nothing dangles."""
    connection.check_constraints()
    names, what = values.natural_names(), plan(sessions=manifest.sessions)
    for number, part in enumerate(manifest.tables, start=1):
        digest = table_digest(tables[part.name], what, names)
        if (digest.rows, digest.hexdigest()) != (part.rows, part.sha256):
            raise reading.damaged(f"{part.name} came out otherwise than it went in.")
        seen("verified tables", number, len(manifest.tables))


def _put_files(archive: zipfile.ZipFile, files: Sequence[FilePart], seen: Seen) -> None:
    """Write the files to their places, each complete or not at all."""
    state = Path(settings.GOCLAW_STATE_DIR)
    for number, part in enumerate(files, start=1):
        place = state / reading.place_of(part)
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = place.with_name(f".{place.name[:80]}.{os.getpid()}.part")
        digest = hashlib.sha256()
        try:
            with archive.open(reading.entry_of(part)) as source, draft.open("wb") as to:
                while block := source.read(_BYTES_AT_ONCE):
                    digest.update(block)
                    to.write(block)
            if digest.hexdigest() != part.sha256:
                raise reading.damaged(f"The file {part.name} is not what was written.")
            draft.replace(place)
        finally:
            draft.unlink(missing_ok=True)
        seen("files", number, len(files))


def _quoted(name: str | None) -> str:
    return connection.ops.quote_name(name or "")
