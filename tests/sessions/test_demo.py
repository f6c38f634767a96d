"""The sample organisation has talked: to look at, and each conversation for its own."""

import pytest

from memory import demo
from memory.models import Session
from tests.people import make_admin
from tests.web.conftest import browser


@pytest.mark.django_db
def test_the_sample_has_conversations_for_who_took_part() -> None:
    make_admin()
    reader = demo.load().reader
    page = browser(reader).get("/sessions/").content.decode()
    for title in ("Morning bulletin", "Handover to the night desk", "Relay service"):
        assert title in page
    assert not Session.objects.filter(closed_at__isnull=True).exists()
    session = Session.objects.get(title="Morning bulletin")
    shown = browser(reader).get(f"/sessions/{session.uid}").content.decode()
    assert "snow line at the end" in shown
    later = Session.objects.get(title="Relay service")
    assert session.last_active_at < later.created_at
