"""How long a prompt's memory takes over HTTP, and that its session part stays."""

import functools
from collections.abc import Callable
from typing import Any

from bench.client import Client
from bench.corpus import Corpus
from bench.options import Options
from bench.report import Report, Section
from bench.servers import Server, running
from bench.timing import one_by_one

NOTES, PERSONAL = 10_000, 1_000
QUICK_NOTES, QUICK_PERSONAL = 1_000, 100
CRITICAL = 5
FILE_LINES = 300
WARM_UP = 10
TARGET_MS = 100

Answer = dict[str, Any]


def run(options: Options, report: Report) -> None:
    """Measure on every engine."""
    notes = QUICK_NOTES if options.quick else NOTES
    personal = QUICK_PERSONAL if options.quick else PERSONAL
    for engine in options.engines:
        section = report.section(f"The prompt's memory on {engine}")
        with running(options.databases(engine)) as server:
            corpus = Corpus()
            _fill(server, corpus, notes, personal)
            count = 40 if options.quick else 200
            _measure(server.client(), section, corpus, notes, count)


def _fill(server: Server, corpus: Corpus, notes: int, personal: int) -> None:
    """Store notes, personal records, constraints, and a curated file."""
    server.run_beside("-m", "bench.loading", str(notes))
    client = server.client()
    own = [
        {"scope": "personal", "content": corpus.short_record(notes + n).content}
        for n in range(personal)
    ]
    client.write_all(own)
    for n in range(CRITICAL):
        content = corpus.short_record(notes + personal + n).content
        client.write(content, tags=["critical"])
    lines = [corpus.short_record(n).content for n in range(FILE_LINES)]
    folder = server.state_dir / "workspace"
    (folder / "Memory.md").write_text("\n".join(lines), encoding="utf-8")
    client.call("POST", "/api/workspace/sync", {})
    client.wait_indexed()


def _measure(
    client: Client, section: Section, corpus: Corpus, notes: int, count: int
) -> None:
    _ask(client, [corpus.question(n) for n in range(WARM_UP)])
    outcome = one_by_one(
        _calls(client, [corpus.question(WARM_UP + n) for n in range(count)])
    )
    what = f"context, {notes:,} notes"
    section.add(f"{what}, p50", outcome.timings.ms(0.5), "ms")
    section.add(f"{what}, p95", outcome.timings.ms(0.95), "ms", at_most=TARGET_MS)
    section.add(f"{what}, errors", len(outcome.errors), at_most=0)
    texts = {answer["session"] for answer in outcome.results}
    section.add("different session parts of one conversation", len(texts), at_most=1)
    repeated = one_by_one(
        _calls(client, [corpus.question(WARM_UP + n) for n in range(count // 4)])
    )
    section.add(f"{what}, questions asked before, p95", repeated.timings.ms(0.95), "ms")


def _ask(client: Client, messages: list[str]) -> list[Answer]:
    return [call() for call in _calls(client, messages)]


def _calls(client: Client, messages: list[str]) -> list[Callable[[], Answer]]:
    path = "/api/memory/context"
    return [
        functools.partial(client.call, "POST", path, {"message": message})
        for message in messages
    ]
