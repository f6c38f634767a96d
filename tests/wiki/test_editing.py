"""Two people edit one page: both edits are kept, or the second one is told."""

import threading
from typing import Any

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.actors import system_actor
from goclaw.lib.errors import Conflict
from tests.wiki.calls import Wiki
from wiki.finding import find_page
from wiki.models import Page, Revision
from wiki.pages import save_page

TEN = "".join(f"line {number}\n" for number in range(10))


@pytest.mark.django_db
def test_edits_that_do_not_touch_are_merged(wiki: Wiki, admin_wiki: Wiki) -> None:
    wiki.save("a", TEN, title="T", tags=["x"])
    wiki.save("a", TEN.replace("line 1\n", "ONE\n"), base_revision=1, tags=["x", "y"])
    saved = admin_wiki.save(
        "a", TEN.replace("line 8\n", "EIGHT\n"), base_revision=1, title="New", tags=[]
    )
    assert saved["merged"] is True
    assert saved["revision"] == 3
    assert saved["body"] == TEN.replace("line 1\n", "ONE\n").replace(
        "line 8\n", "EIGHT\n"
    )
    assert (saved["title"], saved["tags"]) == ("New", ["y"])


@pytest.mark.django_db
def test_edits_of_the_same_lines_are_a_conflict_with_both_texts(
    wiki: Wiki, admin_wiki: Wiki
) -> None:
    wiki.save("a", "one\n", title="T")
    wiki.save("a", "mine\n", base_revision=1)
    answer = admin_wiki.post("a", "yours\n", base_revision=1)
    assert answer.status_code == 409
    error = answer.json()["error"]
    assert error["code"] == "edit_conflict"
    assert error["current_revision"] == 2
    assert error["current_body"] == "mine\n"
    assert "mine\n" in error["merged_body"]
    assert "yours\n" in error["merged_body"]
    assert wiki.read("a")["body"] == "mine\n"
    resolved = admin_wiki.save("a", "mine\nyours\n", base_revision=2)
    assert resolved["revision"] == 3


@pytest.mark.django_db
def test_titles_that_both_changed_are_a_conflict(wiki: Wiki) -> None:
    wiki.save("a", "one\n", title="T")
    wiki.save("a", "one\n", title="Mine", base_revision=1)
    answer = wiki.post("a", "one\n", title="Yours", base_revision=1)
    assert answer.json()["error"]["current_title"] == "Mine"


@pytest.mark.django_db
def test_the_etag_is_a_base_revision(wiki: Wiki) -> None:
    first = wiki.post("a", "one\n")
    headers = {"If_Match": first.headers["ETag"]}
    second = wiki.post("a", "two\n", headers=headers)
    assert second.json()["revision"] == 2
    stale = wiki.post("a", "three\n", headers=headers)
    assert stale.status_code == 409
    unseen = wiki.post("a", "three\n", headers={"If_Match": "*"})
    assert unseen.status_code == 409
    for bad in ('"x"', "0", '"99999999999"', '"1', '"1", "2"'):
        answer = wiki.post("a", "four\n", headers={"If_Match": bad})
        assert answer.json()["error"]["field"] == "If-Match"
    both = wiki.post("a", "four\n", headers=headers, base_revision=2)
    assert both.json()["error"]["field"] == "If-Match"


@pytest.mark.django_db
def test_who_did_not_know_of_the_page_overwrites_nothing(wiki: Wiki) -> None:
    wiki.save("a", "one\n")
    answer = wiki.post("a", "two\n")
    assert answer.status_code == 409
    assert answer.json()["error"]["current_body"] == "one\n"
    unknown = wiki.post("a", "two\n", base_revision=9)
    assert unknown.json()["error"]["field"] == "base_revision"


@pytest.mark.django_db
def test_a_repeated_request_saves_once(wiki: Wiki) -> None:
    sent = {"headers": {"Idempotency_Key": "k1"}}
    first = wiki.post("a", "one\n", **sent)
    again = wiki.post("a", "one\n", **sent)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.headers["Idempotent-Replay"] == "true"
    assert wiki.post("a", "two\n", **sent).status_code == 422


# --- history -------------------------------------------------------------------------
@pytest.mark.django_db
def test_history_is_listed_without_texts_and_read_with(wiki: Wiki) -> None:
    wiki.save("a", "one\n")
    for number in (1, 2, 3):
        wiki.save("a", f"{number}\n", base_revision=number, summary=f"s{number}")
    first = wiki.list("/history", slug="a", page_size=3)
    assert [row["revision"] for row in first["results"]] == [4, 3, 2]
    assert "body" not in first["results"][0]
    assert first["next"]
    one = wiki.list("/history", slug="a", revision=2)
    assert (one["body"], one["summary"], one["author"]) == ("1\n", "s1", "erin")
    missing = wiki.api.get("/memory/wiki/history", slug="a", revision=9)
    assert missing.status_code == 404


@pytest.mark.django_db
def test_restoring_writes_an_equal_revision(wiki: Wiki) -> None:
    wiki.save("a", "See [[b]].\n", title="Old", tags=["x"])
    wiki.save("a", "New.\n", title="New", tags=["y"], base_revision=1)
    back = wiki.restore("a", 1).json()
    assert back["revision"] == 3
    assert (back["body"], back["title"], back["tags"]) == ("See [[b]].\n", "Old", ["x"])
    assert wiki.slugs(tag="x") == ["a"]
    assert len(wiki.list("/links/broken")["results"]) == 1
    assert wiki.api.search("See")[0]["title"] == "Old"
    newest = Revision.objects.get(number=3)
    assert newest.summary == "Restored revision 1."
    assert wiki.restore("a", 1).json()["changed"] is False
    assert wiki.restore("a", 9).status_code == 404
    assert Revision.objects.count() == 3


@pytest.mark.django_db
def test_restoring_over_a_change_one_has_not_seen_is_a_conflict(wiki: Wiki) -> None:
    wiki.save("a", "one\n")
    wiki.save("a", "two\n", base_revision=1)
    wiki.save("a", "three\n", base_revision=2)
    answer = wiki.restore("a", 1, base_revision=2)
    assert answer.status_code == 409
    assert wiki.read("a")["body"] == "three\n"


@pytest.mark.django_db
def test_recent_changes_name_the_page_where_it_is_now(wiki: Wiki) -> None:
    wiki.save("a")
    wiki.save("b")
    wiki.move("a", "c")
    rows = wiki.list("/recent")["results"]
    assert [(row["page"], row["slug"]) for row in rows] == [("b", "b"), ("c", "a")]


# --- whatever two people do, nothing is lost ---------------------------------------
LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "d"]), max_size=6)
EDITS = st.lists(
    st.tuples(st.integers(0, 5), st.sampled_from(["put", "cut", "swap"])), max_size=3
)


def edited(lines: list[str], edits: list[tuple[int, str]], mark: str) -> str:
    """Return the lines after edits; whatever is put in is unique."""
    lines = list(lines)
    for step, (at, verb) in enumerate(edits):
        at = min(at, len(lines))
        if verb != "cut":
            lines[at : at + (verb == "swap")] = [f"{mark}{step}\n"]
        else:
            del lines[at : at + 1]
    return "".join(lines)


@pytest.mark.django_db
@given(lines=LINES, mine=EDITS, yours=EDITS)
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_both_edits_survive_or_the_second_is_told(
    lines: list[str], mine: list[tuple[int, str]], yours: list[tuple[int, str]]
) -> None:
    Page.objects.all().delete()
    actor = system_actor()
    base = "".join(lines)
    first, second = edited(lines, mine, "mine"), edited(lines, yours, "yours")
    save_page(actor=actor, slug="a", title="T", body=base)
    save_page(actor=actor, slug="a", body=first, base_revision=1)
    told = None
    try:
        save_page(actor=actor, slug="a", body=second, base_revision=1)
    except Conflict as conflict:
        told = conflict.extra["current_body"]
    page = find_page(actor, "a").page
    body = Revision.objects.get(page=page, number=page.number).body
    if told is not None:
        assert told == body == first
        return
    lines = [*first.splitlines(), *second.splitlines()]
    put = {line for line in lines if line.startswith(("mine", "yours"))}
    assert put <= set(body.splitlines())
    if second == base:
        assert body == first
    if first == base:
        assert body == second


@pytest.mark.django_db(transaction=True)
def test_saves_at_the_same_moment_lose_nothing() -> None:
    actor = system_actor()
    save_page(actor=actor, slug="a", title="T", body=TEN)
    barrier = threading.Barrier(4)
    outcomes: list[Any] = []

    def save(number: int) -> None:
        try:
            barrier.wait()
            body = TEN.replace(f"line {number}\n", f"by {number}\n")
            outcomes.append(
                save_page(actor=actor, slug="a", body=body, base_revision=1)
            )
        except Exception as error:  # noqa: BLE001
            outcomes.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=save, args=(n,)) for n in (0, 3, 6, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [o for o in outcomes if isinstance(o, Exception)] == []
    page = Page.objects.get()
    body = Revision.objects.get(page=page, number=page.number).body
    assert all(f"by {number}\n" in body for number in (0, 3, 6, 9))
    assert page.number == 5


@pytest.mark.django_db(transaction=True)
def test_two_new_pages_of_one_slug_at_the_same_moment() -> None:
    actor = system_actor()
    barrier = threading.Barrier(2)
    outcomes: list[str] = []

    def save(text: str) -> None:
        try:
            barrier.wait()
            save_page(
                actor=actor, slug="straße" if text == "x" else "strasse", body=text
            )
            outcomes.append("saved")
        except Conflict as error:
            outcomes.append(error.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=save, args=(text,)) for text in ("x", "y")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["edit_conflict", "saved"]
    assert Page.objects.count() == Revision.objects.count() == 1
