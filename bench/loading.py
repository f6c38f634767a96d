"""Put many records straight into a server's database: `python -m bench.loading`.

The same texts, keywords and vectors on either engine, through the product's own tables
and engine, in large transactions. Run it with the server's environment.
"""

import argparse
import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bench.corpus import Corpus

if TYPE_CHECKING:
    from memory.entries import Prepared
    from memory.models import Chunk, Memory, Space
    from memory.vectors import Served

RECORDS_AT_ONCE = 1000
CENTRES = 128
TELLING = 0.6
"""The share of words that are no stop words."""
NOISE = 0.8
"""Length of the noise beside a centre of length 1: a cosine of about 0.78 with it."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was put in, and how long it took."""

    records: int
    chunks: int
    windows: int
    seconds: float
    ended_at: float
    """Seconds since 1970."""


def load(*, first: int, count: int, with_vectors: bool) -> Loaded:
    """Add the corpus's records from `first` on; without vectors they stay pending."""
    from django.db import connection, transaction

    from memory import entries
    from memory.models import Space
    from memory.search.engines import get_engine
    from memory.vectors import configured_model, settle

    start = time.perf_counter()
    corpus, space = Corpus(), Space.objects.get(kind="agent_notes", path="")
    served = configured_model() if with_vectors else None
    maker = VectorMaker(served, corpus, first) if served else None
    if served and connection.vendor == "postgresql":
        with connection.cursor() as cursor:  # one that is built at once is built faster
            index = f"memory_embeddings_hnsw_{served.model.pk}"
            cursor.execute(f"DROP INDEX IF EXISTS {index}")
    chunks = windows = 0
    for begin in range(first, first + count, RECORDS_AT_ONCE):
        numbers = range(begin, min(begin + RECORDS_AT_ONCE, first + count))
        memories = [
            _memory(number, corpus, space, is_indexed=with_vectors)
            for number in numbers
        ]
        prepared = [entries.prepare("", memory.content) for memory in memories]
        with transaction.atomic():
            made = insert(memories, prepared, space)
            windows += maker.insert(made) if maker else 0
        chunks += len(made)
    if served:
        settle(served.model)
    if connection.vendor == "postgresql":
        get_engine().maintain()  # as the server itself does once it has embedded
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    if not served:
        entries.queue_vectors()
    ended_at = time.time()
    return Loaded(count, chunks, windows, time.perf_counter() - start, ended_at)


def insert(
    memories: Sequence["Memory"], prepared: Sequence["Prepared"], space: "Space"
) -> list["Chunk"]:
    """Insert records, chunks and keyword entries; return the chunks."""
    from memory.drafts import text_hash
    from memory.models import Chunk, Memory
    from memory.search.engines import get_engine

    Memory.objects.bulk_create(memories)
    chunks = Chunk.objects.bulk_create(
        Chunk(
            memory=memory,
            space_id=space.pk,
            ordinal=ordinal,
            start=span.start,
            end=span.end,
            line_start=span.line_start,
            line_end=span.line_end,
            heading=span.heading,
            text=memory.content[span.start : span.end],
            text_hash=text_hash(memory.content[span.start : span.end]),
        )
        for memory, found in zip(memories, prepared, strict=True)
        for ordinal, span in enumerate(found.spans)
    )
    tokens = [tokens for found in prepared for tokens in found.span_tokens]
    get_engine().index_chunks(
        [(chunk.pk, found) for chunk, found in zip(chunks, tokens, strict=True)]
    )
    return chunks


def _memory(
    number: int, corpus: Corpus, space: "Space", *, is_indexed: bool
) -> "Memory":
    from django.utils import timezone

    from memory.drafts import text_hash
    from memory.models import Memory

    content = corpus.record(number).content
    when = timezone.now() - timedelta(hours=1 + number * 7919 % 17_520)  # two years
    return Memory(
        space=space,
        scope=space.kind,
        content=content,
        text_hash=text_hash(content),
        dedup_hash=hashlib.sha256(f"loaded {number}".encode()).hexdigest(),
        origin="import",
        created_at=when,
        updated_at=when,
        observed_at=when,
        index_state="indexed" if is_indexed else "pending",
    )


class VectorMaker:
    """Makes seeded vectors in clusters around those of real texts."""

    def __init__(self, served: "Served", corpus: Corpus, first: int) -> None:
        self._model = served.model
        texts = [corpus.short_record(number).content for number in range(CENTRES)]
        self._centres = served.provider.embed_documents(texts)
        self._random = np.random.default_rng([11, first])

    def insert(self, chunks: Sequence["Chunk"]) -> int:
        """Insert a vector for each window of the chunks; return how many."""
        from goclaw.lib.config import chunk_config
        from memory.chunking import windows
        from memory.drafts import text_hash
        from memory.models import Embedding

        size = chunk_config().window
        texts = [
            (chunk, ordinal, text)
            for chunk in chunks
            for ordinal, text in enumerate(windows(chunk.text, "", size))
        ]
        rows = [
            Embedding(
                chunk=chunk,
                space_id=chunk.space_id,
                model=self._model,
                ordinal=ordinal,
                text_hash=text_hash(text),
                vector=vector,
                words=self._words(text),
            )
            for (chunk, ordinal, text), vector in zip(
                texts, self._vectors(len(texts)), strict=True
            )
        ]
        Embedding.objects.bulk_create(rows)
        return len(rows)

    def _words(self, text: str) -> bytes:
        """Return as many signs as the vectors of a text's telling words have."""
        count = max(1, int(TELLING * len(text.split())))
        return self._random.bytes(count * self._centres.shape[1] // 8)

    def _vectors(self, count: int) -> NDArray[np.float32]:
        centres = self._centres[self._random.integers(CENTRES, size=count)]
        length = NOISE / np.sqrt(centres.shape[1])
        noisy = centres + self._random.standard_normal(centres.shape) * length
        lengths = np.linalg.norm(noisy, axis=1, keepdims=True)
        return np.asarray(noisy / lengths, dtype=np.float32)


def main() -> None:
    """Load as the command line says, and print what was loaded as JSON."""
    import django

    parser = argparse.ArgumentParser(prog="python -m bench.loading")
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--pending", action="store_true", help="make no vectors")
    options = parser.parse_args()
    django.setup()
    loaded = load(
        first=options.first, count=options.count, with_vectors=not options.pending
    )
    print(json.dumps(asdict(loaded)))


if __name__ == "__main__":
    main()
