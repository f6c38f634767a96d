"""Records are edited, forgotten, restored and purged."""

from collections.abc import Callable
from typing import Any

import pytest

from memory.models import Memory, Revision
from tests.people import Api, error_of

pytestmark = pytest.mark.django_db

RECORDS = "/memory/records"


def test_an_edit_keeps_the_id_and_what_it_was(alice_api: Api) -> None:
    made = alice_api.write("The meeting is on Monday.", tags=["a", "b"])
    path = f"{RECORDS}/{made['id']}"
    answer = alice_api(
        "patch", path, {"content": "The meeting is on Friday.", "tags": ["b", "c"]}
    )
    assert answer.status_code == 200
    changed = answer.json()
    assert changed["id"] == made["id"]
    assert changed["tags"] == ["b", "c"]
    assert changed["version"] == made["version"] + 1
    revision = Revision.objects.get()
    assert revision.via == "edit"
    assert revision.before == {
        "content": "The meeting is on Monday.",
        "tags": ["a", "b"],
    }
    assert alice_api.search("Monday") == []
    assert [hit["id"] for hit in alice_api.search("Friday")] == [made["id"]]


def test_an_edit_that_changes_nothing_leaves_no_trace(alice_api: Api) -> None:
    made = alice_api.write("same", tags=["t"])
    path = f"{RECORDS}/{made['id']}"
    assert (
        alice_api("patch", path, {"content": "same", "tags": ["t"]}).json()["version"]
        == (made["version"])
    )
    assert not Revision.objects.exists()


def test_two_editors_collide_visibly(alice_api: Api) -> None:
    made = alice_api.write("base")
    path = f"{RECORDS}/{made['id']}"
    seen = alice_api.get(path).headers["ETag"]
    assert (
        alice_api("patch", path, {"content": "one"}, If_Match=seen).status_code == 200
    )
    late = alice_api("patch", path, {"content": "two"}, If_Match=seen)
    assert late.status_code == 409
    assert error_of(late)["code"] == "version_conflict"
    assert alice_api.get(path).json()["content"] == "one"
    any_version = alice_api("patch", path, {"content": "three"}, If_Match="*")
    assert any_version.status_code == 200


@pytest.mark.parametrize("sent", ['"x"', "0", '"99999999999"', '"1', '"1", "2"', ""])
@pytest.mark.parametrize("verb", ["patch", "delete"])
def test_what_is_no_etag_of_ours_changes_nothing(
    alice_api: Api, verb: str, sent: str
) -> None:
    made = alice_api.write("good")
    path = f"{RECORDS}/{made['id']}"
    answer = alice_api(verb, path, {"content": "bad"}, If_Match=sent)
    assert answer.status_code == 400
    assert error_of(answer)["field"] == "If-Match"
    assert alice_api.get(path).json()["content"] == "good"


@pytest.mark.parametrize(
    "fields",
    [
        {"content": " "},
        {"importance": 99},
        {"tags": ["A"]},
        {"scope": "global"},
        {"observed_at": None},
        {"kind": "x"},
    ],
)
def test_a_bad_edit_changes_nothing(alice_api: Api, fields: dict[str, Any]) -> None:
    made = alice_api.write("good")
    answer = alice_api("patch", f"{RECORDS}/{made['id']}", fields)
    assert answer.status_code == 400
    error_of(answer)
    assert alice_api.get(f"{RECORDS}/{made['id']}").json()["version"] == 1


# --- forgetting ----------------------------------------------------------------------
def test_forget_restore(alice_api: Api, run_jobs: Callable[[], int]) -> None:
    made = alice_api.write("the wombat sleeps")
    run_jobs()
    path = f"{RECORDS}/{made['id']}"
    assert alice_api("delete", path).status_code == 204
    assert alice_api.search("wombat") == []
    assert alice_api.get(RECORDS).json()["results"] == []
    assert not Memory.objects.get().chunks.exists()
    assert alice_api("delete", path).status_code == 404
    assert alice_api("patch", path, {"content": "x"}).status_code == 404
    bin_ = alice_api.get(RECORDS, forgotten="true").json()["results"]
    assert [row["id"] for row in bin_] == [made["id"]]
    assert alice_api.post(f"{path}/restore").status_code == 200
    assert [hit["id"] for hit in alice_api.search("wombat")] == [made["id"]]
    assert alice_api.post(f"{path}/restore").status_code == 404


def test_a_fact_that_was_set_again_is_not_restored_over_it(alice_api: Api) -> None:
    path = "/memory/facts/personal/-/k"
    first = alice_api("put", path, {"value": 1}).json()
    assert alice_api("delete", path).status_code == 204
    alice_api("put", path, {"value": 2})
    answer = alice_api.post(f"{RECORDS}/{first['id']}/restore")
    assert answer.status_code == 409
    assert error_of(answer)["code"] == "key_taken"


def test_purging_is_for_administrators(admin_api: Api, cron_api: Api) -> None:
    made = cron_api.write("to be purged", scope="agent_notes")
    path = f"{RECORDS}/{made['id']}?purge=true"
    assert cron_api("delete", path).status_code == 403
    assert admin_api("delete", path).status_code == 204
    assert not Memory.objects.exists()


@pytest.mark.parametrize("how", ["", "?purge=true"])
def test_a_record_that_moved_on_is_not_forgotten_by_whoever_saw_it_before(
    admin_api: Api, how: str
) -> None:
    made = admin_api.write("first words", "agent_notes")
    where = f"/memory/records/{made['id']}"
    admin_api("patch", where, {"content": "other words"})
    refused = admin_api("delete", where + how, If_Match='"1"')
    assert refused.status_code == 409
    assert error_of(refused)["code"] == "version_conflict"
    assert admin_api.get(where).json()["forgotten_at"] is None
    assert admin_api("delete", where + how, If_Match='"2"').status_code == 204


def test_a_misspelt_parameter_forgets_nothing(alice_api: Api) -> None:
    made = alice_api.write("stays")
    answer = alice_api("delete", f"/memory/records/{made['id']}?purg=true")
    assert (answer.status_code, error_of(answer)["code"]) == (400, "unknown_field")
    assert alice_api.get(f"/memory/records/{made['id']}").json()["forgotten_at"] is None
