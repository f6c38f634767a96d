"""Restricted sections: who is listed reads or writes, also after moves."""

from typing import Any

import pytest

from accounts.models import User
from memory.models import Chunk, Embedding, Memory, Space
from tests.people import Api, api_for
from tests.wiki.calls import Wiki
from tests.wiki.conftest import SECRET
from tests.wiki.counts import counted, counts_of_the_pages
from wiki.models import Page

pytestmark = pytest.mark.django_db


def test_readers_read_and_writers_write(
    hidden: Any, alice_api: Api, bob_api: Api
) -> None:
    assert hidden["readers"] == ["bob"]
    assert hidden["writers"] == ["admin", "alice"]
    reads, writes = Wiki(bob_api), Wiki(alice_api)
    assert reads.read(SECRET)["restricted"] == "hr"
    assert reads.read("hr/old")["slug"] == "hr/new"
    assert reads.names("hr") == {"hr/new": 0, SECRET: 0}
    assert bob_api.search("axolotl")[0]["path"] == SECRET
    assert reads.post(SECRET, "x", base_revision=1).status_code == 403
    assert writes.save(SECRET, "Changed.\n", base_revision=1)["revision"] == 2
    assert writes.post("home", "x", base_revision=1).status_code == 403
    assert writes.save("hr/next")["restricted"] == "hr"


def test_sections_are_told_apart_by_whole_segments(hidden: Any, stranger: Wiki) -> None:
    assert stranger.read("hr-public")["restricted"] is None


def test_runs_write_where_nothing_is_restricted(hidden: Any, alice: User) -> None:
    cron = Wiki(api_for(alice, run="cron"))
    assert cron.post(SECRET, "x", base_revision=1).status_code == 403
    assert cron.post("log/today").status_code == 201


def test_an_administrator_who_is_not_listed_reads_nothing(hidden: Any) -> None:
    other = Wiki(api_for(User.objects.create_superuser(username="root2")))
    for answer in (other.get(SECRET), other.lift("hr"), other.restrict(SECRET)):
        assert answer.status_code == 404


def test_everything_lives_in_the_space_of_the_section(
    hidden: Any, admin_wiki: Wiki, run_jobs: Any
) -> None:
    run_jobs()
    space = Space.objects.get(kind="wiki", path="hr")

    def spaces() -> set[int]:
        copies = Memory.objects.filter(source_key__startswith="hr/")
        chunks = Chunk.objects.filter(memory__in=copies)
        vectors = Embedding.objects.filter(chunk__in=chunks)
        pages = Page.objects.filter(slug__startswith="hr/")
        assert pages.count() == copies.count() == 2
        assert chunks.exists()
        assert vectors.exists()
        return {
            found
            for rows in (pages, copies, chunks, vectors)
            for found in rows.values_list("space_id", flat=True)
        }

    assert spaces() == {space.pk}
    assert counted() == counts_of_the_pages()
    assert admin_wiki.lift("hr").status_code == 204
    assert spaces() == {Space.objects.get(kind="wiki", path="").pk}
    assert not Space.objects.filter(path="hr").exists()
    assert counted() == counts_of_the_pages()


def test_a_restricted_section_stays_so_when_it_moves(
    hidden: Any, admin_wiki: Wiki, stranger: Wiki
) -> None:
    deleted = admin_wiki.save("hr/gone", "Was here.\n")["id"]
    admin_wiki.delete("hr/gone")
    assert admin_wiki.move("hr", "people/hr").json()["pages"] == 2
    assert admin_wiki.read("people/hr/salaries")["restricted"] == "people/hr"
    for slug in (SECRET, "people/hr/salaries"):
        assert stranger.get(slug).status_code == 404
    assert admin_wiki.undelete(deleted).json()["restricted"] == "people/hr"
    assert stranger.list("/trash")["results"] == []


def test_moving_a_section_leaves_what_one_cannot_see(
    admin_wiki: Wiki, stranger: Wiki
) -> None:
    for slug in ("ops", "ops/a", "ops/secret/b"):
        admin_wiki.save(slug)
    admin_wiki.restrict("ops/secret")
    assert stranger.move("ops", "team").json()["pages"] == 2
    assert admin_wiki.read("ops/secret/b")["restricted"] == "ops/secret"
    assert stranger.names() == {"team": 1}


def test_a_page_in_and_out_of_a_section_changes_its_readers(
    hidden: Any, admin_wiki: Wiki, stranger: Wiki
) -> None:
    admin_wiki.move("hr/new", "open")
    assert stranger.read("open")["restricted"] is None
    admin_wiki.move("open", "hr/again")
    assert stranger.get("open").status_code == 404
    assert stranger.get("hr/again").status_code == 404


def test_a_section_within_a_section_has_lists_of_its_own(
    hidden: Any, admin_wiki: Wiki, bob_api: Api, alice_api: Api
) -> None:
    admin_wiki.restrict(SECRET, readers=["@wiki editors"])
    assert Wiki(bob_api).get(SECRET).status_code == 404
    assert Wiki(bob_api).read("hr/new")["restricted"] == "hr"
    admin_wiki.lift(SECRET)
    assert Wiki(bob_api).read(SECRET)["restricted"] == "hr"


@pytest.mark.parametrize("missing", ["readers", "writers"])
def test_a_list_that_is_left_out_shuts_nobody_out(
    admin_api: Api, admin_wiki: Wiki, missing: str
) -> None:
    lists: dict[str, list[str]] = {"readers": [], "writers": []}
    del lists[missing]
    answer = admin_api("put", admin_wiki.at("/restriction", "hr"), lists)
    assert (answer.status_code, answer.json()["error"]["field"]) == (400, missing)
    assert not Space.objects.filter(path="hr").exists()


@pytest.mark.parametrize("names", [["nobody-here"], ["@no group"], ["@"]])
def test_unknown_names_are_refused(admin_wiki: Wiki, names: list[str]) -> None:
    answer = admin_wiki.restrict("hr", readers=names)
    assert (answer.status_code, answer.json()["error"]["field"]) == (400, "readers")
    assert not Space.objects.filter(path="hr").exists()
