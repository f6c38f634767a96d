"""The wiki as a zip of Markdown files, written while it is sent."""

import json
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from typing import IO, Any

from accounts.actors import Actor
from memory.models.ids import among
from wiki import portable_text, storing
from wiki.drafts import PageText
from wiki.models import Attachment, Page

FILES = "-/files/"
"""Where attachments are: below a segment that no page can have."""
MANIFEST = "-/files.json"
FORMAT = 1
AT_ONCE = 100
HIGHEST_RATIO = 8
"""What would shrink more is not compressed: imports refuse what swells too much."""
_EPOCH = (1980, 1, 1, 0, 0, 0)


class _Outlet:
    """What the zip is written to; keeps what has not been sent yet."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Do nothing: `taken` is what sends."""

    def taken(self) -> bytes:
        data = b"".join(self._parts)
        self._parts.clear()
        return data


def export_zip(actor: Actor, *, under: str = "") -> Iterator[bytes]:
    """Yield a zip of the readable pages of a section with their files.

    A page is `<slug>.md`; what there is to know of files is in `-/files.json`.
    """
    outlet = _Outlet()
    described: list[dict[str, Any]] = []
    with zipfile.ZipFile(_as_file(outlet), "w") as archive:
        for pages in _batches(actor, under):
            for page in pages:
                _write_page(archive, page)
                yield outlet.taken()
            for file in _files_of(actor, pages):
                yield from _write_file(archive, file, outlet)
                described.append(_about(file))
        manifest = json.dumps(
            {"format": FORMAT, "files": described}, ensure_ascii=False, indent=1
        )
        _write_text(archive, MANIFEST, manifest)
    yield outlet.taken()


def _as_file(outlet: _Outlet) -> "IO[bytes]":
    return outlet  # type: ignore[return-value]  # all that zipfile asks of a stream


def _batches(actor: Actor, under: str) -> Iterator[Sequence[Page]]:
    """Yield the pages by slug, some at a time, with their texts."""
    last = ""
    while True:
        found = Page.objects.readable_by(actor).live().under(under)
        rows = found.filter(slug_key__gt=last).select_related("revision")
        pages = list(rows.order_by("slug_key")[:AT_ONCE])
        if not pages:
            return
        yield pages
        last = pages[-1].slug_key


def _write_page(archive: zipfile.ZipFile, page: Page) -> None:
    body = page.revision.body if page.revision else ""
    text = PageText(title=page.title, body=body, tags=tuple(page.tags))
    _write_text(archive, f"{page.slug}.md", portable_text.written(text))


def _write_text(archive: zipfile.ZipFile, name: str, text: str) -> None:
    data = text.encode()
    swells = len(data) > HIGHEST_RATIO * len(zlib.compress(data))
    entry = zipfile.ZipInfo(name, _EPOCH)
    entry.compress_type = zipfile.ZIP_STORED if swells else zipfile.ZIP_DEFLATED
    archive.writestr(entry, data)


def _files_of(actor: Actor, pages: Sequence[Page]) -> Iterator[Attachment]:
    found = Attachment.objects.readable_by(actor)
    ids = among(page.pk for page in pages)
    yield from found.filter(page__in=ids).select_related("page").defer("text")


def _write_file(
    archive: zipfile.ZipFile, file: Attachment, outlet: _Outlet
) -> Iterator[bytes]:
    try:
        chunks = storing.read(file.key, 0, file.size)
    except FileNotFoundError:
        return
    entry = zipfile.ZipInfo(entry_name(file), _EPOCH)
    with archive.open(entry, "w", force_zip64=True) as target:
        for chunk in chunks:
            target.write(chunk)
            yield outlet.taken()


def entry_name(file: Attachment) -> str:
    """Return where the bytes of a file are in the zip."""
    return f"{FILES}{file.uid}/{file.name}"


def _about(file: Attachment) -> dict[str, Any]:
    return {
        "id": str(file.uid),
        "entry": entry_name(file),
        "page": file.page.slug if file.page else "",
        "name": file.name,
        "description": file.description,
        "tags": file.tags,
    }
