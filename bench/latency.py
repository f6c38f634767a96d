"""How long a search takes over HTTP, for one client and for eight."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

from bench.client import Client
from bench.corpus import Corpus
from bench.report import Section
from bench.servers import Server
from bench.timing import Outcome, at_once, one_by_one

Answer = dict[str, Any]

CLIENTS = 8
WARM_UP = 30


class Questions:
    """Questions that nobody asked before, since the server remembers the last ones."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._asked = 0

    def take(self, count: int) -> list[str]:
        """Return the next questions."""
        first, self._asked = self._asked, self._asked + count
        return [self._corpus.question(number) for number in range(first, self._asked)]


def warm(server: Server, questions: Questions) -> None:
    """Ask until indexes and caches are filled."""
    client = server.client()
    for question in questions.take(WARM_UP):
        client.search(question)


def alone(server: Server, asked: Sequence[str]) -> Outcome[Answer]:
    """Ask one question after the other."""
    return one_by_one(_calls(server.client(), asked))


def together(server: Server, asked: Sequence[str]) -> Outcome[Answer]:
    """Ask by eight clients at once, each its share of the questions."""
    shares = [asked[start::CLIENTS] for start in range(CLIENTS)]
    return at_once([_calls(server.client(), share) for share in shares])


def report(
    section: Section,
    what: str,
    outcome: Outcome[Answer],
    *,
    p50: float | None = None,
    p95: float | None = None,
) -> None:
    """Report median, 95th percentile and errors of a measurement."""
    timings = outcome.timings
    section.add(f"{what}, p50", timings.ms(0.5), "ms", at_most=p50)
    section.add(f"{what}, p95", timings.ms(0.95), "ms", at_most=p95)
    if outcome.errors:
        note = str(outcome.errors[0])[:200]
        section.add(f"{what}, errors", len(outcome.errors), at_most=0, note=note)


def _calls(client: Client, questions: Sequence[str]) -> list[Callable[[], Answer]]:
    return [functools.partial(client.search, question) for question in questions]
