"""The keyword index of chunks on SQLite: FTS5 over a table of words."""

import json
from collections.abc import Sequence
from typing import Any

from django.db import connection

from memory.analysis import fts_text, fts_token
from memory.search.engines.base import Entries, Ranked, Statistics
from memory.search.engines.permitted import Permitted, Statement, best_permitted
from memory.search.engines.statistics import Counting, StatisticsCache, telling

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


class SqliteWords:
    """The words of the rows of `source`, found and ranked by FTS5's bm25()."""

    def __init__(self, source: str, name: str) -> None:
        self.source = source
        self.words = f"{name}_words"
        self.fts = f"{name}_fts"
        self._statistics = StatisticsCache(
            Counting(
                newest=self._newest,
                totals=self._totals,
                frequencies=self._frequencies,
                is_private=lambda: connection.in_atomic_block,
            )
        )

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
        self.remove([row for row, _ in entries])
        with connection.cursor() as cursor:
            cursor.executemany(
                self._sql(
                    "INSERT INTO {words} (id, length, words) VALUES (%s, %s, %s)"
                ),
                [(row, len(tokens), fts_text(tokens)) for row, tokens in entries],
            )

    def remove(self, ids: Sequence[int]) -> None:
        """Forget the words of the rows."""
        with connection.cursor() as cursor:
            cursor.executemany(
                self._sql("DELETE FROM {words} WHERE id = %s"), [(row,) for row in ids]
            )

    # --- reading ---

    def search(
        self, permitted: Permitted, statistics: Statistics, limit: int
    ) -> Ranked:
        """Return the permitted rows that contain any of the tokens, best first."""
        asked = telling(statistics, limit)
        if not asked.frequencies:
            return []
        wanted = " OR ".join(f'"{fts_token(token)}"' for token in asked.frequencies)

        def ranked(size: int) -> Ranked:
            return self._ranked(wanted, "", (), size)

        def filtered(within: Statement) -> Ranked:
            rows, params = within
            # With the plus the words are looked up once, not anew for each row.
            return self._ranked(wanted, f"AND +rowid IN ({rows})", params, limit)

        return best_permitted(permitted, limit, ranked, filtered)

    def statistics(self, tokens: Sequence[str]) -> Statistics:
        """Return how many rows there are, how long, and how many contain each token."""
        return self._statistics.about(tokens)

    def words_of(self, ids: Sequence[int]) -> dict[int, str]:
        """Return the words of the rows in the order of their text."""
        with connection.cursor() as cursor:
            cursor.execute(
                self._sql(
                    "SELECT id, words FROM {words}"
                    " WHERE id IN (SELECT value FROM json_each(%s))"
                ),
                [json.dumps(list(ids))],
            )
            return dict(cursor.fetchall())

    def _ranked(
        self, wanted: str, condition: str, params: tuple[Any, ...], size: int
    ) -> Ranked:
        sql = self._sql("SELECT rowid, rank FROM {fts} WHERE {fts} MATCH %s ")
        with connection.cursor() as cursor:
            cursor.execute(
                f"{sql}{condition} ORDER BY rank, rowid DESC LIMIT %s",
                [wanted, *params, size],
            )
            return [(row, -rank) for row, rank in cursor.fetchall()]

    def _newest(self) -> int:
        with connection.cursor() as cursor:
            cursor.execute(self._sql("SELECT max(id) FROM {words}"))
            return cursor.fetchone()[0] or 0

    def _totals(self) -> tuple[int, float]:
        with connection.cursor() as cursor:
            cursor.execute(self._sql("SELECT count(*), avg(length) FROM {words}"))
            count, average = cursor.fetchone()
        return count, average or 0.0

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

    def _sql(self, template: str) -> str:
        return template.format(words=self.words, fts=self.fts, source=self.source)


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
