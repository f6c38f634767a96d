"""Rename and move: old addresses lead on, nothing is lost, nothing is rewritten."""

import pytest

from tests.wiki.calls import Wiki
from tests.wiki.counts import counted, counts_of_the_pages
from wiki.models import Redirect

pytestmark = pytest.mark.django_db


def test_a_moved_page_is_found_under_its_old_address(wiki: Wiki) -> None:
    wiki.save("ops/failover", "Text.")
    answer = wiki.move("ops/failover", "Runbooks/Failover")
    assert answer.json() == {"slug": "runbooks/failover", "pages": 1}
    old = wiki.read("ops/failover")
    assert old["slug"] == "runbooks/failover"
    assert old["redirected_from"] == "ops/failover"
    assert wiki.read("runbooks/failover")["redirected_from"] is None
    assert old["revision"] == 1


def test_the_other_case_leads_to_the_page(wiki: Wiki) -> None:
    wiki.save("docs/api")
    page = wiki.read("docs/API")
    assert (page["slug"], page["redirected_from"]) == ("docs/api", "docs/API")
    answer = wiki.post("docs/API", "Other.")
    assert answer.json()["error"]["code"] == "edit_conflict"


def test_sub_pages_move_along_by_whole_segments(wiki: Wiki) -> None:
    for slug in ("ops", "ops/a", "ops/a/b", "ops-other", "opsx/a"):
        wiki.save(slug)
    assert wiki.move("ops", "team/ops").json()["pages"] == 3
    assert sorted(wiki.slugs()) == [
        "ops-other",
        "opsx/a",
        "team/ops",
        "team/ops/a",
        "team/ops/a/b",
    ]
    assert wiki.read("ops/a/b")["slug"] == "team/ops/a/b"
    assert counted() == counts_of_the_pages()


def test_a_section_without_a_page_of_its_own_moves(wiki: Wiki) -> None:
    wiki.save("ops/a")
    assert wiki.move("ops", "team").json()["pages"] == 1
    assert wiki.slugs() == ["team/a"]


def test_renaming_twice_and_back_leaves_no_chain_and_no_loop(wiki: Wiki) -> None:
    wiki.save("a")
    wiki.move("a", "b")
    wiki.move("b", "c")
    for slug in ("a", "b"):
        assert wiki.read(slug)["slug"] == "c"
    assert set(Redirect.objects.values_list("page__slug", flat=True)) == {"c"}
    wiki.move("c", "a")
    assert wiki.read("a")["redirected_from"] is None
    assert wiki.read("b")["slug"] == wiki.read("c")["slug"] == "a"
    assert not Redirect.objects.filter(slug="a").exists()


def test_an_old_address_moves_the_page(wiki: Wiki) -> None:
    wiki.save("a")
    wiki.move("a", "b")
    assert wiki.move("a", "c").status_code == 404
    assert wiki.read("b")["slug"] == "b"


def test_a_live_page_beats_a_redirect(wiki: Wiki) -> None:
    wiki.save("a", "Old.")
    wiki.move("a", "b")
    wiki.save("a", "New.")
    assert wiki.read("a")["body"] == "New."
    wiki.delete("a")
    assert wiki.read("a")["slug"] == "b"


@pytest.mark.parametrize("target", ["b", "B"])
def test_a_slug_that_is_taken_is_refused(wiki: Wiki, target: str) -> None:
    wiki.save("a")
    wiki.save("b")
    answer = wiki.move("a", target)
    assert answer.status_code == 409
    error = answer.json()["error"]
    assert (error["code"], error["suggestion"]) == ("slug_taken", "b-2")
    assert sorted(wiki.slugs()) == ["a", "b"]


def test_a_taken_slug_of_one_sub_page_keeps_all_from_moving(wiki: Wiki) -> None:
    for slug in ("a", "a/x", "b/x"):
        wiki.save(slug)
    answer = wiki.move("a", "b")
    assert answer.json()["error"]["code"] == "slug_taken"
    assert "b/x" in answer.json()["error"]["message"]
    assert sorted(wiki.slugs()) == ["a", "a/x", "b/x"]


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("ops/below", "invalid"),
        ("-/edit", "slug_reserved"),
        ("wikijs/x", "slug_reserved"),
        ("../x", "bad_slug"),
        ("x" * 190, "bad_slug"),
        ("", "bad_slug"),
    ],
)
def test_places_to_which_nothing_moves(wiki: Wiki, target: str, code: str) -> None:
    wiki.save("ops")
    wiki.save("ops/runbooks/failover")
    answer = wiki.move("ops", target)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == code
    assert sorted(wiki.slugs()) == ["ops", "ops/runbooks/failover"]


def test_the_same_place_is_no_move(wiki: Wiki) -> None:
    wiki.save("a")
    assert wiki.move("a", "A").json() == {"slug": "a", "pages": 0}
    assert not Redirect.objects.exists()


def test_a_spelling_with_the_same_key_is_just_written_anew(wiki: Wiki) -> None:
    wiki.save("straße/a")
    wiki.save("straße")
    assert wiki.move("straße", "strasse").json()["pages"] == 2
    assert sorted(wiki.slugs()) == ["strasse", "strasse/a"]
    assert not Redirect.objects.exists()
    assert counted() == counts_of_the_pages()


def test_an_edit_begun_before_the_move_lands_on_the_page(wiki: Wiki) -> None:
    wiki.save("a", "One.")
    wiki.move("a", "b")
    assert wiki.save("a", "Two.", base_revision=1)["slug"] == "b"
    assert wiki.read("b")["body"] == "Two."


def test_what_lies_in_the_trash_moves_along(wiki: Wiki) -> None:
    wiki.save("ops/a")
    uid = wiki.save("ops/b")["id"]
    wiki.delete("ops/b")
    wiki.move("ops", "team")
    assert wiki.undelete(uid).json()["slug"] == "team/b"


def test_moving_asks_a_fixed_number_of_queries(
    wiki: Wiki, django_assert_max_num_queries: object
) -> None:
    for number in range(30):
        wiki.save(f"ops/p{number}", "See [[home]].")
    with django_assert_max_num_queries(150):  # type: ignore[operator]
        wiki.move("ops", "team")
