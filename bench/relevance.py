"""Identifiers, languages and off-topic questions among 20,000 records of real texts.

Everything goes the way of any client: written in bulk, embedded by the worker.
"""

import time

from bench import identifiers, languages, offtopic
from bench.corpus import Corpus
from bench.options import Options
from bench.report import Report, Section
from bench.servers import Server, running

RECORDS, QUICK_RECORDS = 20_000, 1_500


def run(options: Options, report: Report) -> None:
    """Measure on every engine."""
    for engine in options.engines:
        section = report.section(f"Relevance on {engine}")
        with running(options.databases(engine)) as server:
            _fill(server, section, QUICK_RECORDS if options.quick else RECORDS)
            client = server.client()
            identifiers.report(section, client)
            languages.report(section, client)
            offtopic.report(section, client)


def _fill(server: Server, section: Section, count: int) -> None:
    client, corpus = server.client(), Corpus()
    special = identifiers.records() + languages.records()
    background = [
        {"scope": "agent_notes", "content": corpus.short_record(number).content}
        for number in range(count - len(special))
    ]
    start = time.perf_counter()
    ids = client.write_all(background + special)
    written = time.perf_counter()
    client.wait_indexed()
    section.add("records written in bulk", len(ids) / (written - start), "/s")
    section.add(
        "records written and embedded",
        len(ids) / (time.perf_counter() - start),
        "/s",
        note=f"{len(ids):,} records, {len(set(ids)):,} different",
    )
