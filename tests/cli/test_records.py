"""Records from the terminal: written, found, read, forgotten; refusals explained."""

import json
from pathlib import Path

import pytest

from accounts.models import User
from tests.cli.conftest import Run
from tests.people import Api, api_for, make_user

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_record_is_written_found_and_read(goclaw: Run, server: User) -> None:
    wrote = goclaw(
        *("memory", "write", "Staging moved to 10.0.4.17.", "--scope", "agent_notes"),
        *("--domain", "staging", "--tag", "network", "--json"),
    )
    assert wrote.code == 0
    assert (wrote.json["domain"], wrote.json["tags"]) == ("staging", ["network"])

    found = goclaw("memory", "search", "staging 10.0.4.17", "--scope", "agent_notes")
    assert "Staging moved to 10.0.4.17." in found.out
    assert "agent_notes/note" in found.out
    as_json = goclaw("memory", "search", "10.0.4.17", "--json").json
    assert [hit["id"] for hit in as_json["results"]] == [wrote.json["id"]]

    read = goclaw("memory", "get", wrote.json["id"])
    assert read.out == "Staging moved to 10.0.4.17.\n"


def test_content_comes_from_a_pipe_and_again_is_not_stored_twice(
    goclaw: Run, server: User
) -> None:
    first = goclaw("memory", "write", "-", "--json", stdin="line one\nline two\n")
    assert first.json["content"] == "line one\nline two\n"
    again = goclaw("memory", "write", "-", stdin="line one\nline two\n")
    assert first.json["id"] in again.out
    assert "within a day" in again.out


def test_a_keyed_fact_takes_json_or_a_text_as_its_value(
    goclaw: Run, server: User
) -> None:
    fact = ("memory", "write", "--scope", "agent_notes", "--domain", "db", "--json")
    assert goclaw(*fact, "--key", "ports", "--value", "[5432]").json["value"] == [5432]
    assert goclaw(*fact, "--key", "host", "--value", "lynx").json["value"] == "lynx"


def test_a_dry_run_writes_nothing(goclaw: Run, server: User, api: Api) -> None:
    tried = goclaw("memory", "write", "never", "--dry-run")
    assert tried.json["record"]["content"] == "never"
    assert api.get("/memory/records").json()["results"] == []


def test_nothing_found_is_said_and_no_error(goclaw: Run, server: User) -> None:
    found = goclaw("memory", "search", "zeppelin")
    assert (found.code, found.out) == (0, "Nothing found.\n")


def test_what_steers_a_terminal_is_not_printed(
    goclaw: Run, server: User, api: Api
) -> None:
    api.write("evil \x1b[2J\x1b]0;title\x07 crane [red]", scope="agent_notes")
    found = goclaw("memory", "search", "crane")
    assert "\x1b" not in found.out
    assert "\x07" not in found.out
    assert "crane [red]" in found.out


def test_statistics_count_what_there_is(goclaw: Run, server: User, api: Api) -> None:
    api.write("one", scope="agent_notes")
    api.write("two", scope="agent_notes")
    assert goclaw("memory", "stats", "--json").json["records"]["total"] == 2
    lines = {tuple(line.split()) for line in goclaw("memory", "stats").out.splitlines()}
    assert ("scope", "agent_notes", "2") in lines


@pytest.mark.parametrize(
    ("command", "code", "sentence"),
    [
        (("get", "00000000-0000-4000-8000-000000000000"), 5, "There is no such record"),
        (("write", "x", "--scope", "nowhere"), 2, "Unknown scope"),
        (("write", "x", "--kind", "joke"), 2, "kind"),
        (("write", "  "), 2, "empty"),
        (("search", "x", "--since", "yesterday"), 2, "format"),
        (("write", "x", "--importance", "11"), 2, "--importance"),
    ],
)
def test_refusals_have_a_code_and_a_sentence(
    goclaw: Run, server: User, command: tuple[str, ...], code: int, sentence: str
) -> None:
    ran = goclaw("memory", *command)
    assert ran.code == code
    assert sentence in ran.err
    assert "Traceback" not in ran.err
    assert ran.out == ""


def test_a_refusal_is_json_where_output_is(goclaw: Run, server: User) -> None:
    ran = goclaw("memory", "write", "x", "--scope", "nowhere", "--json")
    assert '"code": "unknown_scope"' in ran.err
    assert '"remedy"' in ran.err


def test_who_may_not_is_told_what_to_do(
    goclaw: Run, server: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOCLAW_API_KEY", api_for(make_user("alice")).secret)
    ran = goclaw("memory", "write", "for all", "--scope", "agent_notes")
    assert ran.code == 4
    assert "Write it to personal instead" in ran.err


def test_a_reindex_can_be_waited_for(goclaw: Run, server: User) -> None:
    ran = goclaw("memory", "reindex", "--json")
    assert (ran.json["kind"], ran.json["state"]) == ("reindex", "queued")


def test_a_citation_is_read_as_search_prints_it(goclaw: Run, server: User) -> None:
    goclaw("memory", "write", "one\ntwo\nthree")
    hit = goclaw("memory", "search", "two", "--json").json["results"][0]
    assert goclaw("memory", "get", f"{hit['id']}#L2").out == "two\n"


@pytest.mark.parametrize("option", ["--max-results=0", "--min-score=-1"])
def test_a_number_out_of_range_is_refused_not_left_out(
    goclaw: Run, server: User, option: str
) -> None:
    assert goclaw("memory", "search", "anything", option).code == 2


def test_errors_for_programs_have_the_request_id_of_the_log(
    goclaw: Run, server: User
) -> None:
    refused = goclaw("memory", "write", "a", "--scope", "mine", "--json")
    assert json.loads(refused.err)["error"]["request_id"]


def test_counts_are_shown_once(goclaw: Run, server: User) -> None:
    shown = goclaw("memory", "forget", "--scope", "agent_notes", "--dry-run").out
    assert shown.count("not allowed") == 1
    assert "not_allowed" not in shown


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (("backup", "--to", "{file}/below"), 1),
        (("db", "export", "--output", "{file}/below/state.gclaw"), 1),
        (("user", "link", "nobody"), 5),
        (("memory", "restore", "no-id"), 2),
    ],
)
def test_what_cannot_be_done_is_a_sentence_and_a_code(
    goclaw: Run, server: User, tmp_path: Path, command: tuple[str, ...], code: int
) -> None:
    file = tmp_path / "file"
    file.touch()
    ran = goclaw(*(word.format(file=file) for word in command))
    assert ran.code == code
    assert ran.err
    assert "Traceback" not in ran.err
