"""What nobody sees: people may keep it, agents neither write nor read it."""

import pytest

from accounts.actors import actor_for_user
from accounts.models import User
from tests.people import Api
from tests.wiki.calls import Wiki
from wiki.pages import save_page

UNSEEN = ["\u200b", "\u202e", "\u2066", "\ufeff", "\U000e0041"]
NEEDED = ["\u200c", "\u200d", "\u200f", "\ufe0f"]


@pytest.mark.parametrize("char", UNSEEN)
def test_agents_do_not_save_what_nobody_sees(wiki: Wiki, char: str) -> None:
    for fields in (
        {"body": f"One.\nTwo{char}.\n"},
        {"body": "One.\n", "title": f"T{char}"},
        {"body": "One.\n", "summary": f"S{char}"},
    ):
        answer = wiki.post("a", **fields)
        assert answer.status_code == 400
        assert answer.json()["error"]["code"] == "hidden_characters"
    assert (
        "Line 2 of the body"
        in wiki.post("a", f"One.\nTwo{char}.\n").json()["error"]["message"]
    )
    assert wiki.get("a").status_code == 404


@pytest.mark.parametrize("char", NEEDED)
def test_what_scripts_and_emoji_need_is_kept(wiki: Wiki, char: str) -> None:
    wiki.save("a", f"A{char}B\n")
    assert wiki.read("a")["body"] == f"A{char}B\n"


def test_agents_read_pages_without_it(wiki: Wiki, erin: User, bob_api: Api) -> None:
    body = "The pump".join(UNSEEN) + " is\u200b red\n"
    save_page(actor=actor_for_user(erin), slug="a", body=body)
    assert wiki.read("a")["body"] == "The pump" * (len(UNSEEN) - 1) + " is red\n"
    (hit,) = bob_api.search("pump red")
    assert not set(UNSEEN) & set(hit["snippet"])
