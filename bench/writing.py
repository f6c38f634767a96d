"""Writes over HTTP: how fast, how safe in parallel, and how soon they are found."""

import functools
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bench.client import Client
from bench.corpus import Corpus
from bench.report import Section
from bench.servers import Server
from bench.timing import at_once, one_by_one

POLL_S = 0.02
LOST_AFTER_S = 60.0


@dataclass(frozen=True, slots=True)
class Parallel:
    """What became of the writes of many clients at once."""

    per_second: float
    p95_ms: float
    errors: int
    lost: int
    doubled: int
    first_error: str


def single_ms(server: Server, *, count: int) -> tuple[float, float]:
    """Return median and 95th percentile of a write, in milliseconds."""
    client, texts = server.client(), _texts(count)
    calls = [functools.partial(client.write, text) for text in texts]
    timings = one_by_one(calls).timings
    return timings.ms(0.5), timings.ms(0.95)


def read_ms(server: Server, *, count: int) -> tuple[float, float]:
    """Return the medians of reading one record and of listing fifty, in ms."""
    client = server.client()
    page = client.call("GET", "/api/memory/records?page_size=50")
    ids = [record["id"] for record in page["results"]]
    get = functools.partial(client.call, "GET")
    reads = [
        functools.partial(get, f"/api/memory/get?id={ids[n % len(ids)]}")
        for n in range(count)
    ]
    lists = [functools.partial(get, "/api/memory/records?page_size=50")] * count
    return one_by_one(reads).timings.ms(0.5), one_by_one(lists).timings.ms(0.5)


def in_parallel(server: Server, *, writers: int, each: int) -> Parallel:
    """Write by many clients at once, and compare what is there with what was said."""
    domain = f"writers-{uuid.uuid4().hex[:12]}"
    texts = _texts(writers * each)
    clients = [server.client() for _ in range(writers)]
    done = at_once(
        [
            [
                functools.partial(client.write, text, domain=domain)
                for text in texts[start::writers]
            ]
            for start, client in enumerate(clients)
        ]
    )
    acknowledged = {record["id"]: record["content"] for record in done.results}
    stored = list(records_of(server.client(), domain))
    there = {record["id"] for record in stored}
    contents = Counter(record["content"] for record in stored)
    return Parallel(
        per_second=done.timings.per_second,
        p95_ms=done.timings.ms(0.95) if done.results else 0,
        errors=len(done.errors),
        lost=len(acknowledged.keys() - there),
        doubled=sum(n - 1 for n in contents.values()),
        first_error=str(done.errors[0])[:200] if done.errors else "",
    )


def missed_by_word(server: Server, *, count: int) -> int:
    """Return how many records a search for their word did not find at once."""
    client, missed = server.client(), 0
    for _ in range(count):
        word = f"zq{uuid.uuid4().hex[:10]}"
        record = client.write(f"The parcel with the mark {word} came today.")
        hits = client.search(word)["results"]
        missed += not hits or hits[0]["id"] != record["id"]
    return missed


def vector_delay_s(server: Server, *, count: int) -> list[float]:
    """Return for single writes, the worker being idle, the seconds to their vectors."""
    client = server.client()
    client.wait_indexed()
    delays = []
    for text in _texts(count):
        time.sleep(0.5)
        record = client.write(text)
        start = time.perf_counter()
        while not _is_indexed(client, record["id"]):
            if time.perf_counter() - start > LOST_AFTER_S:
                raise TimeoutError(f"no vectors after {LOST_AFTER_S:.0f} s")
            time.sleep(POLL_S)
        delays.append(time.perf_counter() - start)
    return sorted(delays)


def records_of(client: Client, domain: str) -> Iterator[dict[str, Any]]:
    """Yield every record of a domain, page by page."""
    address: str | None = f"/api/memory/records?domain={domain}&page_size=200"
    while address:
        page = client.call("GET", address)
        yield from page["results"]
        following = page["next"]
        address = following and following[following.index("/api/") :]


def report_parallel(section: Section, server: Server, *, each: int) -> None:
    """Report what 20 and 32 writers at once got."""
    for writers in (20, 32):
        got = in_parallel(server, writers=writers, each=each)
        label = f"{writers} writers at once"
        section.add(
            f"{label}, accepted", got.per_second, "/s", note=f"p95 {got.p95_ms:.0f} ms"
        )
        section.add(f"{label}, errors", got.errors, at_most=0, note=got.first_error)
        section.add(f"{label}, lost", got.lost, at_most=0)
        section.add(f"{label}, doubled", got.doubled, at_most=0)


def _is_indexed(client: Client, uid: str) -> bool:
    record = client.call("GET", f"/api/memory/records/{uid}")
    return bool(record["index"]["state"] == "indexed")


def _texts(count: int) -> list[str]:
    """Return texts that were never written before."""
    corpus, run = Corpus(), uuid.uuid4().hex[:8]
    return [
        f"{corpus.short_record(number).content} (entry {run}-{number})"
        for number in range(count)
    ]
