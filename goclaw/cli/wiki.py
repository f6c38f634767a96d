"""`goclaw wiki`: pages, read and edited from the terminal."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from goclaw.cli.client import Api
from goclaw.cli.editor import edited
from goclaw.cli.failures import CommandFailed, Exit
from goclaw.cli.memory_admin import Wait, show_job
from goclaw.cli.memory_files import save
from goclaw.cli.output import (
    DryRun,
    Json,
    Row,
    Yes,
    confirm,
    listing,
    minute,
    note,
    print_json,
    progress,
    say,
)
from goclaw.lib.files import free_path

app = typer.Typer(
    help="Read, edit, import and export wiki pages.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Under = Annotated[str, typer.Option(help="Only this section.")]


@app.command("list")
def list_pages(
    under: Under = "",
    tag: Annotated[str, typer.Option(help="Only with this tag.")] = "",
    limit: Annotated[int, typer.Option("--limit", "-n", min=1)] = 50,
    as_json: Json = False,
) -> None:
    """List pages, the last changed first.

    \b
    Example:
      goclaw wiki list --under handbook
    """
    pages = Api().pages("/memory/wiki", limit=limit, under=under, tag=tag)
    columns = {
        "slug": "slug",
        "title": "title",
        "revision": "revision",
        "updated_at": "changed",
        "updated_by": "by",
    }
    listing(pages, columns, as_json=as_json, shown=_shown)


def _shown(page: Row) -> Row:
    return page | {"updated_at": minute(page["updated_at"])}


@app.command()
def show(
    slug: Annotated[str, typer.Argument(help="The page's address.")],
    as_json: Json = False,
) -> None:
    """Print the Markdown of a page.

    \b
    Example:
      goclaw wiki show handbook/on-call
    """
    page = Api().get("/memory/wiki", slug=slug)
    if as_json:
        print_json(page)
        return
    if page["redirected_from"]:
        note(f"{page['redirected_from']} has moved to {page['slug']}.")
    say(page["body"].removesuffix("\n"))


@app.command()
def edit(
    slug: Annotated[str, typer.Argument(help="The page's address.")],
    file: Annotated[
        str, typer.Option("--file", "-f", help="The new text; - is standard input.")
    ] = "",
    title: Annotated[str, typer.Option()] = "",
    tag: Annotated[list[str] | None, typer.Option("--tag", help="Repeatable.")] = None,
    summary: Annotated[str, typer.Option("--summary", "-m", help="What and why.")] = "",
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Edit a page in $EDITOR, or save a file as its text; a new address makes a page.

    Others' changes since it was read are merged, or the edit is refused and your
    text is kept in a file.

    \b
    Examples:
      goclaw wiki edit handbook/on-call
      goclaw wiki edit handbook/on-call --file on-call.md -m "New numbers"
    """
    api = Api()
    page = _page_or_none(api, slug)
    before = page["body"] if page else ""
    text = _read(file) if file else edited(before)
    if page and text == before and not title and tag is None:
        say("Nothing was changed.")
        return
    body = {
        "body": text,
        "title": title,
        "tags": tag,
        "summary": summary,
        "base_revision": page["revision"] if page else None,
    }
    if dry_run:
        print_json({"dry_run": True, "slug": slug, "page": body})
        return
    try:
        saved = api.post("/memory/wiki", body, slug=page["slug"] if page else slug)
    except CommandFailed:
        if not file:
            note(f"Your text is in {_keep(text, slug)}.")
        raise
    if as_json:
        print_json(saved)
    else:
        merged = ", merged with others' changes" if saved["merged"] else ""
        say(f"{saved['slug']} is at revision {saved['revision']}{merged}.")


def _page_or_none(api: Api, slug: str) -> Any:
    try:
        return api.get("/memory/wiki", slug=slug)
    except CommandFailed as failure:
        if failure.exit_code is Exit.NOT_FOUND:
            return None
        raise


def _read(file: str) -> str:
    if file == "-":
        return sys.stdin.read()
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandFailed(
            f"Cannot read {file}: {error}.", exit_code=Exit.BAD_INPUT
        ) from None


def _keep(text: str, slug: str) -> Path:
    """Save a text that could not be stored, under a name that is free."""
    name = slug.strip("/").replace("/", "-") or "page"
    path = free_path(Path(f"{name}.md"))
    path.write_text(text, encoding="utf-8")
    return path


@app.command("export")
def export_pages(
    file: Annotated[Path, typer.Option("--file", "-f", help="The zip to write.")],
    under: Under = "",
    as_json: Json = False,
) -> None:
    """Save pages with their files as a zip of Markdown.

    \b
    Example:
      goclaw wiki export --file wiki.zip --under handbook
    """
    with progress("wiki") as move:
        save(Api().download("/memory/wiki/export", under=under), file, move)
    size = file.stat().st_size
    if as_json:
        print_json({"file": str(file), "bytes": size})
    else:
        say(f"Saved the wiki to {file} ({size / 1024:,.0f} KB).")


@app.command("import")
def import_pages(
    file: Annotated[Path, typer.Argument(help="A zip of Markdown files.")],
    under: Annotated[str, typer.Option(help="Into this section.")] = "",
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Import a zip of Markdown; what would happen is shown first.

    \b
    Examples:
      goclaw wiki import wiki.zip --dry-run
      goclaw wiki import wiki.zip --under archive --yes
    """
    api = Api()
    if not file.is_file():
        raise CommandFailed(f"There is no file {file}.", exit_code=Exit.BAD_INPUT)
    if dry_run or not yes:
        trial = api.send_file("/memory/wiki/import", file, under=under, dry_run="true")
        show_job(api, trial, wait=True, as_json=dry_run and as_json)
        if dry_run:
            return
        confirm("Import this?", yes=yes)
    job = api.send_file("/memory/wiki/import", file, under=under, dry_run="false")
    show_job(api, job, wait=True, as_json=as_json)


@app.command()
def distill(
    domain: Annotated[str, typer.Option(help="Only this one.")] = "",
    wait: Wait = False,
    as_json: Json = False,
) -> None:
    """Have drafts of pages written from what agents have learnt, for review.

    \b
    Example:
      goclaw wiki distill --domain databases --wait
    """
    api = Api()
    job = api.post("/memory/wiki/distill", {"domain": domain})
    show_job(api, job, wait=wait, as_json=as_json)
