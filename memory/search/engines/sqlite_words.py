"""The keyword index of chunks on SQLite: FTS5 over a table of words."""

import json
from collections.abc import Sequence

from django.db import connection

from goclaw.lib import sql
from memory.analysis import fts_text, fts_token
from memory.search.engines.base import Entries, Ranked, Statistics
from memory.search.engines.permitted import Statement
from memory.search.engines.words import Words

PAGES_A_MERGE = 500

_TABLES = """
CREATE TABLE IF NOT EXISTS {words} (
    id INTEGER PRIMARY KEY, length INTEGER NOT NULL, words TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS {words}_length ON {words} (length);
CREATE VIRTUAL TABLE IF NOT EXISTS {fts} USING fts5(
    words, content='{words}', content_rowid='id', tokenize='ascii');
CREATE VIRTUAL TABLE IF NOT EXISTS {fts}_vocabulary USING fts5vocab({fts}, row);
CREATE TRIGGER IF NOT EXISTS {words}_added AFTER INSERT ON {words} BEGIN
    INSERT INTO {fts} (rowid, words) VALUES (new.id, new.words); END;
CREATE TRIGGER IF NOT EXISTS {words}_removed AFTER DELETE ON {words} BEGIN
    INSERT INTO {fts} ({fts}, rowid, words) VALUES ('delete', old.id, old.words); END;
"""
_TRIGGER = """
CREATE TRIGGER IF NOT EXISTS {words}_follow AFTER DELETE ON {source} BEGIN
    DELETE FROM {words} WHERE id = old.id; END;
"""

_RANKED = """
SELECT rowid, rank FROM {fts} WHERE {fts} MATCH %s {condition}
ORDER BY rank, rowid DESC LIMIT %s
"""


class SqliteWords(Words):
    """Found and ranked by FTS5's bm25()."""

    # --- structures ---

    def prepare(self) -> None:
        """Create what is missing; drop the words of rows that went unnoticed."""
        if self.source not in _tables():
            return
        unguarded = not self._is_guarded()
        with connection.cursor() as cursor:
            for statement in _statements(self._sql(_TABLES + _TRIGGER)):
                cursor.execute(statement)
            if unguarded:
                # Rebuilding a table, as Django does to alter one, drops its triggers.
                cursor.execute(
                    self._sql(
                        "DELETE FROM {words} WHERE id NOT IN (SELECT id FROM {source})"
                    )
                )

    def check(self) -> list[str]:
        """Return what is missing or broken, a sentence each."""
        missing = {self.words, self.fts} - _tables()
        if missing:
            return [f"The table {min(missing)} is missing."]
        problems = []
        if not self._is_guarded():
            problems.append(f"Deleting from {self.source} leaves its words behind.")
        with connection.cursor() as cursor:
            cursor.execute(
                self._sql(
                    "SELECT count(*) FROM {source}"
                    " WHERE id NOT IN (SELECT id FROM {words})"
                )
            )
            (unindexed,) = cursor.fetchone()
        if unindexed:
            problems.append(f"{unindexed} chunks have no keyword entry.")
        return problems

    def optimise(self) -> None:
        """Merge the pieces of the index that writing has left, by short writes."""
        pages = -PAGES_A_MERGE  # negative: begin to merge everything into one piece
        while self._merge(pages):
            pages = PAGES_A_MERGE

    def _merge(self, pages: int) -> bool:
        """Merge about so many pages; say whether there was anything to do."""
        with connection.cursor() as cursor:
            before = connection.connection.total_changes
            cursor.execute(
                self._sql("INSERT INTO {fts} ({fts}, rank) VALUES ('merge', %s)"),
                [pages],
            )
            return bool(connection.connection.total_changes - before >= 2)

    def _is_guarded(self) -> bool:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND name = %s",
                [f"{self.words}_follow"],
            )
            return cursor.fetchone() is not None

    # --- writing ---

    def put(self, entries: Entries) -> None:
        """Replace the words of the rows."""
        with connection.cursor() as cursor:
            cursor.executemany(
                self._sql("DELETE FROM {words} WHERE id = %s"),
                [(row,) for row, _ in entries],
            )
            cursor.executemany(
                self._sql(
                    "INSERT INTO {words} (id, length, words) VALUES (%s, %s, %s)"
                ),
                [(row, len(tokens), fts_text(tokens)) for row, tokens in entries],
            )

    # --- reading ---

    def _ranked(self, asked: Statistics, within: Statement | None, size: int) -> Ranked:
        wanted = " OR ".join(f'"{fts_token(token)}"' for token in asked.frequencies)
        rows, params = within or ("", ())
        # With the plus the words are looked up once, not anew for each row.
        condition = f"AND +rowid IN ({rows})" if within else ""
        found = sql.rows(
            _RANKED.format(fts=self.fts, condition=condition),
            *(wanted, *params, size),
        )
        return [(row, -rank) for row, rank in found]

    def _frequencies(self, tokens: Sequence[str]) -> dict[str, int]:
        written = {token: fts_token(token) for token in tokens}
        with connection.cursor() as cursor:
            cursor.execute(
                self._sql(
                    "SELECT asked.value, vocabulary.doc FROM json_each(%s) asked"
                    " CROSS JOIN {fts}_vocabulary vocabulary"
                    " WHERE vocabulary.term = asked.value"
                ),
                [json.dumps(list(written.values()))],
            )
            known = dict(cursor.fetchall())
        return {token: known.get(word, 0) for token, word in written.items()}


def _statements(script: str) -> list[str]:
    """Return the statements of a script in which only triggers hold semicolons."""
    found, trigger = [""], False
    for line in script.strip().splitlines():
        trigger = trigger or line.startswith("CREATE TRIGGER")
        found[-1] += f"{line}\n"
        if line.endswith("END;" if trigger else ";"):
            found.append("")
            trigger = False
    return [statement for statement in found if statement.strip()]


def _tables() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return {name for (name,) in cursor.fetchall()}
