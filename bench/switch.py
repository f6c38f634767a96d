"""Change the embedding model under a running search: no error, and never a mixture."""

import http.client
import json
import time
from dataclasses import dataclass

from bench.client import Client, Refused
from bench.corpus import Corpus
from bench.embedding_server import RotatedModel, serving
from bench.options import Options
from bench.report import Report
from bench.servers import Server, running

RECORDS, QUICK_RECORDS = 5_000, 600
QUESTIONS = 40
SAME_WITHIN = 0.01
SWITCHED_WITHIN_S = 240.0

_MODELS = """
import django, json
django.setup()
from memory.models import Chunk, Embedding, EmbeddingModel
print(json.dumps({
    "models": list(EmbeddingModel.objects.values_list("name", flat=True)),
    "without": Chunk.objects.exclude(
        pk__in=Embedding.objects.filter(model__name="rotated").values("chunk")
    ).count(),
}))
"""


@dataclass(slots=True)
class Seen:
    """What the searches during the switch answered."""

    searches: int = 0
    errors: int = 0
    degraded: int = 0
    other_answers: int = 0
    first_fault: str = ""


def run(options: Options, report: Report) -> None:
    """Switch on every engine, from the hashing model to an equal one elsewhere."""
    count = QUICK_RECORDS if options.quick else RECORDS
    for engine in options.engines:
        section = report.section(f"Change of the model on {engine}")
        model = RotatedModel()
        with (
            serving(model) as base_url,
            running(
                options.databases(engine), memory_search_provider="hashing"
            ) as server,
        ):
            _fill(server, count)
            expected = _answers(server.client())
            server.restart(
                memory_search_provider="openai",
                memory_search_model="rotated",
                memory_search_base_url=base_url,
            )
            seen, seconds = _search_until_switched(server, model, expected)
            state = json.loads(server.run_beside("-c", _MODELS))
        section.add("records", count)
        section.add("seconds until searches use the new model", seconds, "s")
        section.add("searches meanwhile", seen.searches)
        fault = seen.first_fault
        section.add("errors", seen.errors, at_most=0, note=fault)
        section.add("degraded answers", seen.degraded, at_most=0)
        section.add("answers of a mixture", seen.other_answers, at_most=0, note=fault)
        section.add("chunks without a new vector", state["without"], at_most=0)
        section.add(
            "models kept", len(state["models"]), at_most=1, note=str(state["models"])
        )


def _fill(server: Server, count: int) -> None:
    corpus, client = Corpus(), server.client()
    client.write_all(
        [
            {"scope": "agent_notes", "content": corpus.short_record(number).content}
            for number in range(count)
        ]
    )
    client.wait_indexed()


def _questions() -> list[str]:
    corpus = Corpus()
    return [corpus.question(number) for number in range(QUESTIONS)]


def _answers(client: Client) -> dict[str, list[float]]:
    """Return the scores that each question gets, best first."""
    return {
        question: [hit["score"] for hit in client.search(question)["results"]]
        for question in _questions()
    }


def _search_until_switched(
    server: Server, model: RotatedModel, expected: dict[str, list[float]]
) -> tuple[Seen, float]:
    """Search without a pause until the new model was asked for every question.

    Then once more through all questions, and until the old vectors are gone.
    """
    client, seen, start = server.client(), Seen(), time.perf_counter()
    while not expected.keys() <= model.seen:
        if time.perf_counter() - start > SWITCHED_WITHIN_S:
            raise TimeoutError("searches still use the old model")
        _search_all(client, expected, seen)
    seconds = time.perf_counter() - start
    while _kept(server) > 1 and time.perf_counter() - start < SWITCHED_WITHIN_S:
        _search_all(client, expected, seen)
    return seen, seconds


def _kept(server: Server) -> int:
    return len(json.loads(server.run_beside("-c", _MODELS))["models"])


def _search_all(client: Client, expected: dict[str, list[float]], seen: Seen) -> None:
    for question, scores in expected.items():
        seen.searches += 1
        try:
            answer = client.search(question)
        except (OSError, http.client.HTTPException, Refused) as error:
            seen.errors += 1
            seen.first_fault = seen.first_fault or str(error)[:200]
            continue
        seen.degraded += answer["degraded"] is not None
        found = [hit["score"] for hit in answer["results"]]
        if not _same(found, scores):
            seen.other_answers += 1
            seen.first_fault = seen.first_fault or f"{question}: {found} != {scores}"


def _same(found: list[float], expected: list[float]) -> bool:
    return len(found) == len(expected) and all(
        abs(one - other) <= SAME_WITHIN
        for one, other in zip(found, expected, strict=True)
    )
