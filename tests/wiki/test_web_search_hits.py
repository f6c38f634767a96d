"""The one search leads to pages and files where people read them."""

import pytest
from django.test import Client

from accounts.models import User
from tests.wiki.calls import Wiki

pytestmark = pytest.mark.django_db


def test_a_page_is_opened_as_a_page(wiki: Wiki, erin: User, client: Client) -> None:
    wiki.save("ops/boiler-pumps", "The boiler pumps are red.\n")
    client.force_login(erin)
    found = client.get("/search", {"q": "boiler pumps"}).content.decode()
    assert 'href="/wiki/ops/boiler-pumps"' in found


def test_the_wikis_search_shows_words(wiki: Wiki, erin: User, client: Client) -> None:
    wiki.save(
        "ops/boiler", "| Part | State |\n|--|--|\n| [[a\\|boiler pump]] | **red** |"
    )
    client.force_login(erin)
    found = client.get("/wiki/-/search", {"q": "boiler pump"}).content.decode()
    assert "Part · State\n<mark>boiler</mark> <mark>pump</mark> · red" in found
