"""Conversations that are learned from, and what was learned."""

from memory.models import Memory
from tests.sessions.talking import opened, say

ALARM = "The alarm of the Steg gauge is at 4.2 m."
NOTHING = {"facts": []}


def facts(*made):
    return {
        "facts": [
            {"text": text, "kind": kind, "domain": "gauges", "message": message}
            for text, kind, message in made
        ]
    }


def closed(api, run_jobs, *messages, **fields):
    """Hold a conversation and close it; return its address."""
    session = opened(api, **fields)
    say(api, session, *messages)
    assert api.post(f"{session}/close").status_code == 200
    run_jobs()
    return session


def learned(**where):
    rows = Memory.objects.filter(origin="extraction", **where)
    return sorted(rows.values_list("content", flat=True))
