"""Files that agents keep: personal ones for their person, shared ones for all."""

import pytest

from tests.people import Api
from tests.wiki.calls import Wiki
from tests.wiki.files import attach, fetch, pdf, png, upload


def test_a_personal_file_is_for_its_person(alice_api: Api, bob_api: Api) -> None:
    answer = upload(
        alice_api,
        "/files",
        b"# Notes\n\nThe zephyrine valve leaks.",
        "notes.md",
        description="Valves",
        tags="plant,valves",
    )

    assert answer.status_code == 201
    file = answer.json()
    assert file["scope"] == "personal"
    assert file["tags"] == ["plant", "valves"]
    (hit,) = alice_api.search("zephyrine valve")
    assert (hit["scope"], hit["kind"], hit["title"]) == (
        "personal",
        "document",
        "notes.md",
    )
    assert hit["tags"] == ["plant", "valves"]
    assert bob_api.search("zephyrine valve") == []
    assert fetch(bob_api, file["url"]).status_code == 404
    assert bob_api("delete", f"/files/{file['id']}").status_code == 404
    assert fetch(alice_api, file["url"]).status_code == 200


def test_administrators_do_not_read_it_either(alice_api: Api, admin_api: Api) -> None:
    file = upload(alice_api, "/files", b"mine").json()

    assert fetch(admin_api, file["url"]).status_code == 404
    assert admin_api.get("/files").json()["results"] == []


def test_in_shared_conversations_personal_files_are_out_of_reach(
    alice_api: Api,
) -> None:
    file = upload(alice_api, "/files", b"mine").json()
    group = Api(
        alice_api.secret, alice_api.headers | {"X-GoClaw-Conversation": "shared"}
    )

    assert fetch(group, file["url"]).status_code == 404
    assert upload(group, "/files", b"more").status_code == 403


def test_shared_files_are_for_all(cron_api: Api, bob_api: Api) -> None:
    answer = upload(
        cron_api, "/files", pdf("Quixotic budget"), "b.pdf", scope="agent_notes"
    )

    assert answer.status_code == 201
    assert fetch(bob_api, answer.json()["url"]).status_code == 200
    assert bob_api.search("quixotic")[0]["scope"] == "agent_notes"
    assert bob_api("delete", f"/files/{answer.json()['id']}").status_code == 403


@pytest.mark.parametrize(
    ("scope", "status"), [("personal", 403), ("global", 403), ("wiki", 400)]
)
def test_who_may_not_write_records_adds_no_files(
    cron_api: Api, scope: str, status: int
) -> None:
    assert upload(cron_api, "/files", b"x", scope=scope).status_code == status


def test_files_are_found_by_name_type_description_and_tag(
    wiki: Wiki, alice_api: Api
) -> None:
    wiki.save("ops/plan")
    attach(wiki.api, "ops/plan", png(), "Plan of the valley.png")
    upload(alice_api, "/files", b"words", "notes.txt", description="A valley", tags="x")
    upload(alice_api, "/files", b"others", "other.txt")

    def names(**params: str) -> list[str]:
        rows = alice_api.get("/files", **params).json()["results"]
        return [row["name"] for row in rows]

    assert names() == ["other.txt", "notes.txt", "Plan of the valley.png"]
    assert names(q="VALLEY") == ["notes.txt", "Plan of the valley.png"]
    assert names(media_type="image/") == ["Plan of the valley.png"]
    assert names(tag="x") == ["notes.txt"]
    assert names(scope="personal") == ["other.txt", "notes.txt"]
    assert alice_api.get("/files", sort="name").status_code == 400


def test_a_pdf_that_is_none_is_kept_without_text(alice_api: Api) -> None:
    answer = upload(alice_api, "/files", b"%PDF-1.4\n garbage", "broken.pdf")

    assert answer.status_code == 201
    assert alice_api.search("broken.pdf")
