"""What a zip holds: which page each of its Markdown files becomes, and other files.

A zip of ours names its files in a manifest. In one of other programs a folder's README
or index becomes the page of that folder.
"""

import json
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from goclaw.lib.errors import BadInput
from wiki import slugs
from wiki.archives import Archive, refusal
from wiki.exporting import MANIFEST

MAX_MANIFEST = 64 * 1024 * 1024
MARKDOWN = (".md", ".markdown")
_OF_FOLDERS = ("index", "readme")
"""File names that stand for their folder, the first before the second."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an entry goes: the slug of its page, or why it goes nowhere."""

    slug: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Contents:
    """The entries of a zip, in its order.

    `manifest` is what a zip of ours says of its files, by path; None for others.
    """

    pages: Mapping[str, Place]
    files: Mapping[str, zipfile.ZipInfo]
    entries: Mapping[str, zipfile.ZipInfo]
    manifest: Mapping[str, dict[str, Any]] | None


def contents_of(archive: Archive, section: str) -> Contents:
    """Return what a zip holds, for a section; raises BadInput for a bad manifest."""
    manifest = _manifest(archive)
    entries = {
        entry.filename: entry
        for entry in archive.entries
        if not entry.is_dir() and entry.filename != MANIFEST
    }
    texts = [
        path
        for path, entry in entries.items()
        if path not in (manifest or {})
        and (refusal(entry) or path.lower().endswith(MARKDOWN))
    ]
    places = _Places(section, folders=manifest is None)
    pages = places.of({path: refusal(entries[path]) for path in texts})
    files = {path: entry for path, entry in entries.items() if path not in pages}
    return Contents(pages, files, entries, manifest)


def _manifest(archive: Archive) -> dict[str, dict[str, Any]] | None:
    for entry in archive.entries:
        if entry.filename == MANIFEST:
            data = archive.read(entry, most=MAX_MANIFEST)
            try:
                files = json.loads(data)["files"]
                return {str(one["entry"]): dict(one) for one in files}
            except (ValueError, TypeError, KeyError):
                raise BadInput(
                    f"{MANIFEST} is not as it was written.", code="bad_zip"
                ) from None
    return None


class _Places:
    """Gives each path a slug of its own."""

    def __init__(self, section: str, *, folders: bool) -> None:
        self._section = section
        self._folders = folders
        self._taken: set[str] = set()

    def of(self, refusals: Mapping[str, str]) -> dict[str, Place]:
        """Return the places of paths, in their order; pages of folders come last."""
        found = {path: Place(reason=why) for path, why in refusals.items()}
        fine = [path for path, why in refusals.items() if not why]
        for path in sorted(fine, key=self._rank):
            found[path] = self._place(path)
        return found

    def _rank(self, path: str) -> int:
        name = _stem(path).rpartition("/")[2].lower()
        if not self._folders or name not in _OF_FOLDERS:
            return 0
        return 1 + _OF_FOLDERS.index(name)

    def _place(self, path: str) -> Place:
        stem = _stem(path)
        folder = stem.rpartition("/")[0]
        stems: Iterable[str] = (stem,)
        if self._rank(path) and below(self._section, folder):
            stems = (folder, stem)
        reason = ""
        for one in stems:
            try:
                slug = slug_of_path(below(self._section, one))
            except BadInput as error:
                reason = error.message
                continue
            if slugs.key(slug) not in self._taken:
                self._taken.add(slugs.key(slug))
                return Place(slug)
            reason = "Another entry is the same page."
        return Place(reason=reason)


def below(section: str, path: str) -> str:
    """Return a path below a section; "" stands for none in both places."""
    return "/".join(part for part in (section, path) if part)


def slug_of_path(path: str) -> str:
    """Return the slug of a path, segments that are none turned into some."""
    try:
        return slugs.parse(path)
    except BadInput as error:
        if error.code == "slug_reserved":
            raise
    return slugs.parse("/".join(map(_segment, path.split("/"))))


def _stem(path: str) -> str:
    return path.rpartition(".")[0]


def _segment(part: str) -> str:
    try:
        return slugs.parse(part)
    except BadInput:
        return slugs.from_title(part)
