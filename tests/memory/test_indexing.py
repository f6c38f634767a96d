"""The indexing job: batches, failures, edits meanwhile, and a change of model."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
import time_machine
from django.utils import timezone
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from goclaw.lib import config
from memory import embeddings, vectors
from memory.models import Chunk, Embedding, EmbeddingModel, Job, JobState, Memory
from tests.people import Api

pytestmark = pytest.mark.django_db

RunJobs = Callable[[], int]


@pytest.fixture
def use_model(settings: Any) -> Iterator[Callable[..., None]]:
    """Return a function that changes the configured embedding model."""
    original = settings.GOCLAW_EMBEDDING

    def use(**changes: Any) -> None:
        settings.GOCLAW_EMBEDDING = original | changes
        config.reset()
        embeddings.reset()

    yield use
    use()


class EmbeddingServer:
    """A real HTTP server that speaks the embeddings part of OpenAI's API."""

    def __init__(self, server: HTTPServer, dimension: int = 8) -> None:
        self.base_url = server.url_for("/v1")
        self.dimension = dimension
        self.texts: list[str] = []
        self.refuse = ""
        self.status = 200
        server.expect_request("/v1/embeddings").respond_with_handler(self._answer)

    def _answer(self, request: Request) -> Response:
        import json

        texts = request.get_json()["input"]
        if self.status != 200:
            return Response("down", status=self.status)
        if self.refuse and any(self.refuse in text for text in texts):
            body = {"error": {"message": "cannot take this text", "type": "invalid"}}
            return Response(json.dumps(body), 400, content_type="application/json")
        self.texts += texts
        data = [
            {"object": "embedding", "index": n, "embedding": self._vector(text)}
            for n, text in enumerate(texts)
        ]
        body = {"object": "list", "data": data, "model": "m", "usage": {}}
        return Response(json.dumps(body), 200, content_type="application/json")

    def _vector(self, text: str) -> list[float]:
        seed = np.random.default_rng(abs(hash(text)) % 2**32)
        return [float(x) for x in seed.normal(size=self.dimension)]


@pytest.fixture
def server(httpserver: HTTPServer) -> EmbeddingServer:
    return EmbeddingServer(httpserver)


def windows_of(model: EmbeddingModel) -> int:
    return Embedding.objects.filter(model=model).count()


def test_many_records_wait_for_one_job(alice_api: Api, run_jobs: RunJobs) -> None:
    items = [{"scope": "personal", "content": f"number {n}"} for n in range(150)]
    alice_api.post("/memory/records/bulk", {"records": items})
    assert Job.objects.filter(kind="index", state=JobState.QUEUED).count() == 1
    run_jobs()
    job = Job.objects.get(kind="index")
    assert job.state == JobState.DONE
    assert job.result["records"] == 150
    assert not Memory.objects.filter(index_state="pending").exists()
    assert Embedding.objects.count() == 150


def test_a_long_text_has_a_vector_for_every_part(
    alice_api: Api, run_jobs: RunJobs
) -> None:
    alice_api.write(" ".join(f"Sentence {n} of a long text." for n in range(400)))
    run_jobs()
    for chunk in Chunk.objects.all():
        assert chunk.embeddings.count() >= len(chunk.text) // 700 + 1


def test_the_same_text_is_embedded_once(
    alice_api: Api,
    bob_api: Api,
    run_jobs: RunJobs,
    use_model: Any,
    server: EmbeddingServer,
) -> None:
    use_model(provider="openai", model="m", base_url=server.base_url)
    for api in (alice_api, bob_api):
        api.write("the very same text", observed_at="2026-01-01")
    run_jobs()
    assert Embedding.objects.count() == 2
    assert len([t for t in server.texts if "very same" in t]) == 1


def test_an_edit_replaces_chunks_and_vectors(alice_api: Api, run_jobs: RunJobs) -> None:
    made = alice_api.write("before")
    run_jobs()
    old = set(Embedding.objects.values_list("pk", flat=True))
    alice_api("patch", f"/memory/records/{made['id']}", {"content": "after"})
    assert not Embedding.objects.exists()
    run_jobs()
    assert Embedding.objects.count() == 1
    assert not old & set(Embedding.objects.values_list("pk", flat=True))


def test_a_text_the_model_refuses_is_marked_and_the_rest_goes_on(
    alice_api: Api, run_jobs: RunJobs, use_model: Any, server: EmbeddingServer
) -> None:
    use_model(provider="openai", model="m", base_url=server.base_url)
    server.refuse = "poison"
    good = [alice_api.write(f"good {n}")["id"] for n in range(5)]
    bad = alice_api.write("a poison text")["id"]
    run_jobs()
    states = dict(Memory.objects.values_list("uid", "index_state"))
    assert {str(uid) for uid, s in states.items() if s == "indexed"} == set(good)
    failed = alice_api.get(f"/memory/records/{bad}").json()["index"]
    assert failed["state"] == "failed"
    assert failed["error"]
    assert [hit["id"] for hit in alice_api.search("poison")] == [bad]
    assert alice_api.get("/memory/stats").json()["index"] == {
        "pending": 0,
        "indexed": 5,
        "failed": 1,
    }


def test_a_model_that_is_down_loses_nothing(
    alice_api: Api, run_jobs: RunJobs, use_model: Any, server: EmbeddingServer
) -> None:
    use_model(provider="openai", model="m", base_url=server.base_url)
    server.status = 503
    made = alice_api.write("waits for better days")
    run_jobs()
    job = Job.objects.get(kind="index")
    assert job.state == JobState.QUEUED
    assert job.attempts == 1
    assert job.error
    assert [hit["id"] for hit in alice_api.search("better")] == [made["id"]]
    server.status = 200
    with time_machine.travel(timezone.now() + timedelta(minutes=2)):
        run_jobs()
    assert Memory.objects.get().index_state == "indexed"


def test_changing_the_model(
    alice_api: Api, run_jobs: RunJobs, use_model: Any, server: EmbeddingServer
) -> None:
    """Old vectors serve until the new ones cover everything; they never mix."""
    items = [{"scope": "personal", "content": f"heron {n}"} for n in range(70)]
    alice_api.post("/memory/records/bulk", {"records": items})
    run_jobs()
    old = EmbeddingModel.objects.get()
    assert old.ready_at

    use_model(provider="openai", model="new", base_url=server.base_url)
    server.refuse = "heron 69"  # so that the switch stays half way
    served = vectors.serving_model()
    assert served is not None
    assert served.model == old
    answer = alice_api.post("/memory/search", {"query": "heron", "min_score": 0}).json()
    assert answer["mode"] == "hybrid"
    assert answer["degraded"] is None

    new_record = alice_api.write("stork")
    run_jobs()
    new = EmbeddingModel.objects.exclude(pk=old.pk).get()
    assert windows_of(new) == 70
    served = vectors.serving_model()
    assert served is not None
    assert served.model == new  # the refused record is marked, and does not hold it up
    assert not EmbeddingModel.objects.filter(pk=old.pk).exists()
    assert alice_api.search("stork")[0]["id"] == new_record["id"]
    assert set(Embedding.objects.values_list("model", flat=True)) == {new.pk}


def test_during_a_switch_new_records_get_vectors_of_both(
    alice_api: Api, run_jobs: RunJobs, use_model: Any, server: EmbeddingServer
) -> None:
    alice_api.write("heron")
    run_jobs()
    old = EmbeddingModel.objects.get()
    use_model(provider="openai", model="new", base_url=server.base_url)
    models = [served.model for served in vectors.models_to_fill()]
    assert models[1] == old
    assert models[0].name == "new"


def test_the_same_name_elsewhere_is_another_model(
    alice_api: Api, run_jobs: RunJobs, use_model: Any, httpserver: HTTPServer
) -> None:
    """Same dimension, other model: vectors are never mixed."""
    server = EmbeddingServer(httpserver)
    use_model(provider="openai", model="m", base_url=server.base_url)
    alice_api.write("heron")
    run_jobs()
    first = EmbeddingModel.objects.get()
    other = server.base_url.replace("127.0.0.1", "localhost")
    use_model(provider="openai", model="m", base_url=other)
    run_jobs()
    served = vectors.serving_model()
    assert served is not None
    assert served.model == first
