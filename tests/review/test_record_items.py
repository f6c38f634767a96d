"""Decisions about records in the browser: shown, confirmed, taken back."""

import pytest

from accounts.actors import actor_for_user
from memory.drafts import Draft
from memory.lifecycle import deciding as records
from memory.models import ReviewItem
from tests.review.conftest import at, form_of
from tests.wiki.web import seen, text_of, words_of

pytestmark = pytest.mark.django_db


def test_a_decision_is_shown_with_its_reason(replaced, boss_web):
    answer = boss_web.get(at(replaced))
    said_ = words_of(answer)
    for words in (
        "Stands now",
        "Was replaced",
        "4.2 m",
        "4.5 m",
        "the background model, as a judge",
        "The newer one says another height.",
        "tiny",
        "Confirm",
        "Take back",
    ):
        assert words in said_


def test_a_decision_is_confirmed(replaced, boss_web):
    answer = boss_web.post(at(replaced, "approve"), form_of(replaced), follow=True)
    assert "Confirmed" in words_of(answer)
    replaced.refresh_from_db()
    assert (replaced.state, replaced.decided_by.username) == ("approved", "admin")


@pytest.mark.parametrize("verb", ["reject", "undo"])
def test_a_decision_is_taken_back(replaced, boss_web, admin_api, verb):
    assert len(admin_api.search("alarm Steg gauge", scopes=["agent_notes"])) == 1
    answer = boss_web.post(at(replaced, verb), form_of(replaced), follow=True)
    assert "Taken back" in words_of(answer)
    replaced.refresh_from_db()
    assert replaced.state == "undone"
    assert len(admin_api.search("alarm Steg gauge", scopes=["agent_notes"])) == 2


def test_who_edits_the_wiki_does_not_see_decisions_about_records(replaced, web):
    assert web.get(at(replaced)).status_code == 404
    assert replaced.title not in text_of(web.get("/review/"))


def test_a_merge_shows_all_its_sources(learn, admin, boss_web):
    texts = ["Steg alarm: 4.2 m.", "The Steg alarm is 4.2 m.", "Alarm at Steg: 4.2 m."]
    olds = [learn(text, domain="gauges") for text in texts]
    draft = Draft(
        scope="agent_notes",
        content="The alarm at Steg is at 4.2 m.",
        kind="fact",
        domain="gauges",
    )
    records.merge(
        sources=olds,
        draft=draft,
        actor=actor_for_user(admin),
        run="night",
    )
    item = ReviewItem.objects.get(kind="merge")
    answer = boss_web.get(at(item))
    said_ = words_of(answer)
    assert "Source 3" in said_
    ids = [attrs["id"] for _, attrs in seen(answer).tags if attrs.get("id")]
    assert len(ids) == len(set(ids))
