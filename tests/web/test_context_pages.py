"""The pages of what an agent sees, of its files, and of its curated memory."""

import os
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from memory.models import RecallLog, Session
from memory.workspace import get_agent
from tests.web.conftest import browser, remember

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def workspace(settings: Any, tmp_path: Path) -> Path:
    settings.GOCLAW_STATE_DIR = tmp_path
    (tmp_path / "workspace").mkdir()
    return tmp_path / "workspace"


@pytest.fixture
def admin_web(admin: User) -> Client:
    return browser(admin)


def ask(web: Client, **fields: Any) -> str:
    form = {"message": "", "agent": "default", "situation": "direct"} | fields
    answer = web.post("/context/", form)
    assert answer.status_code == 200, answer.content.decode()[:3000]
    return answer.content.decode()


# --- what an agent sees --------------------------------------------------------------
def test_one_sees_ones_own_prompt(
    alice: User, alice_web: Client, workspace: Path
) -> None:
    remember(alice, "My heron is called <Ernst>")
    (workspace / "Memory.md").write_text("Herons nest on pier 9.")
    html = ask(alice_web, message="heron")
    assert "called &lt;Ernst&gt;" in html
    assert "Herons nest on pier 9." in html
    assert 'name="person"' not in html
    shared = ask(alice_web, message="heron", situation="shared")
    assert "Ernst" not in shared
    assert "a shared conversation gets nothing personal" in shared
    assert "Ernst" not in ask(alice_web, message="heron", situation="cron")


def test_of_others_administrators_see_personal_sections_as_counts(
    alice: User, admin: User, admin_web: Client, settings: Any
) -> None:
    remember(alice, "My heron is called Ernst", kind="fact")
    remember(alice, "Ernst eats herring")
    remember(admin, "alice likes the heron", scope="agent_notes")
    session = Session.objects.create(
        agent=get_agent(None), kind="direct", person=alice, summary="About Ernst."
    )
    session.participants.add(alice)
    fields = {"message": "heron Ernst", "person": "alice", "session": str(session.uid)}
    html = ask(admin_web, **fields)
    assert "alice likes the heron" in html
    assert "[2 personal, " in html
    assert "[1 personal, 12 characters]" in html
    for word in ("is called Ernst", "herring", "About Ernst"):
        assert word not in html
    own = ask(admin_web, message="heron", person="admin")
    assert "shown as counts" not in own


def test_nobody_else_sees_anothers_prompt(
    alice: User, bob: User, alice_web: Client
) -> None:
    remember(bob, "My heron is called Ernst")
    html = ask(alice_web, message="heron", person="bob")
    assert "user name: alice" in html
    assert "personal, " not in html
    session = Session.objects.create(agent=get_agent(None), kind="direct", person=bob)
    session.participants.add(bob)
    form = {"message": "", "agent": "default", "situation": "direct"}
    answer = alice_web.post("/context/", form | {"session": str(session.uid)})
    assert answer.status_code == 400
    assert "There is no such session." in answer.content.decode()


def test_looking_leaves_no_trace_in_the_recall_log(
    alice: User, alice_web: Client, settings: Any
) -> None:
    settings.GOCLAW_SEARCH = settings.GOCLAW_SEARCH | {"log_recalls": True}
    remember(alice, "My heron is called Ernst " * 400)
    ask(alice_web, message="heron")
    assert RecallLog.objects.count() == 0


def test_what_was_dropped_is_told(alice: User, alice_web: Client) -> None:
    for n in range(5):
        remember(alice, f"heron number {n} " + "x" * 700)
    html = ask(alice_web, message="heron", budget="1500")
    assert ">dropped</span>" in html
    assert "over the budget, the lowest priority first" in html
    free = ask(alice_web, message="heron", budget="0")
    assert ">dropped</span>" not in free
    assert "no limit" in free


@pytest.mark.parametrize(
    "fields",
    [
        {"budget": "-1"},
        {"session": "x"},
        {"agent": "nobody"},
        {"situation": "x"},
        {"person": "nobody"},
    ],
)
def test_a_bad_form_says_so(admin_web: Client, fields: dict[str, str]) -> None:
    form = {"message": "", "agent": "default", "situation": "direct"} | fields
    answer = admin_web.post("/context/", form)
    assert answer.status_code == 400
    assert "errorlist" in answer.content.decode()


# --- files ---------------------------------------------------------------------------
def test_the_files_with_their_states(
    alice_web: Client, workspace: Path, tmp_path: Path
) -> None:
    (workspace / "memory").mkdir()
    for name in ("a", "b", "c"):
        (workspace / f"memory/{name}.md").write_text(name)
    assert alice_web.get("/workspace/").content.decode().count("not read yet") == 3
    answer = alice_web.post("/workspace/default/read", follow=True)
    assert "3 added, 0 changed" in answer.content.decode()
    (workspace / "memory/a.md").unlink()
    (workspace / "memory/e.md").write_bytes(b"caf\xe9")
    (workspace / "memory/d.md").symlink_to(tmp_path / "outside.md")
    (tmp_path / "outside.md").write_text("secret")
    os.utime(workspace / "memory/b.md", (2_000_000_000, 2_000_000_000))
    html = alice_web.get("/workspace/").content.decode()
    assert "not UTF-8 text" in html
    for state in ("gone from the disk", "changed since", "refused", "indexing"):
        assert html.count(state) == 1, state
    assert "secret" not in html
    assert alice_web.get("/workspace/nobody").status_code == 404
    assert "Edit Memory.md" not in html


# --- Memory.md -----------------------------------------------------------------------
EDIT = "/workspace/default/memory"


def version_of(web: Client) -> str:
    return str(web.get(EDIT).context["form"]["version"].value())


def test_the_curated_file_is_edited_previewed_and_found(
    admin_web: Client, workspace: Path
) -> None:
    assert version_of(admin_web) == ""
    text = "# Curated\r\nThe heron nests. </memory_file>\r\n"
    seen = admin_web.post(EDIT, {"text": text, "version": "", "preview": "1"})
    assert "&amp;lt;/memory_file&gt;" in seen.content.decode()
    assert not (workspace / "Memory.md").exists()
    done = admin_web.post(EDIT, {"text": text, "version": ""}, follow=True)
    assert "Memory.md is saved." in done.content.decode()
    written = (workspace / "Memory.md").read_bytes().decode()
    assert written == text.replace("\r\n", "\n")
    found = admin_web.get("/search", {"q": "heron"}).content.decode()
    assert "Memory.md" in found


def test_what_somebody_else_saved_is_not_overwritten(
    admin_web: Client, workspace: Path
) -> None:
    (workspace / "Memory.md").write_text("first\n")
    version = version_of(admin_web)
    (workspace / "Memory.md").write_text("theirs\n")
    answer = admin_web.post(EDIT, {"text": "mine\n", "version": version})
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "theirs" in html
    assert "mine" in html
    assert (workspace / "Memory.md").read_text() == "theirs\n"
    (workspace / "Memory.md").unlink()
    gone = admin_web.post(EDIT, {"text": "mine\n", "version": version})
    assert gone.status_code == 409


def test_only_administrators_edit_it(alice_web: Client, workspace: Path) -> None:
    (workspace / "Memory.md").write_text("first\n")
    assert alice_web.get(EDIT).status_code == 403
    answer = alice_web.post(EDIT, {"text": "mine", "version": ""})
    assert answer.status_code == 403
    assert (workspace / "Memory.md").read_text() == "first\n"


def test_a_preview_says_what_does_not_fit(admin_web: Client) -> None:
    long = admin_web.post(
        EDIT, {"text": "x" * 25_000, "version": "", "preview": "1"}
    ).content.decode()
    assert "5,000 characters of its middle are left out" in long
    assert "[5,000 characters are left out here]" in long
    escaped = admin_web.post(
        EDIT, {"text": "\u200b" * 19_000, "version": "", "preview": "1"}
    ).content.decode()
    assert "it would be in no prompt at all" in escaped


def test_a_file_that_is_no_text_is_not_edited(
    admin_web: Client, workspace: Path
) -> None:
    (workspace / "Memory.md").write_bytes(b"caf\xe9")
    answer = admin_web.get(EDIT)
    assert answer.status_code == 400
    assert "not UTF-8 text" in answer.content.decode()
