"""Pages and files against their searchable copies, and files against their bytes."""

from collections.abc import Iterator

from django.db import transaction
from django.db.models import Exists, OuterRef

from memory import mirrors
from memory.checking.registry import Check, register
from memory.models import Memory
from memory.models.memories import MemoryQuerySet
from memory.scopes import Scope
from wiki import dependants, documents, purging, storing
from wiki.models import Attachment, Page
from wiki.models.attachments import AttachmentQuerySet
from wiki.models.pages import PageQuerySet


def _dead_mirrors() -> MemoryQuerySet:
    """Return the copies of pages and files that are gone."""
    pages = Exists(Page.objects.filter(memory=OuterRef("pk")))
    files = Exists(Attachment.objects.filter(memory=OuterRef("pk")))
    copies = Memory.objects.filter(~pages, ~files).exclude(source_key="")
    return copies.exclude(scope__in=(Scope.WORKSPACE, Scope.DB_CACHE, Scope.WIKIJS))


def _unmirrored_pages() -> PageQuerySet:
    return Page.objects.live().filter(memory__isnull=True, revision__isnull=False)


def _mirror_pages() -> None:
    for page in _unmirrored_pages().select_related("space", "revision"):
        revision = page.revision
        if revision is None:
            continue
        prepared = dependants.prepare(
            slug=page.slug, title=page.title, body=revision.body
        )
        with transaction.atomic():
            dependants.refresh(page, revision, prepared)


def _unmirrored_files() -> AttachmentQuerySet:
    return Attachment.objects.filter(memory__isnull=True).exclude(
        page__deleted_at__isnull=False
    )


def _mirror_files() -> None:
    for file in _unmirrored_files().select_related("page__space", "space"):
        prepared = documents.prepare(file)
        with transaction.atomic():
            documents.enter(file, prepared)


def _drop_bytes() -> None:
    for key in purging.unnamed():
        storing.discard(key)


def _lost_bytes() -> Iterator[str]:
    rows = Attachment.objects.values_list("key", "name", "size")
    for key, name, size in rows.iterator():
        if storing.size_of(key) != size:
            yield f"{name} ({key})"


for check in (
    Check(
        name="wiki-copies",
        problem="searchable copies of pages and files that are gone",
        find=lambda: _dead_mirrors().values_list("source_key", flat=True),
        repair=lambda: mirrors.remove_documents(_dead_mirrors()),
    ),
    Check(
        name="pages-findable",
        problem="live pages without a searchable copy",
        find=lambda: _unmirrored_pages().values_list("slug", flat=True),
        repair=_mirror_pages,
    ),
    Check(
        name="files-findable",
        problem="files without a searchable copy",
        find=lambda: _unmirrored_files().values_list("name", flat=True),
        repair=_mirror_files,
    ),
    Check(
        name="bytes-of-nothing",
        problem="stored bytes that belong to no file",
        find=purging.unnamed,
        repair=_drop_bytes,
    ),
    Check(
        name="bytes-lost",
        problem="files whose bytes are missing or of another size",
        find=_lost_bytes,
        advice="Put media/ back from a backup, or delete these files in the wiki.",
    ),
):
    register(check)
