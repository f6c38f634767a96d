"""Many at once: nothing doubled, nothing lost, nobody overwritten."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from memory.models import IdempotentAnswer, Memory, Revision
from tests.people import Api

pytestmark = pytest.mark.django_db(transaction=True)

WRITERS = 20


def at_once(jobs: Sequence[Callable[[], Any]]) -> list[Any]:
    """Run the jobs in as many threads; return what they answered, in order."""

    def run(job: Callable[[], Any]) -> Any:
        try:
            return job()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return [future.result() for future in [pool.submit(run, job) for job in jobs]]


def test_identical_writes_give_one_row(alice_api: Api) -> None:
    body = {"scope": "personal", "content": "only once"}
    answers = at_once([lambda: alice_api.post("/memory/records", body)] * WRITERS)
    assert sorted(a.status_code for a in answers) == [200] * (WRITERS - 1) + [201]
    assert len({a.json()["id"] for a in answers}) == 1
    assert Memory.objects.count() == 1


def test_different_writes_all_arrive(alice_api: Api, bob_api: Api) -> None:
    def write(n: int) -> Callable[[], Any]:
        api = alice_api if n % 2 else bob_api
        body = {"scope": "personal", "content": f"number {n}"}
        return lambda: api.post("/memory/records", body)

    answers = at_once([write(n) for n in range(WRITERS)])
    assert [a.status_code for a in answers] == [201] * WRITERS
    assert Memory.objects.count() == WRITERS
    for n in range(WRITERS):
        api = alice_api if n % 2 else bob_api
        assert any(f"number {n}" == hit["snippet"] for hit in api.search(f"number {n}"))


def test_a_fact_set_by_many_has_one_live_value(alice_api: Api) -> None:
    def put(n: int) -> Callable[[], Any]:
        return lambda: alice_api("put", "/memory/facts/personal/-/k", {"value": n})

    answers = at_once([put(n) for n in range(WRITERS)])
    assert {a.status_code for a in answers} == {201}
    live = Memory.objects.current().get()
    assert Memory.objects.count() == WRITERS
    assert Revision.objects.filter(via="key").count() == WRITERS - 1
    superseding = Memory.objects.filter(superseded_by__isnull=False)
    assert superseding.count() == WRITERS - 1
    assert alice_api.get("/memory/facts/personal/-/k").json()["value"] == live.value


def test_of_many_edits_of_one_version_one_wins(alice_api: Api) -> None:
    made = alice_api.write("base")
    path = f"/memory/records/{made['id']}"

    def edit(n: int) -> Callable[[], Any]:
        return lambda: alice_api(
            "patch", path, {"content": f"edit {n}"}, If_Match='"1"'
        )

    answers = at_once([edit(n) for n in range(8)])
    assert sorted(a.status_code for a in answers) == [200] + [409] * 7
    winner = next(a.json()["content"] for a in answers if a.status_code == 200)
    assert Memory.objects.get().content == winner
    assert Revision.objects.count() == 1


def test_a_retried_request_is_done_once(alice_api: Api) -> None:
    body = {"scope": "personal", "content": "x", "observed_at": "2026-01-01"}

    def post() -> Any:
        return alice_api.post("/memory/records", body, Idempotency_Key="k")

    answers = at_once([post] * 8)
    assert {a.status_code for a in answers} == {201}
    assert len({a.json()["id"] for a in answers}) == 1
    assert Memory.objects.count() == 1
    assert IdempotentAnswer.objects.count() == 1


def test_forget_and_edit_at_once_end_in_one_or_the_other(alice_api: Api) -> None:
    made = alice_api.write("here or gone")
    path = f"/memory/records/{made['id']}"
    edited, forgotten = at_once(
        [
            lambda: alice_api("patch", path, {"content": "edited"}),
            lambda: alice_api("delete", path),
        ]
    )
    assert forgotten.status_code == 204
    assert edited.status_code in {200, 404}
    assert alice_api.search("edited here gone") == []
    assert not Memory.objects.get().chunks.exists()
