"""Whether searches find the turns that answer questions about long conversations.

`files`: each session is a daily file of its conversation's own agent; a hit counts for
the evidence within its lines. `turns`: each turn is a record, all in one pool.
"""

import functools
import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from bench import latency
from bench.client import Client
from bench.conversations import Conversation, Question, read
from bench.daily_files import DailyFiles
from bench.engines import SQLITE
from bench.options import Options
from bench.report import Report, Section
from bench.servers import Server, running
from bench.single_turns import SingleTurns
from bench.timing import at_once, one_by_one

QUICK_CONVERSATIONS = 1
ENGINES_WITHIN = 0.01
NOISE = 0.0005
"""Difference between two rankings that is none."""

HYBRID = "hybrid"
SINGLE_RANKERS: dict[str, dict[str, str]] = {
    "vectors only": {
        "memory_search_fusion": "weighted",
        "memory_search_vector_weight": "1",
        "memory_search_keyword_weight": "0",
        "memory_search_min_similarity": "-1",
    },
    "words only": {
        "memory_search_provider": "none",
        "memory_search_min_similarity": "-1",
    },
}
"""The settings under which one ranker alone decides, and nothing is held back."""


class Mode(Protocol):
    """A way to store conversations, and to rate the answers to their questions."""

    @property
    def label(self) -> str:
        """Return the mode's name."""

    @property
    def metrics(self) -> Sequence[str]:
        """Return what `rate` measures, in order."""

    @property
    def targets(self) -> Mapping[str, float]:
        """Return the least mean of some metrics, the main one first."""

    def fill(self, server: Server) -> None:
        """Store the conversations and wait until they are indexed."""

    def rate(
        self, client: Client, conversation: Conversation, question: Question
    ) -> list[float]:
        """Ask, and return one number per metric."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Means of each metric, over all questions and over each category."""

    overall: dict[str, float]
    by_category: dict[int, dict[str, float]]


def run(options: Options, report: Report) -> None:
    """Measure both modes on every engine, if there is data."""
    if options.data is None:
        return
    limit = QUICK_CONVERSATIONS if options.quick else None
    conversations = read(options.data, limit)
    main_scores: dict[str, list[float]] = defaultdict(list)
    for engine in options.engines:
        section = report.section(f"Retrieval on {engine}")
        modes: list[Mode] = [DailyFiles(conversations), SingleTurns(conversations)]
        with running(options.databases(engine)) as server:
            for mode in modes:
                mode.fill(server)
            hybrid = [_scores(server, mode, conversations) for mode in modes]
            for mode, scores in zip(modes, hybrid, strict=True):
                _report(section, mode, scores)
                main_scores[mode.label].append(scores.overall[_main(mode)])
            _report_latency(section, server, conversations)
            if engine == SQLITE:
                _compare(section, server, modes, hybrid, conversations)
    if len(options.engines) > 1:
        section = report.section("Retrieval, difference of the engines")
        for mode in modes:
            values = main_scores[mode.label]
            section.add(
                f"{mode.label}, {_main(mode)}",
                max(values) - min(values),
                at_most=ENGINES_WITHIN,
            )


def _scores(
    server: Server, mode: Mode, conversations: Sequence[Conversation]
) -> Scores:
    client = server.client()
    by_category: dict[int, list[list[float]]] = defaultdict(list)
    for conversation in conversations:
        for question in conversation.questions:
            row = mode.rate(client, conversation, question)
            by_category[question.category].append(row)
    return Scores(
        overall=_means(mode, [row for rows in by_category.values() for row in rows]),
        by_category={
            category: _means(mode, rows) for category, rows in by_category.items()
        },
    )


def _means(mode: Mode, rows: list[list[float]]) -> dict[str, float]:
    means = [statistics.fmean(column) for column in zip(*rows, strict=True)]
    return dict(zip(mode.metrics, means, strict=True))


def _main(mode: Mode) -> str:
    """Return the metric by which rankings are compared."""
    return next(iter(mode.targets))


def _report(section: Section, mode: Mode, scores: Scores) -> None:
    for metric, value in scores.overall.items():
        section.add(f"{mode.label}, {metric}", value, at_least=mode.targets.get(metric))


def _report_latency(
    section: Section, server: Server, conversations: Sequence[Conversation]
) -> None:
    """Report how long the same questions take when nobody asked them before."""
    server.restart()
    texts = [question.text for talk in conversations for question in talk.questions]
    texts = list(dict.fromkeys(texts))
    half = len(texts) // 2
    client = server.client()
    for text in texts[-20:]:
        client.search(text)
    ask = functools.partial(client.search, scopes=["agent_notes"], min_score=0)
    alone = one_by_one([functools.partial(ask, text) for text in texts[:half]])
    latency.report(section, "turns, search, 1 client", alone, p50=20)
    shares = [
        texts[half:-20][start :: latency.CLIENTS] for start in range(latency.CLIENTS)
    ]
    together = at_once(
        [
            [
                functools.partial(
                    other.search, text, scopes=["agent_notes"], min_score=0
                )
                for text in share
            ]
            for share, other in [(share, server.client()) for share in shares]
        ]
    )
    latency.report(section, "turns, search, 8 clients", together, p50=100)


def _compare(
    section: Section,
    server: Server,
    modes: Sequence[Mode],
    hybrid: Sequence[Scores],
    conversations: Sequence[Conversation],
) -> None:
    """Report for each category how far the hybrid is above the better single ranker."""
    single: dict[str, list[Scores]] = defaultdict(list)
    for ranker, settings in SINGLE_RANKERS.items():
        server.restart(**settings)
        for mode in modes:
            scores = _scores(server, mode, conversations)
            single[mode.label].append(scores)
            metric = _main(mode)
            section.add(f"{mode.label}, {ranker}, {metric}", scores.overall[metric])
    for mode, ours in zip(modes, hybrid, strict=True):
        metric = _main(mode)
        for category, means in sorted(ours.by_category.items()):
            others = [
                found.by_category[category][metric] for found in single[mode.label]
            ]
            section.add(
                f"{mode.label}, category {category}, {metric}, hybrid above the better",
                means[metric] - max(others),
                at_least=-NOISE,
                note=f"{HYBRID} {means[metric]:.3f}",
            )
