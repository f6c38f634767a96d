"""The parts a search cannot do without, timed alone: `python -m bench.bare_search`.

One vector of the question, one product with the matrix of all vectors, one BM25 query
of FTS5 over the chunks: no permissions, no fusion, no rows, no HTTP. Run it with the
environment of a server on SQLite whose database is filled.
"""

import argparse
import json
import sqlite3
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from bench.corpus import Corpus

Vectors = NDArray[np.float32]
T = TypeVar("T")

BEST = 200
FIRST_QUESTION = 1_000_000
"""Far from those that the server is asked."""
EMBEDDING, PRODUCT, WORDS = "embedding", "product", "words"
TOGETHER = "together"


def main() -> None:
    """Print the medians, in milliseconds, as JSON."""
    import django
    from django.conf import settings

    parser = argparse.ArgumentParser(prog="python -m bench.bare_search")
    parser.add_argument("count", type=int)
    count = parser.parse_args().count
    django.setup()
    path = settings.DATABASES["default"]["NAME"]
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        print(json.dumps(_measure(database, count)))


def _measure(database: sqlite3.Connection, count: int) -> dict[str, float]:
    from memory.embeddings import get_provider

    provider = get_provider()
    if provider is None:
        raise SystemExit("there is no embedding model")
    matrix = np.stack(
        [
            np.frombuffer(row[0], dtype="<f4")
            for row in database.execute("SELECT vector FROM memory_embeddings")
        ]
    )
    table = _fill(database)
    corpus = Corpus()
    times: dict[str, list[float]] = {EMBEDDING: [], PRODUCT: [], WORDS: []}
    for number in range(FIRST_QUESTION, FIRST_QUESTION + count):
        text = corpus.question(number)
        vector = _timed(times[EMBEDDING], partial(provider.embed_query, text))
        _timed(times[PRODUCT], partial(_nearest, matrix, vector))
        _timed(times[WORDS], partial(_keyword, table, _match(text)))
    totals = [sum(parts) for parts in zip(*times.values(), strict=True)]
    medians = {name: _median_ms(values) for name, values in times.items()}
    return medians | {TOGETHER: _median_ms(totals)}


def _fill(database: sqlite3.Connection) -> sqlite3.Connection:
    """Return an FTS5 table, in memory, of the tokens of all chunks."""
    from memory.analysis import fts_text, get_analyser

    analyser = get_analyser("english")
    table = sqlite3.connect(":memory:")
    table.execute("CREATE VIRTUAL TABLE words USING fts5(tokens, detail=column)")
    table.executemany(
        "INSERT INTO words(rowid, tokens) VALUES (?, ?)",
        (
            (row[0], fts_text(analyser.tokens(row[1])))
            for row in database.execute("SELECT id, text FROM memory_chunks")
        ),
    )
    return table


def _match(text: str) -> str:
    """Return the question's words, without stop words, as an FTS5 query."""
    from memory.analysis import STEM_WEIGHT, fts_token, get_analyser

    terms = get_analyser("english").query_terms(text)
    wanted = [term for term in terms if not term.stop] or terms
    tokens = {
        fts_token(form)
        for term in wanted
        for form, weight in term.forms
        if weight >= STEM_WEIGHT
    }
    return " OR ".join(f'"{token}"' for token in sorted(tokens))


def _nearest(matrix: Vectors, vector: Vectors) -> NDArray[np.intp]:
    scores = matrix @ vector
    best = np.argpartition(scores, -BEST)[-BEST:]
    return best[np.argsort(-scores[best])]


def _keyword(table: sqlite3.Connection, query: str) -> list[tuple[int, float]]:
    found = table.execute(
        "SELECT rowid, rank FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?",
        (query, BEST),
    )
    return found.fetchall()


def _timed(times: list[float], call: Callable[[], T]) -> T:
    start = time.perf_counter()
    result = call()
    times.append(time.perf_counter() - start)
    return result


def _median_ms(seconds: list[float]) -> float:
    return statistics.median(seconds) * 1000


if __name__ == "__main__":
    main()
