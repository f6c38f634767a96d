"""`goclaw memory` for administrators: counts first, then a question, then the work."""

from typing import Annotated, Any

import typer

from goclaw.cli.client import Api
from goclaw.cli.failures import CommandFailed
from goclaw.cli.output import (
    DryRun,
    Json,
    Yes,
    confirm,
    facts,
    print_json,
    progress,
    say,
)

BackedUp = Annotated[
    bool,
    typer.Option(
        "--backed-up",
        help="PostgreSQL: say that a copy (pg_dump) has been made.",
    ),
]
Wait = Annotated[bool, typer.Option("--wait", help="Stay until the job has ended.")]


def add_to(app: typer.Typer) -> None:
    """Add these commands to `goclaw memory`."""
    for command in (reindex, clear, clear_user):
        app.command()(command)


def run(
    path: str,
    body: dict[str, Any],
    *,
    question: str,
    done: str,
    backed_up: bool,
    yes: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Show what a destructive call would do, ask, and have it done.

    `question` and `done` are filled with the counts of the answers.
    """
    api = Api()
    if dry_run or not yes:
        expected = api.post(path, body | {"dry_run": True})
        if dry_run:
            _show(expected, "Nothing was changed.", as_json=as_json)
            return
        facts(_named(expected))
        confirm(question.format_map(expected["counts"]), yes=yes)
    answer = api.post(path, body | {"dry_run": False, "backed_up": backed_up})
    _show(answer, done.format_map(answer["counts"]), as_json=as_json)


def _show(answer: dict[str, Any], sentence: str, *, as_json: bool) -> None:
    if as_json:
        print_json(answer)
        return
    facts(_named(answer))
    say(sentence)
    if answer.get("safety_copy"):
        say(f"What was there before is in {answer['safety_copy']}.")
    if answer.get("copy_deleted_at"):
        say(f"That copy is deleted after {answer['copy_deleted_at'][:10]}.")


def _named(answer: dict[str, Any]) -> dict[str, Any]:
    return {name.replace("_", " "): n for name, n in answer["counts"].items()}


def reindex(
    vectors: Annotated[
        bool, typer.Option("--vectors", help="Make the vectors anew as well.")
    ] = False,
    wait: Wait = False,
    as_json: Json = False,
) -> None:
    """Make the entries of the index anew.

    \b
    Example:
      goclaw memory reindex --wait
    """
    api = Api()
    job = api.post("/memory/reindex", {"vectors": vectors})
    show_job(api, job, wait=wait, as_json=as_json)


def show_job(api: Api, job: dict[str, Any], *, wait: bool, as_json: bool) -> None:
    """Print a job, once it has ended if one waits; raises if it did not succeed."""
    if wait:
        with progress(job["kind"]) as move:

            def seen(job: dict[str, Any]) -> None:
                at = job["progress"]
                move(at["done"], at["total"], at["note"] or job["kind"])

            job = api.wait_for_job(job["id"], seen)
    if as_json:
        print_json(job)
    else:
        said = {"job": job["id"], "state": job["state"], **job["counts"]}
        facts(said | ({"error": job["error"]} if job["error"] else {}))
        if job["report"]:
            say(job["report"].removesuffix("\n"))
    if wait and job["state"] != "done":
        raise CommandFailed(
            f"The job is {job['state']}.",
            remedy="The list of jobs in the browser has more, and a way to repeat it.",
        )


def clear(
    scope: Annotated[
        str, typer.Option(help="personal (one's own), agent_notes, global, …")
    ],
    domain: Annotated[str, typer.Option(help="Only this domain.")] = "",
    backed_up: BackedUp = False,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Delete the records of a scope for good, forgotten and replaced ones too.

    A copy of the database is made first.

    \b
    Example:
      goclaw memory clear --scope agent_notes --domain sandbox --dry-run
    """
    run(
        "/memory/clear",
        {"scope": scope} | ({"domain": domain} if domain else {}),
        question=f"Delete {{records}} records of {scope} for good?",
        done="Deleted {records} records.",
        backed_up=backed_up,
        yes=yes,
        dry_run=dry_run,
        as_json=as_json,
    )


def clear_user(
    username: Annotated[str, typer.Argument(help="Whom to erase.")],
    account: Annotated[
        bool, typer.Option("--account", help="The account, its keys and names too.")
    ] = False,
    backed_up: BackedUp = False,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Erase a person: records, conversations, archives, files, traces. This is final.

    A copy of the database is made first, and deleted after some days.

    \b
    Examples:
      goclaw memory clear-user mira --dry-run
      goclaw memory clear-user mira --account
    """
    run(
        "/memory/clear-user",
        {"username": username, "account": account},
        question=f"Erase {username} for good?",
        done=f"Erased {username}; searches find nothing of it.",
        backed_up=backed_up,
        yes=yes,
        dry_run=dry_run,
        as_json=as_json,
    )
