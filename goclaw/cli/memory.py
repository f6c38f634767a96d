"""`goclaw memory`: find, read, write and forget records."""

import json
import sys
from typing import Annotated, Any
from uuid import UUID

import typer

from goclaw.cli import lifecycle, memory_admin, memory_files, migrate
from goclaw.cli.check import check
from goclaw.cli.client import Api
from goclaw.cli.failures import CommandFailed, Exit
from goclaw.cli.output import (
    DryRun,
    Json,
    Yes,
    note,
    print_json,
    say,
    table,
)

app = typer.Typer(
    help="Find, read, write and forget records.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Scopes = Annotated[list[str] | None, typer.Option("--scope", help="Repeatable.")]
Domains = Annotated[list[str] | None, typer.Option("--domain", help="Repeatable.")]
Kinds = Annotated[list[str] | None, typer.Option("--kind", help="Repeatable.")]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="Repeatable.")]


@app.command()
def stats(as_json: Json = False) -> None:
    """Count the records that one may read, and how far their index is.

    \b
    Example:
      goclaw memory stats
    """
    found = Api().get("/memory/stats")
    if as_json:
        print_json(found)
        return
    records = found["records"]
    rows = [{"what": f"scope {k}", "n": n} for k, n in records["by_scope"].items()]
    rows += [{"what": f"kind {k}", "n": n} for k, n in records["by_kind"].items()]
    rows += [{"what": f"index {k}", "n": n} for k, n in found["index"].items()]
    rows += [{"what": f"jobs {k}", "n": n} for k, n in found["jobs"].items()]
    table(
        [{"what": "records", "n": records["total"]}, *rows],
        {"what": "what", "n": "count"},
    )
    storage = found["storage"]
    if storage["database_bytes"] is not None:
        size = storage["database_bytes"] / 1024**2
        say(f"The database ({storage['engine']}) takes {size:,.1f} MB.")


@app.command()
def search(
    query: Annotated[str, typer.Argument(help="A question, or words.")],
    scope: Scopes = None,
    kind: Kinds = None,
    domain: Domains = None,
    tag: Tags = None,
    since: Annotated[str, typer.Option(help="Observed at or after.")] = "",
    until: Annotated[str, typer.Option(help="Observed before.")] = "",
    agent: Annotated[str, typer.Option(help="Only this agent's files.")] = "",
    path_prefix: Annotated[str, typer.Option(help="Only below this path.")] = "",
    max_results: Annotated[int | None, typer.Option("--max-results", "-n")] = None,
    min_score: Annotated[float | None, typer.Option(help="From 0 to 1.")] = None,
    history: Annotated[
        bool, typer.Option("--history", help="What newer records replaced as well.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Search everything that one may read: records, files, wiki.

    \b
    Examples:
      goclaw memory search "where is staging?"
      goclaw memory search E-4108 --scope agent_notes --since 2026-01-01
    """
    asked: dict[str, Any] = {
        "query": query,
        "scopes": scope,
        "kinds": kind,
        "domains": domain,
        "tags": tag,
        "since": since,
        "until": until,
        "agent": agent,
        "path_prefix": path_prefix,
        "max_results": max_results,
        "min_score": min_score,
        "include_history": history,
    }
    given = {k: v for k, v in asked.items() if k == "query" or not _is_unsaid(v)}
    answer = Api().post("/memory/search", given)
    if as_json:
        print_json(answer)
        return
    for place, hit in enumerate(answer["results"], start=1):
        _show_hit(place, hit)
    if not answer["results"]:
        say("Nothing found.")
    _show_state(answer)


def _is_unsaid(value: Any) -> bool:
    return value is None or value is False or value == ""


def _show_hit(place: int, hit: dict[str, Any]) -> None:
    where = hit["citation"] or hit["id"]
    title = f"  {hit['title']}" if hit["title"] and hit["title"] not in where else ""
    say(f"{place}. {hit['score']:.2f}  {hit['scope']}/{hit['kind']}  {where}{title}")
    for line in hit["snippet"].splitlines():
        say(f"     {line}")


def _show_state(answer: dict[str, Any]) -> None:
    if answer["degraded"]:
        note(f"{answer['degraded']['reason']} {answer['degraded']['action']}")
    if answer["pending"]:
        note(f"{answer['pending']} records are not fully indexed yet.")


@app.command()
def write(
    content: Annotated[
        str, typer.Argument(help="The text; - reads it from standard input.")
    ] = "",
    scope: Annotated[
        str, typer.Option(help="personal, agent_notes, global, agent_config.")
    ] = "personal",
    kind: Annotated[str, typer.Option(help="Such as fact or decision.")] = "note",
    domain: Annotated[str, typer.Option(help="A slug, such as databases.")] = "",
    title: Annotated[str, typer.Option()] = "",
    tag: Tags = None,
    importance: Annotated[int, typer.Option(min=1, max=10)] = 5,
    key: Annotated[str, typer.Option(help="Makes it a keyed fact.")] = "",
    value: Annotated[str, typer.Option(help="Its value: JSON, or a text.")] = "",
    observed: Annotated[str, typer.Option(help="When it was true or said.")] = "",
    expires: Annotated[str, typer.Option(help="From then on it is gone.")] = "",
    force: Annotated[
        bool,
        typer.Option("--force", help="Although the same was written within a day."),
    ] = False,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Write a record.

    \b
    Examples:
      goclaw memory write "Staging moved to 10.0.4.17." --scope agent_notes
      goclaw memory write --scope agent_notes --key host --value lynx
      git log -1 | goclaw memory write - --scope agent_notes --kind insight
    """
    record: dict[str, Any] = {
        "scope": scope,
        "content": sys.stdin.read() if content == "-" else content,
        "kind": kind,
        "domain": domain,
        "title": title,
        "tags": tag or [],
        "importance": importance,
        "key": key,
        "observed_at": observed or None,
        "expires_at": expires or None,
        "force": force,
    }
    if value:
        record["value"] = _value(value)
    if dry_run:
        print_json({"dry_run": True, "record": record})
        return
    written = Api().post("/memory/records", record)
    if as_json:
        print_json(written)
    elif written["deduplicated"]:
        say(f"{written['id']}  {written['reason']}")
    else:
        say(f"{written['id']}  written to {written['scope']}")


def _value(text: str) -> Any:
    """Return what JSON says; what is none is a text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


@app.command()
def get(
    what: Annotated[str, typer.Argument(help="An id, or a path as search cites it.")],
    first: Annotated[int | None, typer.Option("--from", help="First line.")] = None,
    lines: Annotated[int | None, typer.Option(help="How many lines.")] = None,
    agent: Annotated[str, typer.Option(help="Whose file it is.")] = "",
    as_json: Json = False,
) -> None:
    """Read a record, a workspace file or a wiki page.

    \b
    Examples:
      goclaw memory get 0b0c8c3e-6f0e-4c39-9d0e-0f4f2ad14b10
      goclaw memory get memory/2026-11-29.md --from 10 --lines 5
    """
    where: dict[str, Any] = {"path": what, "from_": first, "lines": lines}
    passage = Api().get("/memory/get", **where, agent=agent)
    if as_json:
        print_json(passage)
    elif passage["missing"]:
        raise CommandFailed(
            f"There is no file {what} yet.", exit_code=Exit.NOT_FOUND, code="not_found"
        )
    else:
        say(passage["text"].removesuffix("\n"))


@app.command()
def forget(
    ids: Annotated[list[str] | None, typer.Argument(help="Ids of records.")] = None,
    scope: Annotated[str, typer.Option(help="All that match, of this scope.")] = "",
    kind: Annotated[str, typer.Option()] = "",
    domain: Annotated[str, typer.Option()] = "",
    tag: Annotated[str, typer.Option()] = "",
    until: Annotated[str, typer.Option(help="Observed before.")] = "",
    backed_up: memory_admin.BackedUp = False,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Take records out of search and prompt; for 30 days they can be restored.

    \b
    Examples:
      goclaw memory forget 0b0c8c3e-6f0e-4c39-9d0e-0f4f2ad14b10
      goclaw memory forget --scope agent_notes --domain old-cluster --dry-run
    """
    chosen: dict[str, Any] = {
        "ids": ids,
        "scope": scope,
        "kind": kind,
        "domain": domain,
        "tag": tag,
        "until": until,
    }
    given = {name: value for name, value in chosen.items() if value}
    memory_admin.run(
        "/memory/forget",
        given,
        question="Forget {matched} records?",
        done="Forgot {forgotten} records; `goclaw memory restore` brings one back.",
        backed_up=backed_up,
        yes=yes,
        dry_run=dry_run,
        as_json=as_json,
    )


@app.command()
def restore(
    uid: Annotated[UUID, typer.Argument(metavar="ID", help="Of a forgotten record.")],
    as_json: Json = False,
) -> None:
    """Bring a forgotten record back.

    \b
    Example:
      goclaw memory restore 0b0c8c3e-6f0e-4c39-9d0e-0f4f2ad14b10
    """
    record = Api().post(f"/memory/records/{uid}/restore")
    if as_json:
        print_json(record)
    else:
        say(f"{record['id']}  is back in {record['scope']}")


memory_admin.add_to(app)
memory_files.add_to(app)
lifecycle.add_to(app)
app.command()(migrate.migrate)
app.command()(check)
