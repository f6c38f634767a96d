"""`goclaw key`: API keys of agents and gateways."""

from typing import Annotated

import typer

from goclaw.cli.client import Api
from goclaw.cli.output import DryRun, Json, Yes, confirm, listing, note, print_json, say

app = typer.Typer(
    help="Make, list and revoke API keys.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command()
def create(
    label: Annotated[str, typer.Argument(help="What uses the key.")],
    owner: Annotated[str, typer.Option(help="Whose it is; yours without.")] = "",
    run: Annotated[
        list[str] | None,
        typer.Option("--run", help="chat, sop, cron, webhook; repeatable."),
    ] = None,
    may_act_for_others: Annotated[
        bool, typer.Option("--may-act-for-others", help="For a gateway.")
    ] = False,
    auto_provision: Annotated[
        bool, typer.Option("--auto-provision", help="Unknown people become users.")
    ] = False,
    may_write_db_cache: Annotated[
        bool, typer.Option("--may-write-db-cache", help="For schema notes.")
    ] = False,
    expires: Annotated[str, typer.Option(help="When it ends, ISO 8601.")] = "",
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Make a key and print its secret, which cannot be had again.

    \b
    Examples:
      goclaw key create "nightly report" --run cron
      goclaw key create "chat gateway" --may-act-for-others
    """
    wanted = {
        "label": label,
        "owner": owner,
        "runs": run or ["chat"],
        "may_act_for_others": may_act_for_others,
        "auto_provision": auto_provision,
        "may_write_db_cache": may_write_db_cache,
        "expires_at": expires,
    }
    body = {name: value for name, value in wanted.items() if value}
    if dry_run:
        print_json({"dry_run": True, "key": body})
        return
    made = Api().post("/keys", body)
    if as_json:
        print_json(made)
        return
    say(made["secret"])
    note(f"Key {made['id']} of {made['owner']}. The secret is shown this once.")


@app.command("list")
def list_keys(
    limit: Annotated[int, typer.Option("--limit", "-n", min=1)] = 100,
    as_json: Json = False,
) -> None:
    """List keys: an administrator's list has everybody's.

    \b
    Example:
      goclaw key list
    """
    columns = {
        "id": "id",
        "prefix": "starts with",
        "label": "label",
        "owner": "owner",
        "state": "state",
        "runs": "runs",
        "may_act_for_others": "for others",
        "last_used_at": "last used",
    }
    listing(Api().pages("/keys", limit=limit), columns, as_json=as_json)


@app.command()
def revoke(
    key_id: Annotated[int, typer.Argument(metavar="ID", help="See `key list`.")],
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """End a key for good.

    \b
    Example:
      goclaw key revoke 7
    """
    api = Api()
    key = api.get(f"/keys/{key_id}")
    if not dry_run:
        confirm(f"Revoke {key['prefix']}… ({key['label']}) for good?", yes=yes)
        api.delete(f"/keys/{key_id}")
        key = api.get(f"/keys/{key_id}")
    if as_json:
        print_json(key)
    else:
        say(f"{key['prefix']}… {key['label']} is {key['state']}.")
