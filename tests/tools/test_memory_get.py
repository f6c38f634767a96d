"""`memory_get`: records and lines of files, and nothing else of the disk."""

from typing import Any
from uuid import uuid4

import pytest

from memory.tools.get import LINES, MAX_CHARS
from tests.people import Api
from tests.tools.calling import note_file, refused, use

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_state(settings: Any, tmp_path: Any) -> None:
    settings.GOCLAW_STATE_DIR = tmp_path


def test_a_citation_is_read_as_it_is(alice_api: Api, tmp_path: Any) -> None:
    note_file(tmp_path, "one\ntwo\nthree\nfour\n")
    got = use(alice_api, "memory_get", path="memory/2026-03-27.md#L2-L3")
    assert got["data"]["text"] == "two\nthree"
    assert (got["data"]["line_start"], got["data"]["line_end"]) == (2, 3)
    assert got["data"]["next_from"] == 4
    assert "lines 2-3 of 4" in got["text"]
    assert "from=4" in got["text"]


def test_lines_count_from_one(alice_api: Api, tmp_path: Any) -> None:
    note_file(tmp_path, "one\ntwo\n")
    place = {"path": "memory/2026-03-27.md", "lines": 1}
    assert use(alice_api, "memory_get", **place)["data"]["text"] == "one"
    got = use(alice_api, "memory_get", **place | {"from": 2})["data"]
    assert (got["text"], got["truncated"], got["next_from"]) == ("two", False, None)
    assert refused(alice_api, "memory_get", **place | {"from": 0})[0] == 400


def test_a_record_is_read_by_id_or_by_its_citation(alice_api: Api) -> None:
    made = alice_api.write("first\nsecond")
    for place in ({"id": made["id"]}, {"path": made["id"]}, {"id": f"{made['id']}#L1"}):
        got = use(alice_api, "memory_get", **place)
        assert got["data"]["id"] == made["id"]
        assert got["data"]["text"] == "first\nsecond"


def test_a_long_text_is_read_in_parts(alice_api: Api, tmp_path: Any) -> None:
    lines = [f"line {n}" for n in range(1, 451)]
    note_file(tmp_path, "\n".join(lines))
    read, start = [], 1
    while start:
        got = use(
            alice_api, "memory_get", path="memory/2026-03-27.md", **{"from": start}
        )
        read += got["data"]["text"].split("\n")
        assert len(got["data"]["text"].split("\n")) <= LINES
        start = got["data"]["next_from"]
    assert read == lines


def test_no_answer_is_longer_than_a_model_can_take(
    alice_api: Api, tmp_path: Any
) -> None:
    note_file(tmp_path, "\n".join(["x" * 6000] * 5 + ["y" * 20_000]))
    first = use(alice_api, "memory_get", path="memory/2026-03-27.md")["data"]
    assert (first["line_end"], first["next_from"], first["truncated"]) == (2, 3, True)
    last = use(alice_api, "memory_get", path="memory/2026-03-27.md", **{"from": 6})
    assert last["data"]["text"] == "y" * MAX_CHARS
    assert last["data"]["truncated"]
    assert "cut at" in last["text"]


def test_a_file_that_is_not_there_is_said_to_be_missing(alice_api: Api) -> None:
    got = use(alice_api, "memory_get", path="memory/2020-01-01.md")
    assert got["data"]["missing"]
    assert "no file" in got["text"]


@pytest.mark.parametrize("path", ["../gc_state.sqlite", "/etc/passwd", "secrets.env"])
def test_nothing_else_of_the_disk_is_read(alice_api: Api, path: str) -> None:
    status, error = refused(alice_api, "memory_get", path=path)
    assert (status, error["code"]) == (400, "path_refused")


def test_either_a_path_or_an_id(alice_api: Api) -> None:
    assert refused(alice_api, "memory_get")[1]["field"] == "path"
    both = refused(alice_api, "memory_get", path="a.md", id=str(uuid4()))
    assert both[1]["field"] == "path"
