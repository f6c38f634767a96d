"""`goclaw memory` over what has been learnt: merged, revised, and taken back."""

from typing import Annotated, Any

import typer

from goclaw.cli.client import Api
from goclaw.cli.failures import CommandFailed, Exit
from goclaw.cli.memory_admin import Wait, show_job
from goclaw.cli.output import (
    DryRun,
    Json,
    Row,
    Yes,
    confirm,
    facts,
    listing,
    minute,
    print_json,
    say,
)

Agent = Annotated[str, typer.Option(help="Whose; the default one without.")]

revisions = typer.Typer(
    help="What was decided about records, and taking it back.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def add_to(app: typer.Typer) -> None:
    """Add these commands to `goclaw memory`."""
    for command in (consolidate, revise, dedupe, replay):
        app.command()(command)
    app.add_typer(revisions, name="revisions")


def consolidate(
    agent: Agent = "",
    lookback_days: Annotated[
        int | None, typer.Option(min=0, help="Notes older than that.")
    ] = None,
    merge: Annotated[
        bool, typer.Option("--merge", help="The nightly merge of like notes instead.")
    ] = False,
    wait: Wait = False,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Put old notes away into Memory.md, or merge those that say the same.

    \b
    Examples:
      goclaw memory consolidate --lookback-days 30 --dry-run
      goclaw memory consolidate --merge --wait
    """
    body: dict[str, Any] = {"dry_run": dry_run, "merge": merge}
    body |= {"agent": agent} if agent else {}
    body |= {} if lookback_days is None else {"lookback_days": lookback_days}
    api = Api()
    answer = api.post("/memory/consolidate", body)
    if "state" in answer:
        show_job(api, answer, wait=wait, as_json=as_json)
    elif as_json:
        print_json(answer)
    else:
        _show_preview(answer)


def _show_preview(preview: dict[str, Any]) -> None:
    names = ("agent", "lookback_days", "record_count", "file_count")
    facts({name: preview[name] for name in names})
    for record in preview["records"]:
        say(f"  {record['id']}  {record['begins'][:80]}")
    for file in preview["files"]:
        say(f"  {file['path']}")


def revise(wait: Wait = False, dry_run: DryRun = False, as_json: Json = False) -> None:
    """Let newer notes replace the older ones that they contradict.

    \b
    Example:
      goclaw memory revise --dry-run --wait
    """
    _queue("/memory/revise", {"dry_run": dry_run}, wait=wait, as_json=as_json)


def dedupe(
    scope: Annotated[str, typer.Option(help="Which records.")] = "agent_notes",
    ratio: Annotated[
        float | None, typer.Option(min=0.5, max=1, help="How alike, at least.")
    ] = None,
    wait: Wait = False,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Retire records that say the same as others.

    \b
    Example:
      goclaw memory dedupe --ratio 0.85 --dry-run --wait
    """
    body: dict[str, Any] = {"scope": scope, "dry_run": dry_run}
    body |= {} if ratio is None else {"ratio": ratio}
    _queue("/memory/dedupe", body, wait=wait, as_json=as_json)


def replay(
    agent: Agent = "",
    wait: Wait = False,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Build Memory.md anew from the archived conversations.

    \b
    Example:
      goclaw memory replay --dry-run --wait
    """
    if not dry_run:
        confirm("Build Memory.md anew from the archives?", yes=yes)
    body = {"dry_run": dry_run} | ({"agent": agent} if agent else {})
    _queue("/memory/replay", body, wait=wait, as_json=as_json)


def _queue(path: str, body: dict[str, Any], *, wait: bool, as_json: bool) -> None:
    api = Api()
    show_job(api, api.post(path, body), wait=wait, as_json=as_json)


@revisions.command("list")
def list_revisions(
    memory_id: Annotated[str, typer.Option("--memory", help="Of this record.")] = "",
    run: Annotated[str, typer.Option(help="Decided in this run.")] = "",
    via: Annotated[str, typer.Option(help="Such as judge, dedupe, edit.")] = "",
    limit: Annotated[int, typer.Option("--limit", "-n", min=1)] = 30,
    as_json: Json = False,
) -> None:
    """List what was decided about records, the newest first.

    \b
    Example:
      goclaw memory revisions list --via judge
    """
    found = Api().pages(
        "/memory/revisions", limit=limit, memory_id=memory_id, run_id=run, via=via
    )
    columns = {
        "id": "id",
        "at": "when",
        "via": "by",
        "run_id": "run",
        "said": "said",
        "now": "replaced by",
        "undone": "undone",
    }
    listing(found, columns, as_json=as_json, shown=_shown)


def _shown(revision: Row) -> Row:
    return {
        "id": revision["id"],
        "at": minute(revision["created_at"]),
        "via": revision["via"],
        "run_id": revision["run_id"],
        "said": " ".join(revision["content"].split())[:60],
        "now": " ".join((revision["replacement"] or "").split())[:60],
        "undone": bool(revision["undone_at"]),
    }


@revisions.command()
def undo(
    revision: Annotated[
        str, typer.Argument(metavar="[ID]", help="Of a decision; see the list.")
    ] = "",
    memory_id: Annotated[
        str, typer.Option("--memory", help="The last decision about this record.")
    ] = "",
    run: Annotated[str, typer.Option(help="All that was decided in this run.")] = "",
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Take a decision back for good: it will not be made again.

    \b
    Examples:
      goclaw memory revisions undo 0b0c8c3e-6f0e-4c39-9d0e-0f4f2ad14b10
      goclaw memory revisions undo --run 5f2c0a1e --yes
    """
    what = {"revision_id": revision, "memory_id": memory_id, "run_id": run}
    given = {name: value for name, value in what.items() if value}
    if len(given) != 1:
        raise CommandFailed(
            "Say which decision: an id, --memory or --run.", exit_code=Exit.BAD_INPUT
        )
    if run:
        confirm(f"Take back all that was decided in run {run}?", yes=yes)
    done = Api().post("/memory/revisions/undo", given)
    if as_json:
        print_json(done)
    else:
        say(f"Restored {len(done['restored'])}, retired {len(done['retired'])}.")
