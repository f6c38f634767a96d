"""What a form about a record does for whoever fills it in."""

import re

import pytest
from django.test import Client

from accounts.models import User
from memory.models import Memory
from tests.web.test_record_pages import Write, form_of, text_of

pytestmark = pytest.mark.django_db


def test_whoever_is_signed_out_meanwhile_gets_the_text_back(
    alice: User, alice_web: Client, write: Write
) -> None:
    memory = write(alice, "as it was")
    typed = form_of(memory, content="Long and <dear> to me.")

    for address in ("/memories/add", f"/records/{memory.uid}/edit"):
        answer = Client().post(address, typed)
        assert answer.status_code == 401
        assert "Long and &lt;dear&gt; to me." in text_of(answer)
    answer = Client().post("/workspace/default/memory", {"text": "What I keep."})
    assert "What I keep." in text_of(answer)
    assert Memory.objects.get(pk=memory.pk).version == 1


def test_what_is_malformed_is_explained_in_words(
    alice: User, alice_web: Client, write: Write
) -> None:
    memory = write(alice, "as it was")
    typed = form_of(memory, domain="No Spaces")

    page = text_of(alice_web.post(f"/records/{memory.uid}/edit", typed))

    assert "Use small letters, digits and . _ -" in page
    assert "a-z0-9" not in page


def test_a_personal_record_lies_below_my_memories(
    alice: User, admin: User, alice_web: Client, write: Write
) -> None:
    mine, shared = write(alice, "mine"), write(admin, "of all", scope="agent_notes")

    def marked(memory: Memory) -> list[str]:
        page = text_of(alice_web.get(f"/records/{memory.uid}"))
        return re.findall(r'href="([^"]+)" aria-current', page)

    assert marked(mine) == ["/memories/"]
    assert set(marked(shared)) == {"/records/"}
