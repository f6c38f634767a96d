"""Who reads and writes which sessions, through the API, as one table."""

from uuid import uuid4

import pytest

from tests.people import api_for, make_user
from tests.sessions.talking import acting_for, gateway, opened, said, say

pytestmark = pytest.mark.django_db

READ, WRITE, KNOW, NOTHING = "read", "write", "know", "nothing"

# (who asks) -> what they may do with Alice's direct session, and with the one that
# Alice and Bob share.
TABLE = {
    "alice by her key": (WRITE, WRITE),
    "alice by her key, shared": (NOTHING, WRITE),
    "alice by her key, cron": (NOTHING, NOTHING),
    "alice by her key, webhook": (NOTHING, NOTHING),
    "alice in the browser": (READ, READ),
    "gateway for alice, direct": (WRITE, WRITE),
    "gateway for alice": (NOTHING, WRITE),
    "gateway for alice, sop": (NOTHING, NOTHING),
    "another gateway for alice, direct": (WRITE, WRITE),
    "bob by his key": (NOTHING, WRITE),
    "gateway for bob": (NOTHING, WRITE),
    "gateway for bob, direct": (NOTHING, WRITE),
    "eve by her key": (NOTHING, NOTHING),
    "gateway for eve": (NOTHING, NOTHING),
    "admin by their key": (KNOW, KNOW),
    "admin in the browser": (KNOW, KNOW),
    "admin by their key, shared": (NOTHING, NOTHING),
    "admin by their key, cron": (NOTHING, NOTHING),
}
READS = ["", "/messages", "/window", "/export", "/archive", "/archive/2026-01-01"]
VERBS = ["/trim", "/close", "/confirm"]


class Browser:
    """Calls the API as a signed-in person's browser does."""

    def __init__(self, client, user):
        client.force_login(user)
        self.client = client

    def get(self, path, **params):
        return self.client.get(f"/api{path}", params)

    def post(self, path, body=None):
        return self("post", path, body)

    def __call__(self, method, path, body=None):
        send = getattr(self.client, method)
        return send(f"/api{path}", body, content_type="application/json")


@pytest.fixture
def world(admin, alice, bob):
    """Alice's direct session and a shared one, with the gateway that opened them."""
    bot = gateway(admin)
    direct = opened(acting_for(bot, alice), title="secret plans")
    shared = opened(acting_for(bot, alice, "shared"), participants=["bob"])
    say(acting_for(bot, alice), direct, "heron")
    say(acting_for(bot, alice, "shared"), shared, "heron")
    return bot, direct, shared


@pytest.fixture
def asking(world, admin, alice, bob, client):
    """Return a function that makes the client of a row of the table."""
    people = {"admin": admin, "alice": alice, "bob": bob, "eve": make_user("eve")}

    def make(who):
        bot, _, _ = world
        who, _, how = who.partition(", ")
        if who.endswith("in the browser"):
            return Browser(client, people[who.split()[0]])
        if "gateway" in who:
            base = gateway(admin) if who.startswith("another") else bot
            api = acting_for(base, people[who.split()[-1]], "shared")
        else:
            api = api_for(people[who.split()[0]])
        if how in {"direct", "shared"}:
            api.headers["X-GoClaw-Conversation"] = how
        elif how:
            api.headers |= {"X-GoClaw-Run": how, "X-GoClaw-Conversation": "direct"}
        return api

    return make


def what_may(api, session):
    """Return what the client may do with a session, asking for everything."""
    append = api.post(f"{session}/messages", {"messages": [said("more")]})
    reads = {api.get(session + path).status_code for path in READS[1:5]}
    changes = {api.post(session + verb).status_code for verb in VERBS}
    changes.add(api("patch", session, {"title": "mine"}).status_code)
    about = api.get(session)
    listed = [f"/sessions/{s['id']}" for s in api.get("/sessions").json()["results"]]
    assert (session in listed) == (reads == {200})
    if reads == {200}:
        assert changes == {200}
        assert api.get(f"{session}/archive/2026-01-01").status_code == 404
        assert {"title", "summary", "variables"} <= about.json().keys()
        return WRITE if append.status_code == 201 else READ
    assert reads == changes == {404}
    assert append.status_code == 404
    if about.status_code == 404:
        return NOTHING
    assert not {"title", "summary", "variables", "conversation"} & about.json().keys()
    assert "heron" not in str(about.json())
    return KNOW


@pytest.mark.parametrize("who", TABLE)
def test_who_may_do_what(who, world, asking):
    _, direct, shared = world
    api = asking(who)
    assert (what_may(api, direct), what_may(api, shared)) == TABLE[who]


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        *(("get", path, None) for path in READS),
        *(("post", verb, {}) for verb in VERBS),
        ("post", "/messages", {"messages": [said("more")]}),
        ("patch", "", {"title": "mine"}),
    ],
)
def test_a_strangers_session_is_as_missing_as_none(world, bob_api, method, path, body):
    _, direct, _ = world
    theirs = bob_api(method, direct + path, body)
    none = bob_api(method, f"/sessions/{uuid4()}{path}", body)
    assert theirs.status_code == none.status_code == 404
    first, second = theirs.json()["error"], none.json()["error"]
    assert {**first, "request_id": ""} == {**second, "request_id": ""}


def test_a_person_without_the_key_of_a_gateway_writes_nothing(world, asking):
    _, direct, _ = world
    browser = asking("alice in the browser")
    refused = browser.post(f"{direct}/messages", {"messages": [said("more")]})
    assert refused.status_code == 403
    assert browser.post("/sessions", {}).status_code == 403
    cron = asking("alice by her key, cron")
    assert cron.post("/sessions", {}).status_code == 403


def test_administrators_list_everybodys_metadata(world, admin_api, bob_api):
    _, direct, shared = world
    rows = admin_api.get("/sessions", everyone="true").json()["results"]
    assert {f"/sessions/{row['id']}" for row in rows} == {direct, shared}
    assert all("title" not in row and "summary" not in row for row in rows)
    assert "secret" not in str(rows)
    assert bob_api.get("/sessions", everyone="true").status_code == 403
    assert admin_api.get("/sessions").json()["results"] == []
