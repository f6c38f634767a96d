"""Rules, judge and merge over many notes, killed on the way, and searches meanwhile."""

import contextlib
import functools
import itertools
import threading
import time
from collections.abc import Iterator
from typing import Any

import psutil

from bench.chat_server import ScriptedChat, serving
from bench.client import Client
from bench.corpus import Corpus
from bench.options import Options
from bench.report import Report, Section
from bench.servers import Server, running
from bench.timing import Timings, one_by_one

NOTES, QUICK_NOTES = 10_000, 1_000
SEARCHES, QUICK_SEARCHES = 200, 40
JUDGED_AT_ONCE, GROUPS_AT_ONCE = 8, 10
TARGET_P50_MS, TARGET_P95_MS = 25, 60
"""Those of a search among 10,000 records while nothing else runs."""
KILLED_AFTER_S, DONE_WITHIN_S = 3.0, 1800.0
GOING_ON = {"queued", "running"}


def run(options: Options, report: Report) -> None:
    """Revise and merge on the first engine, with a chat endpoint that is quick."""
    notes = QUICK_NOTES if options.quick else NOTES
    searches = QUICK_SEARCHES if options.quick else SEARCHES
    for engine in options.engines[:1]:
        section = report.section(f"Learning on {engine}")
        chat = ScriptedChat()
        with (
            serving(chat) as base_url,
            running(
                options.databases(engine),
                model_name="scripted",
                model_base_url=base_url,
            ) as server,
        ):
            server.run_beside("-m", "bench.learning_loading", str(notes))
            server.client().wait_indexed()
            _Learning(server, section, chat, notes).run(searches)


class _Learning:
    """One server full of notes that nobody has compared yet."""

    def __init__(
        self, server: Server, section: Section, chat: ScriptedChat, notes: int
    ) -> None:
        self._server = server
        self._section = section
        self._chat = chat
        self._notes = notes
        # Never one twice: the vector of a question asked before is remembered.
        self._questions = map(Corpus().question, itertools.count())

    def run(self, searches: int) -> None:
        """Measure searches alone, then both jobs with searches beside them."""
        client, new = self._server.client(), self._questions
        calls = [functools.partial(client.search, next(new)) for _ in range(searches)]
        self._report("searches alone", one_by_one(calls).timings)
        counts = self._do("revise", "/api/memory/revise", {})
        retired, asked = counts["retired_by_rules"], self._chat.asked["JudgeReply"]
        self._section.add("revise, retired by rules", retired)
        most = -(-(self._notes - retired) // JUDGED_AT_ONCE)
        self._section.add("revise, questions to the model", asked, at_most=most)
        counts = self._do("merge", "/api/memory/consolidate", {"merge": True})
        groups, asked = counts["groups"], self._chat.asked["ConsolidationReply"]
        self._section.add("merge, merged groups", counts["merged"], at_least=groups)
        most = -(-groups // GROUPS_AT_ONCE) + 1  # that of the kill is asked again
        self._section.add("merge, questions to the model", asked, at_most=most)

    def _do(self, what: str, path: str, body: dict[str, Any]) -> dict[str, int]:
        """Run a job to its end, killing its workers once; return its counts."""
        client, timings, errors = self._server.client(), list[float](), list[str]()
        ended = threading.Event()
        searching = threading.Thread(
            target=_search_until,
            args=(ended, self._server, self._questions, timings, errors),
        )
        start = time.perf_counter()
        job = client.call("POST", path, body)
        searching.start()
        try:
            time.sleep(KILLED_AFTER_S)
            killed = _kill_workers(self._server)
            job = _wait_for(client, job["id"])
        finally:
            ended.set()
            searching.join()
        seconds = time.perf_counter() - start
        self._section.add(f"{what}, {self._notes:,} notes", seconds, "s")
        self._section.add(f"{what}, processes killed on the way", killed, at_least=1)
        found = Timings(tuple(sorted(timings)), seconds)
        self._report(f"searches beside {what}", found)
        self._section.add(
            f"searches beside {what}, errors",
            len(errors),
            at_most=0,
            note=errors[0] if errors else f"of {len(timings)}",
        )
        counts: dict[str, int] = job["counts"]
        return counts

    def _report(self, what: str, timings: Timings) -> None:
        self._section.add(f"{what}, p50", timings.ms(0.5), "ms", at_most=TARGET_P50_MS)
        self._section.add(f"{what}, p95", timings.ms(0.95), "ms", at_most=TARGET_P95_MS)


def _search_until(
    ended: threading.Event,
    server: Server,
    questions: Iterator[str],
    timings: list[float],
    errors: list[str],
) -> None:
    """Ask one question after the other, and note the seconds of each."""
    client = server.client()
    for question in questions:
        if ended.is_set():
            return
        start = time.perf_counter()
        try:
            client.search(question)
        except Exception as error:  # noqa: BLE001 - counted and reported
            errors.append(str(error))
        else:
            timings.append(time.perf_counter() - start)


def _kill_workers(server: Server) -> int:
    """Kill all processes of the workers, and return how many."""
    killed = 0
    for process in server.parts(serving=False):
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
            killed += 1
    return killed


def _wait_for(client: Client, job_id: str) -> dict[str, Any]:
    """Return the job when it is done. Raises TimeoutError, or RuntimeError."""
    end = time.monotonic() + DONE_WITHIN_S
    while time.monotonic() < end:
        job: dict[str, Any] = client.call("GET", f"/api/jobs/{job_id}")
        if job["state"] == "done":
            return job
        if job["state"] not in GOING_ON:
            raise RuntimeError(f"the job is {job['state']}: {job['error']}")
        time.sleep(0.5)
    raise TimeoutError(f"the job is {job['state']} after {DONE_WITHIN_S:.0f} s")
