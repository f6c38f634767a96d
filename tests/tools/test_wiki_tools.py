"""The wiki's tools, through the REST door."""

import pytest

from tests.people import Api
from tests.tools.calling import refused, use

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(admin_api: Api) -> str:
    use(
        admin_api,
        "wiki_write",
        slug="handbook/deploys",
        body="# Deploys\n\nOn Tuesdays.\n",
        tags=["ops"],
    )
    return "handbook/deploys"


def test_a_page_is_written_found_and_read(admin_api: Api, page: str) -> None:
    (hit,) = use(admin_api, "wiki_search", query="Tuesdays", min_score=None)["data"][
        "results"
    ]
    assert hit["path"] == page
    told = use(admin_api, "wiki_read", slug=hit["citation"])
    assert told["data"]["body"] == "# Deploys\n\nOn Tuesdays.\n"
    assert told["data"]["revision"] == 1
    assert told["data"]["tags"] == ["ops"]
    assert "revision 1" in told["text"]
    assert "On Tuesdays." in told["text"]


def test_a_change_needs_the_revision_it_is_based_on(admin_api: Api, page: str) -> None:
    new = {"slug": page, "body": "# Deploys\n\nOn Thursdays.\n"}
    status, error = refused(admin_api, "wiki_write", **new)
    assert (status, error["code"]) == (409, "edit_conflict")
    assert "base_revision" in error["remedy"]
    saved = use(admin_api, "wiki_write", base_revision=1, **new)
    assert saved["data"]["revision"] == 2
    assert not saved["data"]["created"]
    assert use(admin_api, "wiki_read", slug=page)["data"]["tags"] == ["ops"]


def test_the_same_text_makes_no_revision(admin_api: Api, page: str) -> None:
    same = {"slug": page, "body": "# Deploys\n\nOn Tuesdays.\n", "base_revision": 1}
    assert not use(admin_api, "wiki_write", **same)["data"]["changed"]


def test_only_pages_are_searched(admin_api: Api, page: str) -> None:
    admin_api.write("Tuesdays are mine.")
    found = use(admin_api, "wiki_search", query="Tuesdays")["data"]["results"]
    assert [hit["path"] for hit in found] == [page]
    assert (
        use(admin_api, "wiki_search", query="Tuesdays", tag="other")["data"]["results"]
        == []
    )


def test_a_restricted_page_is_a_missing_one(
    admin_api: Api, alice_api: Api, page: str
) -> None:
    answer = admin_api(
        "put", "/memory/wiki/restriction?slug=handbook", {"readers": [], "writers": []}
    )
    assert answer.status_code in {200, 201}, answer.json()
    answers = []
    for slug in (page, "handbook/nothing"):
        status, error = refused(alice_api, "wiki_read", slug=slug)
        del error["request_id"]
        answers.append((status, error))
    assert answers[0] == answers[1]
    assert answers[0][0] == 404
    found = use(alice_api, "wiki_search", query="Tuesdays")
    assert found["data"]["results"] == []


def test_hidden_characters_are_refused(admin_api: Api) -> None:
    status, error = refused(admin_api, "wiki_write", slug="a", body="x\u200by")
    assert (status, error["code"]) == (400, "hidden_characters")
