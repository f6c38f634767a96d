"""The keyword index of chunks on PostgreSQL: a stored tsvector under GIN.

PostgreSQL's own ranking knows neither how rare a word is nor how long a text. Here each
token is looked up by itself, and what it adds is computed from its rarity, the text's
length, and marks for words that occur more than once: BM25 (Robertson and Zaragoza,
2009) but for steps in the counts, without reading a single text.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from django.db import connection

from goclaw.lib import sql
from memory.analysis import fts_token
from memory.search.engines.base import Entries, Ranked, Statistics
from memory.search.engines.permitted import Statement
from memory.search.engines.words import Words

K1, B = 1.2, 0.75
"""BM25's saturation of counts and its allowance for length."""
STEPS = (1, 2, 4)
"""Occurrences that are told apart; `word.2` stands for two or three of them."""
MAX_INDEXED_BYTES = 700_000
"""A tsvector holds a megabyte at most; what is cut off is found by its chunks."""

# The long columns are kept apart, so that a page holds many rows' ids and lengths.
_TABLES = """
CREATE TABLE IF NOT EXISTS {words} (
    id bigint PRIMARY KEY, length integer NOT NULL, words text NOT NULL,
    terms tsvector NOT NULL) WITH (toast_tuple_target = 128);
CREATE INDEX IF NOT EXISTS {words}_terms ON {words} USING gin (terms)
    WITH (gin_pending_list_limit = 512);
CREATE OR REPLACE FUNCTION {words}_follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'TRUNCATE' THEN
        DELETE FROM {words};
    ELSE
        DELETE FROM {words} WHERE id IN (SELECT id FROM gone);
    END IF;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER {words}_removed AFTER DELETE ON {source}
    REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION {words}_follow();
CREATE OR REPLACE TRIGGER {words}_emptied AFTER TRUNCATE ON {source}
    FOR EACH STATEMENT EXECUTE FUNCTION {words}_follow();
"""
_RANKED = """
SELECT found.id, sum(step.weight * (
    step.high / (step.high + found.k) - step.low / (step.low + found.k)
)) AS score
FROM unnest(%s::text[], %s::float8[], %s::float8[], %s::float8[])
    AS step(lexeme, weight, high, low)
CROSS JOIN LATERAL (
    SELECT id, %s::float8 + %s::float8 * length AS k FROM {words}
    WHERE terms @@ step.lexeme::tsquery
) AS found
GROUP BY found.id ORDER BY score DESC, found.id DESC LIMIT %s
"""
# What is permitted and has any of the words: few rows, which every step looks through.
_INSIDE = """
WITH inside AS MATERIALIZED (
    SELECT id, length, terms FROM {words}
    WHERE terms @@ %s::tsquery AND id IN ({rows})
)
"""


class PostgresWords(Words):
    """Found and ranked in one statement."""

    # --- structures ---

    def prepare(self) -> None:
        """Create what is missing of table, index and triggers."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT to_regclass(%s)", [self.source])
            if cursor.fetchone()[0] is not None:
                cursor.execute(self._sql(_TABLES))

    def check(self) -> list[str]:
        """Return what is missing or broken, a sentence each."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT to_regclass(%s)", [f"{self.words}_terms"])
            if cursor.fetchone()[0] is None:
                return [f"The table {self.words} or its index is missing."]
            cursor.execute(
                "SELECT count(*) FROM pg_trigger WHERE tgname IN (%s, %s)",
                [f"{self.words}_removed", f"{self.words}_emptied"],
            )
            (triggers,) = cursor.fetchone()
            cursor.execute(
                self._sql(
                    "SELECT count(*) FROM {source} AS s WHERE NOT EXISTS"
                    " (SELECT 1 FROM {words} AS w WHERE w.id = s.id)"
                )
            )
            (unindexed,) = cursor.fetchone()
        problems = []
        if triggers < 2:
            problems.append(f"Deleting from {self.source} leaves its words behind.")
        if unindexed:
            problems.append(f"{unindexed} chunks have no keyword entry.")
        return problems

    # --- writing ---

    def put(self, entries: Entries) -> None:
        """Replace the words of the rows."""
        rows = []
        for row, tokens in entries:
            words = [fts_token(token) for token in tokens]
            rows.append((row, len(words), " ".join(words), _lexemes(words)))
        with connection.cursor() as cursor:
            cursor.executemany(
                self._sql(
                    "INSERT INTO {words} (id, length, words, terms)"
                    " VALUES (%s, %s, %s, array_to_tsvector(string_to_array(%s, ' ')))"
                    " ON CONFLICT (id) DO UPDATE SET length = excluded.length,"
                    " words = excluded.words, terms = excluded.terms"
                ),
                rows,
            )

    # --- reading ---

    def _ranked(self, asked: Statistics, within: Statement | None, size: int) -> Ranked:
        steps = [
            (f"'{_marked(fts_token(token), high)}'", _rarity(asked, token), high, low)
            for token in asked.frequencies
            for high, low in zip(STEPS, (0, *STEPS), strict=False)
        ]
        columns = [list(column) for column in zip(*steps, strict=True)]
        slope = K1 * B / (asked.average_length or 1.0)
        ranking = (*columns, K1 * (1 - B), slope, size)
        if within is None:
            found = sql.rows(_RANKED.format(words=self.words), *ranking)
        else:
            rows, params = within
            inside = _INSIDE.format(words=self.words, rows=rows)
            lexemes = (f"'{fts_token(token)}'" for token in asked.frequencies)
            found = sql.rows(
                inside + _RANKED.format(words="inside"),
                *(" | ".join(lexemes), *params, *ranking),
            )
        return [(row, float(score)) for row, score in found]

    def _frequencies(self, tokens: Sequence[str]) -> dict[str, int]:
        lexemes = [f"'{fts_token(token)}'" for token in tokens]
        with connection.cursor() as cursor:
            cursor.execute(
                self._sql(
                    "SELECT (SELECT count(*) FROM {words}"
                    " WHERE terms @@ asked.lexeme::tsquery)"
                    " FROM unnest(%s::text[]) WITH ORDINALITY AS asked(lexeme, place)"
                    " ORDER BY place"
                ),
                [lexemes],
            )
            counts = [count for (count,) in cursor.fetchall()]
        return dict(zip(tokens, counts, strict=True))


def _rarity(statistics: Statistics, token: str) -> float:
    """Return the inverse document frequency, never below zero."""
    frequency = statistics.frequencies[token]
    others = max(statistics.count - frequency, 0)
    return math.log1p((others + 0.5) / (frequency + 0.5))


def _marked(word: str, occurrences: int) -> str:
    return word if occurrences == 1 else f"{word}.{occurrences}"


def _lexemes(words: Iterable[str]) -> str:
    """Return each word once, and marks for how often it occurs, between spaces."""
    found: list[str] = []
    room = MAX_INDEXED_BYTES
    for word, count in Counter(words).items():
        marked = [word]
        if count > 1:
            marked = [_marked(word, step) for step in STEPS if count >= step]
        room -= sum(len(lexeme) + 4 for lexeme in marked)
        if room < 0:
            break
        found += marked
    return " ".join(found)
