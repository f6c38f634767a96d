"""The sample wiki: linked, with a past, and never loaded over somebody's pages."""

import itertools
from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import User
from tests.web.conftest import browser
from tests.wiki.web import words_of
from wiki.models import Attachment, Link, Page, RenderedRevision, Revision

pytestmark = pytest.mark.django_db


@pytest.fixture
def loaded(capsys: Any) -> str:
    """Load the sample; return what the command said."""
    call_command("demo")
    return str(capsys.readouterr().out)


def test_the_sample_has_pages_that_hang_together(loaded: str) -> None:
    pages = Page.objects.live()
    assert pages.count() >= 30
    assert f"Loaded the sample wiki: {pages.count()} pages" in loaded
    lonely = pages.filter(links=None, backlinks=None)
    assert list(lonely.values_list("slug", flat=True)) == []
    missing = Link.objects.filter(target=None).values_list("slug", flat=True)
    assert sorted(missing) == ["decisions/second-site", "stations/cima-nera/radio-test"]
    assert not RenderedRevision.objects.exclude(failed="").exists()
    assert Attachment.objects.get().width == 960


def test_each_save_of_the_sample_changed_something_at_its_time(loaded: str) -> None:
    for page in Page.objects.all():
        past = list(page.revisions.order_by("number"))
        texts = [revision.body for revision in past]
        assert all(a != b for a, b in itertools.pairwise(texts)), page.slug
        times = [revision.created_at for revision in past]
        assert times == sorted(times), page.slug


def test_people_of_the_sample_see_what_is_theirs(loaded: str) -> None:
    forecaster = browser(User.objects.get(username="mira.holt"))
    assert "Arvenne Valley Observatory" in words_of(forecaster.get("/wiki/"))
    assert forecaster.get("/wiki/-/edit/home").status_code == 200
    assert forecaster.get("/wiki/house/budget").status_code == 404
    moved = forecaster.get("/wiki/handbook/safety", follow=True)
    assert "Moved here from handbook/safety" in words_of(moved)
    office = browser(User.objects.get(username="ruth.lindqvist"))
    assert office.get("/wiki/house/budget").status_code == 200
    assert "Stations (old list)" in words_of(office.get("/wiki/-/trash"))


def test_a_second_load_leaves_what_people_made_of_it(loaded: str) -> None:
    revisions = Revision.objects.count()
    Page.objects.filter(slug="home").update(title="Ours")
    call_command("demo")
    assert Revision.objects.count() == revisions
    assert Page.objects.get(slug="home").title == "Ours"
