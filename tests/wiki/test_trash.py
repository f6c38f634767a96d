"""Deleting, and bringing back what was deleted."""

import pytest

from memory.models import Memory
from tests.wiki.calls import Wiki
from wiki.models import Revision

pytestmark = pytest.mark.django_db


def test_a_deleted_page_is_gone_until_it_is_brought_back(wiki: Wiki) -> None:
    wiki.save("a", "One.\n")
    uid = wiki.save("a", "Two. [[b]]\n", base_revision=1, tags=["t"])["id"]
    assert wiki.delete("a").status_code == 204
    assert wiki.get("a").status_code == 404
    assert wiki.slugs() == []
    assert wiki.names() == {}
    assert wiki.list("/recent")["results"] == []
    assert wiki.list("/tags")["results"] == []
    assert wiki.list("/links/broken")["results"] == []
    assert Revision.objects.count() == 2
    (row,) = wiki.list("/trash")["results"]
    assert (row["id"], row["slug"], row["deleted_by"]) == (uid, "a", "erin")

    back = wiki.undelete(uid)
    assert back.status_code == 200
    assert back.json()["body"] == "Two. [[b]]\n"
    assert wiki.names() == {"a": 0}
    assert wiki.slugs(tag="t") == ["a"]
    assert len(wiki.list("/links/broken")["results"]) == 1
    assert Memory.objects.get(scope="wiki").source_key == "a"
    assert wiki.list("/trash")["results"] == []
    assert wiki.undelete(uid).status_code == 404


def test_pages_below_a_deleted_one_stay(wiki: Wiki) -> None:
    wiki.save("ops")
    wiki.save("ops/a")
    wiki.delete("ops")
    assert wiki.read("ops/a")["slug"] == "ops/a"
    assert wiki.names() == {"ops": 1}


def test_a_slug_can_be_used_again_and_says_that_there_was_a_page(wiki: Wiki) -> None:
    uid = wiki.save("a", "Old.")["id"]
    wiki.delete("a")
    new = wiki.save("a", "New.")
    assert new["in_trash"] is True
    assert new["revision"] == 1

    refused = wiki.undelete(uid)
    assert refused.status_code == 409
    error = refused.json()["error"]
    assert (error["code"], error["suggestion"]) == ("slug_taken", "a-2")
    assert wiki.undelete(uid, to="a-2").json()["body"] == "Old."
    assert wiki.read("a")["body"] == "New."


def test_deleting_what_was_changed_meanwhile_is_refused(wiki: Wiki) -> None:
    wiki.save("a", "One.")
    wiki.save("a", "Two.", base_revision=1)
    answer = wiki.delete("a", If_Match='"1"')
    assert answer.status_code == 409
    assert answer.json()["error"]["current_revision"] == 2
    assert wiki.delete("a", If_Match='"2"').status_code == 204


def test_an_edit_of_a_page_that_was_deleted_meanwhile_is_not_lost(wiki: Wiki) -> None:
    wiki.save("a", "One.")
    wiki.delete("a")
    answer = wiki.post("a", "Two.", base_revision=1)
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "page_gone"
    assert wiki.get("a").status_code == 404


def test_readers_see_nothing_of_the_trash(wiki: Wiki, reader: Wiki) -> None:
    uid = wiki.save("a")["id"]
    wiki.delete("a")
    assert reader.list("/trash")["results"] == []
    assert reader.undelete(uid).status_code == 403
