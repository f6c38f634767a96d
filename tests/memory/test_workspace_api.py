"""Workspace files: sync, citations, reading, and paths that lead elsewhere."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory.models import Memory
from tests.people import Api

pytestmark = pytest.mark.django_db


@pytest.fixture
def state(settings: Any, tmp_path: Path) -> Path:
    settings.GOCLAW_STATE_DIR = tmp_path
    for folder in ("workspace/memory", "agents/scout/workspace/memory"):
        (tmp_path / folder).mkdir(parents=True)
    return tmp_path


def put(state: Path, path: str, text: str | bytes) -> Path:
    file = state / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def sync(api: Api, **body: Any) -> Any:
    answer = api.post("/workspace/sync", body)
    assert answer.status_code == 200, answer.json()
    return answer.json()


def counts(result: dict[str, Any]) -> tuple[int, int, int, int]:
    return tuple(result[k] for k in ("added", "changed", "removed", "unchanged"))  # type: ignore[return-value]


def test_only_what_belongs_is_indexed(state: Path, alice_api: Api) -> None:
    indexed = [
        "Memory.md",
        "AGENTS.md",
        "IDENTITY.md",
        "SOUL.md",
        "memory/2026-03-27.md",
        "memory/people/anna.md",
        "skills/deploy/SKILL.md",
        "docs/a/b/c.md",
    ]
    left_out = [
        "notes.md",
        "USER.md",
        "memory/data.json",
        "memory/archive/2026-01-01-s.md",
        "memory/archived/2026-01-01.md",
        "memory/.hidden.md",
        "skills/SKILL.md",
        "skills/deploy/notes.md",
        "docs/a.txt",
    ]
    for path in indexed + left_out:
        put(state, f"workspace/{path}", f"text of {path}")
    result = sync(alice_api)
    assert counts(result) == (len(indexed), 0, 0, 0)
    assert result["failed"] == []
    listed = alice_api.get("/workspace/files", page_size=200).json()["results"]
    assert sorted(row["path"] for row in listed) == sorted(indexed)
    for path in left_out:
        answer = alice_api.get("/memory/get", path=path)
        assert answer.status_code == 400
        assert answer.json()["error"]["code"] == "path_refused"


def test_a_sync_is_incremental(
    state: Path, alice_api: Api, run_jobs: Callable[[], int]
) -> None:
    put(state, "workspace/memory/2026-03-27.md", "the heron nests")
    put(state, "workspace/memory/2026-03-28.md", "the stork flies")
    assert counts(sync(alice_api)) == (2, 0, 0, 0)
    assert alice_api.get("/memory/stats").json()["index"]["pending"] == 2
    run_jobs()
    assert counts(sync(alice_api)) == (0, 0, 0, 2)
    assert alice_api.get("/memory/stats").json()["index"]["pending"] == 0
    before = alice_api.search("heron")[0]["id"]
    put(state, "workspace/memory/2026-03-27.md", "the heron has left")
    (state / "workspace/memory/2026-03-28.md").unlink()
    assert counts(sync(alice_api)) == (0, 1, 1, 0)
    assert alice_api.search("heron")[0]["id"] == before
    assert alice_api.search("stork") == []
    assert counts(sync(alice_api, force=True)) == (0, 1, 0, 0)


def test_a_hit_cites_path_and_lines_that_can_be_read(
    state: Path, alice_api: Api
) -> None:
    lines = [f"Turn {n} of the day." for n in range(1, 121)]
    lines[77] = "The heron nests on pier 9."
    put(state, "workspace/memory/2026-03-27.md", "\n".join(lines) + "\n")
    sync(alice_api)
    hit = alice_api.search("heron pier")[0]
    assert hit["path"] == "memory/2026-03-27.md"
    assert hit["line_start"] <= 78 <= hit["line_end"]
    assert hit["citation"].startswith("memory/2026-03-27.md#L")
    assert hit["kind"] == "note"
    read = alice_api.get(
        "/memory/get", path=hit["citation"], **{"from": 78, "lines": 2}
    ).json()
    assert read["text"] == "The heron nests on pier 9.\nTurn 79 of the day."
    assert (read["line_start"], read["line_end"], read["total_lines"]) == (78, 79, 120)
    beyond = alice_api.get("/memory/get", path=hit["path"], **{"from": 500}).json()
    assert (beyond["text"], beyond["line_start"], beyond["missing"]) == ("", 0, False)


def test_agents_have_workspaces_of_their_own(state: Path, alice_api: Api) -> None:
    put(state, "workspace/Memory.md", "the default agent knows herons")
    put(state, "agents/scout/workspace/Memory.md", "the scout knows herons")
    sync(alice_api)
    sync(alice_api, agent="scout")
    assert len(alice_api.search("herons")) == 2
    found = alice_api.search("herons", agent="scout")
    assert [hit["snippet"] for hit in found] == ["the scout knows herons"]
    text = alice_api.get("/memory/get", path="Memory.md", agent="scout").json()["text"]
    assert text == "the scout knows herons"


@pytest.mark.parametrize("agent", ["nobody", "Scout", "../workspace", "a" * 65, ""])
def test_an_agent_without_a_folder(state: Path, alice_api: Api, agent: str) -> None:
    answer = alice_api.post("/workspace/sync", {"agent": agent})
    assert answer.status_code in {400, 404}
    assert answer.json()["error"]["field"] == "agent"


def test_a_missing_file_is_an_empty_text(state: Path, alice_api: Api) -> None:
    answer = alice_api.get("/memory/get", path="memory/2026-01-01.md")
    assert answer.status_code == 200
    assert answer.json()["missing"] is True
    assert answer.json()["text"] == ""


ESCAPES = [
    "../credentials/secret-key",
    "memory/../../x.md",
    "/etc/passwd",
    "memory/..",
    "~/x.md",
    "memory\\x.md",
    "workspace-evil/memory/x.md",
    "../workspace-evil/Memory.md",
    "memory/link.md",
    "memory/linked/x.md",
    "",
    "x" * 600,
]


@pytest.mark.parametrize("path", ESCAPES)
def test_a_path_that_leads_out_is_refused(
    state: Path, alice_api: Api, path: str
) -> None:
    secret = put(state, "workspace-evil/Memory.md", "secret")
    put(state, "workspace-evil/x.md", "secret")
    (state / "workspace/memory/link.md").symlink_to(secret)
    (state / "workspace/memory/linked").symlink_to(state / "workspace-evil")
    answer = alice_api.get("/memory/get", path=path)
    assert answer.status_code == 400, answer.json()
    assert "secret" not in answer.content.decode()


def test_a_link_out_is_reported_and_the_rest_goes_on(
    state: Path, alice_api: Api
) -> None:
    secret = put(state, "outside.md", "secret heron")
    (state / "workspace/memory/link.md").symlink_to(secret)
    put(state, "workspace/memory/inside.md", "public heron")
    inner = state / "workspace/memory/inner.md"
    inner.symlink_to(state / "workspace/memory/inside.md")
    put(state, "workspace/memory/latin.md", b"caf\xe9")
    put(state, "workspace/memory/nul.md", b"a\0b")
    result = sync(alice_api)
    assert result["added"] == 2
    assert {row["path"] for row in result["failed"]} == {
        "memory/link.md",
        "memory/latin.md",
        "memory/nul.md",
    }
    assert [hit["snippet"] for hit in alice_api.search("heron")] == ["public heron"]


def test_a_file_that_fails_keeps_what_was_known(state: Path, alice_api: Api) -> None:
    put(state, "workspace/Memory.md", "the heron nests")
    sync(alice_api)
    put(state, "workspace/Memory.md", b"\xff\xfe")
    assert counts(sync(alice_api)) == (0, 0, 0, 0)
    assert len(alice_api.search("heron")) == 1


@pytest.mark.parametrize(
    ("path", "date"),
    [
        ("memory/2026-03-27.md", "2026-03-27T00:00:00Z"),
        ("memory/sub/2025-01-02-talk.md", "2025-01-02T00:00:00Z"),
    ],
)
def test_a_dated_file_counts_from_its_date(
    state: Path, alice_api: Api, path: str, date: str
) -> None:
    put(state, f"workspace/{path}", "dated")
    sync(alice_api)
    row = alice_api.get("/workspace/files").json()["results"][0]
    assert row["observed_at"] == date


def test_configured_paths(
    state: Path, tmp_path_factory: Any, settings: Any, alice_api: Api
) -> None:
    elsewhere = tmp_path_factory.mktemp("notes")
    put(elsewhere, "a.md", "an extra heron")
    put(elsewhere, "b.txt", "another heron")
    put(elsewhere, "c.pdf", "no heron")
    settings.GOCLAW_WORKSPACE_PATHS = [str(elsewhere), "handbook"]
    put(state, "workspace/handbook/x.txt", "handbook heron")
    result = sync(alice_api)
    assert result["added"] == 3
    path = f"paths/{elsewhere.name}/a.md"
    assert alice_api.get("/memory/get", path=path).json()["text"] == "an extra heron"


def test_path_prefix_compares_whole_segments(state: Path, alice_api: Api) -> None:
    put(state, "workspace/docs/ops/a.md", "heron one")
    put(state, "workspace/docs/ops-old/b.md", "heron two")
    put(state, "workspace/docs/OPS/c.md", "heron three")
    sync(alice_api)
    for prefix in ("docs/ops", "docs/ops/"):
        hits = alice_api.search("heron", path_prefix=prefix)
        assert [hit["path"] for hit in hits] == ["docs/ops/a.md"]
    exact = alice_api.search("heron", path_prefix="docs/ops/a.md")
    assert [hit["path"] for hit in exact] == ["docs/ops/a.md"]
    assert alice_api.search("heron", path_prefix="docs/%") == []


def test_schema_notes_of_a_data_source(alice: Any, alice_api: Api) -> None:
    from tests.people import api_for

    keeper = api_for(alice, may_write_db_cache=True)
    path = "/memory/db-cache/warehouse/public.orders"
    body = {"content": "orders(id, customer_id, heron_count)"}
    assert alice_api("put", path, body).status_code == 403
    assert keeper("put", path, body).status_code == 200
    assert (
        keeper("put", path, {"content": "orders(id, stork_count)"}).status_code == 200
    )
    assert Memory.objects.count() == 1
    assert alice_api.search("heron_count") == []
    hit = alice_api.search("stork_count")[0]
    assert (hit["scope"], hit["path"]) == ("db_cache", "warehouse/public.orders")
    assert keeper("delete", path).status_code == 204
    assert keeper("delete", path).status_code == 404
    bad = keeper("put", "/memory/db-cache/-x/y", body)
    assert bad.status_code == 400


def test_the_status_says_what_a_sync_would_do(
    state: Path, alice_api: Api, run_jobs: Callable[[], int]
) -> None:
    put(state, "workspace/Memory.md", "herons nest here")
    put(state, "workspace/memory/2026-03-27.md", "rain")
    assert alice_api.get("/workspace/status").json() == {
        "agent": "default",
        "files": 2,
        "states": {"new": 2},
        "in_step": False,
    }
    sync(alice_api)
    run_jobs()
    known = alice_api.get("/workspace/status", agent="default").json()
    assert (known["states"], known["in_step"]) == ({"indexed": 2}, True)
    (state / "workspace/memory/2026-03-27.md").unlink()
    assert alice_api.get("/workspace/status").json()["states"]["gone"] == 1
    assert alice_api.get("/workspace/status", agent="nobody").status_code == 404


def test_a_file_is_read_by_lines_as_it_is_on_disk(state: Path, alice_api: Api) -> None:
    put(state, "agents/scout/workspace/Memory.md", "one\ntwo\nthree\n")
    some = {"path": "Memory.md", "agent": "scout", "from": 2, "lines": 1}
    answer = alice_api.get("/workspace/read", **some).json()
    assert (answer["text"], answer["line_start"], answer["total_lines"]) == (
        "two",
        2,
        3,
    )
    gone = alice_api.get("/workspace/read", path="memory/gone.md")
    assert gone.json()["missing"] is True
    for path in ("../secret.md", "/etc/passwd", "Memory.md\0"):
        assert alice_api.get("/workspace/read", path=path).status_code == 400
    assert alice_api.get("/workspace/read").json()["error"]["field"] == "path"
