"""Kill what runs while clients write: nothing is lost, nothing is doubled."""

import contextlib
import http.client
import random
import sqlite3
import threading
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field

import psutil

from bench.client import Client, Refused
from bench.corpus import Corpus
from bench.engines import SQLITE
from bench.options import Options
from bench.report import Report
from bench.servers import Server, running
from bench.writing import records_of

ROUNDS, QUICK_ROUNDS = 20, 2
WRITES, QUICK_WRITES = 1_000, 200
WRITERS = 8
GIVE_UP_AFTER_S = 120.0
GONE_WITHIN_S = 5.0
SUPERVISOR_EVERY = 4
"""In each of so many rounds the supervisor is killed as well."""


@dataclass(slots=True)
class Tally:
    """What was seen over all rounds."""

    kills: int = 0
    acknowledged: int = 0
    retries: int = 0
    lost: int = 0
    doubled: int = 0
    not_indexed: int = 0
    left_behind: int = 0
    damaged: int = 0
    given_up: list[str] = field(default_factory=list)


def run(options: Options, report: Report) -> None:
    """Kill on every engine, each time on the same growing database."""
    rounds = QUICK_ROUNDS if options.quick else ROUNDS
    writes = QUICK_WRITES if options.quick else WRITES
    for engine in options.engines:
        section = report.section(f"Kills on {engine}")
        start, tally = time.perf_counter(), Tally()
        url = options.databases(engine)
        with running(url, started=False, memory_search_provider="hashing") as server:
            for number in range(rounds):
                _Round(server, number, writes, tally).run()
                if engine == SQLITE:
                    tally.damaged += not _is_sound(server)
        section.add("rounds", rounds, note=f"{time.perf_counter() - start:.0f} s")
        section.add("processes killed", tally.kills)
        section.add("writes acknowledged", tally.acknowledged, at_least=rounds * writes)
        section.add("requests repeated by the clients", tally.retries)
        given_up = len(tally.given_up)
        note = tally.given_up[0] if given_up else ""
        section.add("writes given up", given_up, at_most=0, note=note)
        section.add("acknowledged and lost", tally.lost, at_most=0)
        section.add("doubled", tally.doubled, at_most=0)
        section.add("not indexed in the end", tally.not_indexed, at_most=0)
        section.add("processes left behind", tally.left_behind, at_most=0)
        if engine == SQLITE:
            section.add("damaged databases", tally.damaged, at_most=0)


class _Round:
    """One start, many writes with kills among them, and the reckoning."""

    def __init__(self, server: Server, number: int, writes: int, tally: Tally) -> None:
        self._server = server
        self._tally = tally
        self._random = random.Random(number)
        self._domain = f"round-{number}"
        self._kills_supervisor = number % SUPERVISOR_EVERY == SUPERVISOR_EVERY - 1
        corpus = Corpus()
        first = number * writes
        self._texts = iter(
            [
                f"{corpus.short_record(n).content} (entry {n})"
                for n in range(first, first + writes)
            ]
        )
        self._writes = writes
        self._lock = threading.Lock()
        self._acknowledged: dict[str, str] = {}

    def run(self) -> None:
        self._server.launch()
        self._server.wait_for("/healthz")
        writers = [threading.Thread(target=self._write) for _ in range(WRITERS)]
        for writer in writers:
            writer.start()
        self._kill_at_random(writers)
        for writer in writers:
            writer.join()
        self._server.wait_for("/healthz")
        self._reckon()
        self._server.stop()
        self._tally.left_behind += self._left_behind()

    def _write(self) -> None:
        client = self._server.client()
        while (text := self._next_text()) is not None:
            record_id = self._write_one(client, text)
            if record_id is not None:
                with self._lock:
                    self._acknowledged[record_id] = text

    def _next_text(self) -> str | None:
        with self._lock:
            return next(self._texts, None)

    def _write_one(self, client: Client, text: str) -> str | None:
        """Write until it is acknowledged, always under the same key; return the id."""
        key, start = str(uuid.uuid4()), time.monotonic()
        body = {"scope": "agent_notes", "content": text, "domain": self._domain}
        while True:
            try:
                record = client.call(
                    "POST",
                    "/api/memory/records",
                    body,
                    headers={"Idempotency-Key": key},
                )
                return str(record["id"])
            except (OSError, http.client.HTTPException, Refused) as error:
                refused = isinstance(error, Refused) and error.status < 500
                if refused or time.monotonic() - start > GIVE_UP_AFTER_S:
                    self._tally.given_up.append(str(error))
                    return None
            with self._lock:
                self._tally.retries += 1
            time.sleep(0.05)

    def _kill_at_random(self, writers: list[threading.Thread]) -> None:
        """Kill the web server, something of the workers, now and then all of it."""
        victims = ["web", "worker"] + ["supervisor"] * self._kills_supervisor
        self._random.shuffle(victims)
        moments = sorted(self._random.uniform(0.05, 0.85) for _ in victims)
        for victim, moment in zip(victims, moments, strict=True):
            while len(self._acknowledged) < moment * self._writes:
                if not any(writer.is_alive() for writer in writers):
                    return
                time.sleep(0.005)
            self._kill(victim)

    def _kill(self, victim: str) -> None:
        if victim == "supervisor":
            self._server.kill()
            self._tally.left_behind += self._left_behind()
            self._server.launch()
            self._tally.kills += 1
            return
        with contextlib.suppress(psutil.NoSuchProcess, IndexError):
            candidates = self._server.parts(serving=victim == "web")
            self._random.choice(candidates).kill()
            self._tally.kills += 1

    def _left_behind(self) -> int:
        end = time.monotonic() + GONE_WITHIN_S
        while (left := self._server.processes()) and time.monotonic() < end:
            time.sleep(0.1)
        return len(left)

    def _reckon(self) -> None:
        client = self._server.client()
        with contextlib.suppress(TimeoutError):
            client.wait_indexed(timeout_s=240)
        stored = list(records_of(client, self._domain))
        there = {record["id"]: record for record in stored}
        contents = Counter(record["content"] for record in stored)
        tally = self._tally
        tally.acknowledged += len(self._acknowledged)
        tally.lost += sum(
            record_id not in there or there[record_id]["content"] != text
            for record_id, text in self._acknowledged.items()
        )
        tally.doubled += sum(count - 1 for count in contents.values())
        tally.not_indexed += sum(
            record["index"]["state"] != "indexed" for record in stored
        )


def _is_sound(server: Server) -> bool:
    """Say whether SQLite finds nothing wrong with the database."""
    path = server.state_dir / "gc_state.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as database:
        return bool(database.execute("PRAGMA integrity_check").fetchone()[0] == "ok")
