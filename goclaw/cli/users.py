"""`goclaw user`: the people of the organisation."""

from typing import Annotated, Any

import typer

from goclaw.cli.client import Api
from goclaw.cli.output import DryRun, Json, Yes, confirm, facts, listing, print_json

app = typer.Typer(
    help="List, add and change people.", no_args_is_help=True, rich_markup_mode=None
)

Roles = Annotated[list[str] | None, typer.Option("--role", help="A group; repeatable.")]
Zone = Annotated[str, typer.Option(help="IANA name, such as Europe/Berlin.")]


@app.command("list")
def list_users(
    limit: Annotated[int, typer.Option("--limit", "-n", min=1)] = 200,
    as_json: Json = False,
) -> None:
    """List people, the newest first.

    \b
    Example:
      goclaw user list
    """
    columns = {
        "username": "user name",
        "first_name": "first name",
        "last_name": "last name",
        "roles": "roles",
        "is_admin": "admin",
        "is_active": "active",
        "timezone": "time zone",
        "last_login": "last signed in",
    }
    listing(Api().pages("/users", limit=limit), columns, as_json=as_json)


@app.command()
def create(
    username: Annotated[str, typer.Argument(help="User name.")],
    first_name: Annotated[str, typer.Option()] = "",
    last_name: Annotated[str, typer.Option()] = "",
    email: Annotated[str, typer.Option()] = "",
    timezone: Zone = "",
    role: Roles = None,
    admin: Annotated[bool, typer.Option("--admin", help="An administrator.")] = False,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Add a person without password; `goclaw user link` prints a way to sign in.

    \b
    Example:
      goclaw user create mira --first-name Mira --timezone Europe/Vienna
    """
    person = _given(
        username=username,
        first_name=first_name,
        last_name=last_name,
        email=email,
        timezone=timezone,
        roles=role,
        is_admin=admin,
    )
    if dry_run:
        print_json({"dry_run": True, "user": person})
        return
    _show(Api().post("/users", person), as_json=as_json)


@app.command()
def change(
    username: Annotated[str, typer.Argument(help="User name.")],
    first_name: Annotated[str, typer.Option()] = "",
    last_name: Annotated[str, typer.Option()] = "",
    email: Annotated[str, typer.Option()] = "",
    timezone: Zone = "",
    role: Annotated[
        list[str] | None,
        typer.Option("--role", help="Exactly these groups; repeatable."),
    ] = None,
    admin: Annotated[bool | None, typer.Option("--admin/--no-admin")] = None,
    active: Annotated[bool | None, typer.Option("--active/--inactive")] = None,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Change a person; who is inactive has no sessions and no keys that work.

    \b
    Examples:
      goclaw user change mira --role "wiki editors"
      goclaw user change mira --inactive
    """
    changes = _given(
        first_name=first_name,
        last_name=last_name,
        email=email,
        timezone=timezone,
        roles=role,
    )
    changes |= {} if admin is None else {"is_admin": admin}
    changes |= {} if active is None else {"is_active": active}
    if dry_run:
        print_json({"dry_run": True, "user": username, "changes": changes})
        return
    if admin:
        confirm(f"Make {username} an administrator?", yes=yes)
    _show(Api().patch(f"/users/{username}", changes), as_json=as_json)


@app.command()
def link(
    username: Annotated[str, typer.Argument(help="Who signs in with it.")],
) -> None:
    """Print a link that signs a person in once, within 24 hours.

    It opens the database itself: on the server's machine, as the server's user.

    \b
    Example:
      goclaw user link mira
    """
    from goclaw.cli.local import management_command

    management_command("signin_link", username)


def _given(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value}


def _show(user: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(user)
    else:
        facts(user)
