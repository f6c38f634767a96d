"""Save the pages and files of a zip, one after the other; or only try to."""

import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import IO
from urllib.parse import quote

from accounts.actors import Actor
from goclaw.lib.config import wiki_config
from goclaw.lib.errors import BadInput, GoClawError, TooLarge
from memory.scopes import Origin
from wiki import access, portable_text, slugs
from wiki.archives import Archive, refusal
from wiki.attachments import attach
from wiki.drafts import MAX_BODY_BYTES, PageText, check_page, title_for
from wiki.finding import find_page, page_at
from wiki.importing.contents import contents_of
from wiki.importing.files import Files, own_links
from wiki.importing.foreign import Resolve, entry_meant, with_links
from wiki.models import Page
from wiki.pages import save_page

SUMMARY = "Imported"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What becomes of one entry.

    `result` is `created`, `updated`, `unchanged`, `refused` or `skipped`; `slug` is the
    page it is, or is attached to.
    """

    path: str
    result: str
    slug: str = ""
    reason: str = ""


@dataclass(slots=True, kw_only=True)
class Position:
    """How far an import has come, for whoever goes on with it.

    `owners` has, for each space by its id, the files of the zip that pages show: the
    path of each, and the slug of the first page that does. What is in another space has
    other readers.
    """

    done: int = 0
    owners: dict[str, dict[str, str]] = field(default_factory=dict)


class Walk:
    """One zip on its way into the wiki, all of it below the section `under`.

    A page that is there already gets a revision. Done once more it changes nothing.
    """

    def __init__(self, actor: Actor, archive: Archive, under: str) -> None:
        self._actor = actor
        self._archive = archive
        section = slugs.parse(under) if under else ""
        self._contents = contents_of(archive, section)
        self._files = Files(actor, self._contents, section)
        self._can_come: dict[str, bool] = {}

    @property
    def total(self) -> int:
        """Return how many entries there are."""
        return len(self._contents.entries)

    def run(self, position: Position, *, dry_run: bool) -> Iterator[Entry]:
        """Yield what becomes of each entry from a position on, which moves along.

        Pages come first, then what hangs on them.
        """
        pages = list(self._contents.pages)
        for path in pages[position.done :]:
            entry = self._page(path, position, dry_run=dry_run)
            self._can_come[slugs.key(entry.slug)] = entry.result != "refused"
            position.done += 1
            yield entry
        for path in list(self._contents.files)[position.done - len(pages) :]:
            entry = self._file(path, position, dry_run=dry_run)
            position.done += 1
            yield entry

    def _page(self, path: str, position: Position, *, dry_run: bool) -> Entry:
        place = self._contents.pages[path]
        if place.reason:
            return Entry(path=path[:200], result="refused", reason=place.reason)
        shown: dict[str, str] = {}
        try:
            page = page_at(place.slug)
            space = page.space if page else access.space_of(place.slug)
            access.can_edit(self._actor, space).require()

            def link(target: str) -> str | None:
                return self._link(target, path, place.slug, shown)

            owners = position.owners.setdefault(str(space.pk), {})
            shown = dict(owners)
            text = self._text(path, link)
            result = self._saved(place.slug, page, text, dry_run=dry_run)
        except GoClawError as error:
            return _refused(path, place.slug, error)
        owners |= shown
        return Entry(path=path, slug=place.slug, result=result)

    def _text(self, path: str, link: Resolve) -> PageText:
        entry = self._contents.entries[path]
        try:
            content = self._archive.read(entry, most=2 * MAX_BODY_BYTES).decode()
        except UnicodeDecodeError:
            raise BadInput("It is not UTF-8.") from None
        text = portable_text.read(content)
        if self._contents.manifest is not None:
            body = own_links(text.body, self._files.renamed)
        else:
            body = with_links(text.body, link)
        return PageText(title=text.title, body=body, tags=text.tags)

    def _link(
        self, target: str, path: str, slug: str, owners: dict[str, str]
    ) -> str | None:
        """Return what to write for a link in a page; None where it leads elsewhere."""
        entry, heading = entry_meant(target, path, self._contents.entries)
        if entry in self._contents.pages:
            to = self._contents.pages[entry].slug
            return f"/wiki/{quote(to)}{heading}" if to else None
        if not entry or not self._can_be_file(self._contents.files[entry]):
            return None
        return f"/media/{self._files.id_on(entry, owners.setdefault(entry, slug))}"

    def _can_be_file(self, entry: zipfile.ZipInfo) -> bool:
        return 0 < entry.file_size <= wiki_config().max_file_bytes

    def _saved(
        self, slug: str, page: Page | None, text: PageText, *, dry_run: bool
    ) -> str:
        title = text.title or (page.title if page else title_for(text.body, slug))
        wanted = PageText(title=title, body=text.body, tags=text.tags)
        check_page(wanted, SUMMARY)
        current = page.revision if page else None
        if current and current.text_hash == wanted.digest:
            return "unchanged"
        if not dry_run:
            save_page(
                actor=self._actor,
                slug=slug,
                title=wanted.title,
                body=wanted.body,
                tags=list(wanted.tags),
                summary=SUMMARY,
                base_revision=current.number if current else None,
                origin=Origin.IMPORT,
            )
        return "updated" if page else "created"

    def _file(self, path: str, position: Position, *, dry_run: bool) -> Entry:
        entry = self._contents.files[path]
        if reason := refusal(entry):
            return Entry(path=path[:200], result="refused", reason=reason)
        owners = self._owners(path, position)
        if not owners:
            reason = "It is no Markdown file, and no page here links to it."
            return Entry(path=path, result="skipped", reason=reason)
        try:
            with tempfile.TemporaryFile() as file:
                most = wiki_config().max_file_bytes
                for chunk in self._archive.chunks(entry, most=most):
                    file.write(chunk)
                made = [self._attached(path, one, file, dry_run) for one in owners]
        except GoClawError as error:
            return _refused(path, owners[0], error)
        result = "created" if any(made) else "unchanged"
        return Entry(path=path, slug=owners[0], result=result)

    def _owners(self, path: str, position: Position) -> list[str]:
        about = (self._contents.manifest or {}).get(path)
        if about is not None:
            return [self._files.page_of(about)]
        return [shown[path] for shown in position.owners.values() if path in shown]

    def _attached(self, path: str, slug: str, file: IO[bytes], dry_run: bool) -> bool:
        """Attach a file unless it is there; say whether it was not."""
        if self._files.is_there(path, slug):
            return False
        if dry_run:
            self._check_page_comes(slug)
        else:
            upload = self._files.upload(path, slug, file)
            attach(actor=self._actor, slug=slug, upload=upload)
        return True

    def _check_page_comes(self, slug: str) -> None:
        if not self._comes(slugs.key(slug)):
            page = find_page(self._actor, slug).page
            access.can_edit(self._actor, page.space).require()

    def _comes(self, key: str) -> bool:
        """Say whether the zip brings a page; one of an earlier turn is tried again."""
        if key not in self._can_come:
            path = self._paths.get(key)
            self._can_come[key] = path is not None and (
                self._page(path, Position(), dry_run=True).result != "refused"
            )
        return self._can_come[key]

    @cached_property
    def _paths(self) -> dict[str, str]:
        """Return the entries that become pages, by the keys of their slugs."""
        pages = self._contents.pages.items()
        return {slugs.key(place.slug): path for path, place in pages if place.slug}


def _refused(path: str, slug: str, error: GoClawError) -> Entry:
    """Return an entry that is refused; what is about the whole zip goes on."""
    if isinstance(error, TooLarge) and error.code == "zip_too_large":
        raise error
    return Entry(path=path, slug=slug, result="refused", reason=error.message)
