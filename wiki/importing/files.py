"""The files of a zip: which ids they get, and whether they are in the wiki already.

A file keeps the id it had. Where that is another file's, or it never had one, the id is
made from what it is and whose page it is on: an import that is taken up again, or done
once more, finds what it has attached.
"""

import re
import uuid
from collections.abc import Iterator, Mapping
from typing import IO, Any

from accounts.actors import Actor
from wiki import slugs
from wiki.attachments import Upload
from wiki.importing.contents import Contents, below
from wiki.models import Attachment, Page

_SPACE = uuid.UUID("6a0c0f0e-5c0e-4d53-9a38-1f0d8b6e7c55")
_MEDIA = re.compile(r"/media/([0-9a-f-]{36})")


class Files:
    """Ids of the files of one zip."""

    def __init__(self, actor: Actor, contents: Contents, section: str) -> None:
        self._actor = actor
        self._contents = contents
        self._section = section
        self._ids: dict[tuple[str, str], tuple[uuid.UUID, bool]] = {}
        self.renamed = self._renamed()

    def page_of(self, about: Mapping[str, Any]) -> str:
        """Return the slug of the page that a file of ours is on."""
        return below(self._section, str(about.get("page", "")))

    def id_on(self, path: str, slug: str) -> uuid.UUID:
        """Return the id that a file has, or will have, on a page."""
        return self._found(path, slug)[0]

    def is_there(self, path: str, slug: str) -> bool:
        """Say whether the very file hangs on the very page already."""
        return self._found(path, slug)[1]

    def upload(self, path: str, slug: str, file: IO[bytes]) -> Upload:
        """Return what to attach."""
        about = (self._contents.manifest or {}).get(path, {})
        return Upload(
            file=file,
            name=str(about.get("name") or path),
            description=str(about.get("description", "")),
            tags=[str(tag) for tag in about.get("tags", [])],
            uid=self.id_on(path, slug),
        )

    def _renamed(self) -> dict[str, str]:
        """Return the ids of files of ours that cannot stay, and their new ones."""
        changed = {}
        for path, about in (self._contents.manifest or {}).items():
            old = str(about.get("id"))
            if path in self._contents.files:
                new = str(self.id_on(path, self.page_of(about)))
                if new != old:
                    changed[old] = new
        return changed

    def _found(self, path: str, slug: str) -> tuple[uuid.UUID, bool]:
        if (path, slug) not in self._ids:
            self._ids[path, slug] = self._look(path, slug)
        return self._ids[path, slug]

    def _look(self, path: str, slug: str) -> tuple[uuid.UUID, bool]:
        for uid in self._candidates(path, slug):
            taken = Attachment.objects.filter(uid=uid).only("pk", "page_id").first()
            if taken is None:
                return uid, False
            if taken.page_id is not None and taken.page_id == self._page_id(slug):
                return uid, True
        raise AssertionError("Candidates do not end.")

    def _page_id(self, slug: str) -> int | None:
        pages = Page.objects.readable_by(self._actor).live().at(slug)
        return pages.values_list("pk", flat=True).first()

    def _candidates(self, path: str, slug: str) -> Iterator[uuid.UUID]:
        about = (self._contents.manifest or {}).get(path)
        if about is not None:
            try:
                own = uuid.UUID(str(about.get("id")))
                yield own
            except ValueError:
                own = uuid.uuid5(_SPACE, path)
        else:
            entry = self._contents.files[path]
            own = uuid.uuid5(_SPACE, f"{path} {entry.CRC} {entry.file_size}")
        number = 1
        while True:
            yield uuid.uuid5(own, f"{slugs.key(slug)} {number}")
            number += 1


def own_links(body: str, renamed: Mapping[str, str]) -> str:
    """Return a text of ours with the ids of its files as they are now."""
    if not renamed:
        return body
    return _MEDIA.sub(lambda link: f"/media/{renamed.get(link[1], link[1])}", body)
