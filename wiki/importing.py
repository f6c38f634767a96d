"""Bring a zip of Markdown files into the wiki; tried without writing first."""

import json
import tempfile
import uuid
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

from accounts.actors import Actor
from goclaw.lib.config import wiki_config
from goclaw.lib.errors import BadInput, GoClawError, NotFound, TooLarge
from memory.scopes import Origin
from wiki import access, portable_text, slugs
from wiki.archives import Archive, refusal
from wiki.attachments import Upload, attach
from wiki.drafts import MAX_BODY_BYTES, PageText, check_page, title_for
from wiki.exporting import MANIFEST
from wiki.finding import find_page, page_at
from wiki.models import Attachment
from wiki.pages import save_page

MAX_MANIFEST = 64 * 1024 * 1024
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


def import_zip(
    *, actor: Actor, file: IO[bytes], size: int, under: str = "", dry_run: bool = True
) -> list[Entry]:
    """Save the pages and files of a zip of `size` bytes; return what became of each.

    With `dry_run` nothing is written, and the answer says what would become of it. All
    pages go below the section `under`. A page that is there already gets a revision.

    Raises BadInput or TooLarge for the zip as a whole: then nothing was written.
    """
    archive = Archive(file, size)
    section = slugs.parse(under) if under else ""
    incoming = _Import(actor, archive, section)
    tried = list(incoming.run(dry_run=True))
    if dry_run:
        return tried
    archive.rewind()
    return list(incoming.run(dry_run=False))


class _Import:
    """One zip on its way into the wiki."""

    def __init__(self, actor: Actor, archive: Archive, section: str) -> None:
        self._actor = actor
        self._archive = archive
        self._section = section
        self._seen: set[str] = set()
        self._files = self._manifest()
        self._is_ours = self._files is not None
        self._coming: set[str] = set()
        self._ids = {
            name: self._id_of(about) for name, about in (self._files or {}).items()
        }

    def _manifest(self) -> dict[str, dict[str, Any]] | None:
        """Return what a zip of ours says of its files, by entry."""
        for entry in self._archive.entries:
            if entry.filename == MANIFEST:
                data = self._archive.read(entry, most=MAX_MANIFEST)
                self._archive.rewind()
                try:
                    files = json.loads(data)["files"]
                    return {str(one["entry"]): dict(one) for one in files}
                except (ValueError, TypeError, KeyError):
                    raise BadInput(
                        f"{MANIFEST} is not as it was written.", code="bad_zip"
                    ) from None
        return None

    def run(self, *, dry_run: bool) -> Iterator[Entry]:
        """Yield what becomes of each entry; pages first, then what hangs on them."""
        self._seen.clear()
        self._coming.clear()
        later = []
        for entry in self._archive.entries:
            if entry.is_dir() or entry.filename == MANIFEST:
                continue
            if entry.filename in (self._files or {}):
                later.append(entry)
            else:
                yield self._page(entry, dry_run)
        for entry in later:
            yield self._file(entry, dry_run)

    def _page(self, entry: zipfile.ZipInfo, dry_run: bool) -> Entry:
        path = entry.filename
        if reason := refusal(entry):
            return Entry(path=path[:200], result="refused", reason=reason)
        if not path.lower().endswith(".md"):
            self._drain(entry)
            return Entry(path=path, result="skipped", reason="It is no Markdown file.")
        slug = ""
        try:
            text = self._text(entry)
            slug = self._slug(path[:-3])
            return self._saved(path, slug, text, dry_run)
        except GoClawError as error:
            _reraise_whole(error)
            return Entry(path=path, slug=slug, result="refused", reason=error.message)

    def _text(self, entry: zipfile.ZipInfo) -> PageText:
        try:
            content = self._archive.read(entry, most=2 * MAX_BODY_BYTES).decode()
        except UnicodeDecodeError:
            raise BadInput("It is not UTF-8.") from None
        text = portable_text.read(content)
        body = text.body
        if not self._is_ours:
            body = portable_text.with_our_links(body)
        for name, new in self._ids.items():
            old = str((self._files or {})[name].get("id"))
            if old != new:
                body = body.replace(f"/media/{old}", f"/media/{new}")
        return PageText(title=text.title, body=body, tags=text.tags)

    def _slug(self, path: str) -> str:
        """Return the slug of a path, segments that are none turned into some."""
        try:
            slug = slugs.parse(self._below(path))
        except BadInput as error:
            if error.code == "slug_reserved":
                raise
            slug = slugs.parse(self._below("/".join(map(_segment, path.split("/")))))
        key = slugs.key(slug)
        if key in self._seen:
            raise BadInput("Another entry is the same page.")
        self._seen.add(key)
        return slug

    def _saved(self, path: str, slug: str, text: PageText, dry_run: bool) -> Entry:
        page = page_at(slug)
        space = page.space if page else access.space_of(slug)
        access.can_edit(self._actor, space).require()
        title = text.title or (page.title if page else title_for(text.body, slug))
        wanted = PageText(title=title, body=text.body, tags=text.tags)
        check_page(wanted, SUMMARY)
        self._coming.add(slugs.key(slug))
        current = page.revision if page else None
        if current and current.text_hash == wanted.digest:
            return Entry(path=path, slug=slug, result="unchanged")
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
        return Entry(path=path, slug=slug, result="updated" if page else "created")

    def _file(self, entry: zipfile.ZipInfo, dry_run: bool) -> Entry:
        path = entry.filename
        about = (self._files or {})[path]
        if reason := refusal(entry):
            return Entry(path=path[:200], result="refused", reason=reason)
        slug = self._page_of(about)
        try:
            with tempfile.TemporaryFile() as file:
                for chunk in self._archive.chunks(
                    entry, most=wiki_config().max_file_bytes
                ):
                    file.write(chunk)
                return self._attached(path, slug, file, dry_run)
        except GoClawError as error:
            _reraise_whole(error)
            return Entry(path=path, slug=slug, result="refused", reason=error.message)

    def _attached(self, path: str, slug: str, file: IO[bytes], dry_run: bool) -> Entry:
        about = (self._files or {})[path]
        if _is_there(self._actor, about, slug):
            return Entry(path=path, slug=slug, result="unchanged")
        if dry_run:
            self._check_page_comes(slug)
        else:
            upload = Upload(
                file=file,
                name=str(about.get("name", "")),
                description=str(about.get("description", "")),
                tags=[str(tag) for tag in about.get("tags", [])],
                uid=uuid.UUID(self._ids[path]),
            )
            attach(actor=self._actor, slug=slug, upload=upload)
        return Entry(path=path, slug=slug, result="created")

    def _check_page_comes(self, slug: str) -> None:
        if slugs.key(slug) not in self._coming:
            page = find_page(self._actor, slug).page
            access.can_edit(self._actor, page.space).require()

    def _page_of(self, about: dict[str, Any]) -> str:
        return self._below(str(about.get("page", "")))

    def _below(self, path: str) -> str:
        return f"{self._section}/{path}" if self._section else path

    def _id_of(self, about: dict[str, Any]) -> str:
        """Return the id a file had, or another one where that is another file's."""
        try:
            uid = uuid.UUID(str(about.get("id")))
        except ValueError:
            return str(uuid.uuid4())
        if _is_there(self._actor, about, self._page_of(about)):
            return str(uid)
        taken = Attachment.objects.filter(uid=uid).exists()
        return str(uuid.uuid4() if taken else uid)

    def _drain(self, entry: zipfile.ZipInfo) -> None:
        """Count what an entry that is not taken would swell to."""
        for _ in self._archive.chunks(entry, most=2**40):
            pass


def _segment(part: str) -> str:
    """Return a segment for a part of a path, made from it where it is none."""
    try:
        return slugs.parse(part)
    except BadInput:
        return slugs.from_title(part)


def _reraise_whole(error: GoClawError) -> None:
    """Let through what is about the zip, not about one entry."""
    if isinstance(error, TooLarge) and error.code == "zip_too_large":
        raise error


def _is_there(actor: Actor, about: dict[str, Any], slug: str) -> bool:
    """Say whether the very file hangs on the very page already."""
    try:
        uid = uuid.UUID(str(about.get("id")))
        page = find_page(actor, slug).page
    except (ValueError, NotFound):
        return False
    return Attachment.objects.readable_by(actor).filter(uid=uid, page=page).exists()
