"""Put a whole wiki straight into a server's database: `python -m bench.wiki_loading`.

All that saves would have left: pages with tags, title words, links and counts of
sections, their searchable copies with vectors, and every revision, in order of time so
that those of one page lie far apart. Only HTML is left out: it is made at first view.
"""

import argparse
import hashlib
import itertools
import json
import time
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from bench import loading
from bench.corpus import Corpus
from bench.wiki_pages import WikiPage, WikiPages, in_order_of_time, revision_counts

if TYPE_CHECKING:
    from memory.models import Memory, Space
    from wiki.models import Page

PAGES_AT_ONCE = 1000
REVISIONS_AT_ONCE = 20_000
YEARS = timedelta(days=730)
TEXTS = 500
"""Different texts that older revisions have, each with a line of its own."""
REVISION_COLUMNS = (
    "uid",
    "page_id",
    "number",
    "slug",
    "title",
    "body",
    "tags",
    "text_hash",
    "size",
    "summary",
    "origin",
    "run_kind",
    "author_id",
    "created_at",
)


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was put in, and how long it took."""

    pages: int
    revisions: int
    pages_seconds: float
    revisions_seconds: float
    seconds: float


def load(*, pages: int, revisions: int) -> Loaded:
    """Fill the wiki of a fresh installation."""
    from django.db import transaction

    from memory.vectors import settle

    start = time.perf_counter()
    loader = _PageLoader(pages, revision_counts(pages, revisions))
    ids: list[int] = []
    for begin in range(0, pages, PAGES_AT_ONCE):
        numbers = range(begin, min(begin + PAGES_AT_ONCE, pages))
        ids += loader.load(numbers)
    pages_seconds = time.perf_counter() - start
    rows = _RevisionRows(loader, ids).rows()
    while batch := list(itertools.islice(rows, REVISIONS_AT_ONCE)):
        _insert_revisions(batch)
    revisions_seconds = time.perf_counter() - start - pages_seconds
    with transaction.atomic():
        _point_to_newest()
        _lead_links()
        _count_sections()
    if loader.served:
        settle(loader.served.model)
    seconds = time.perf_counter() - start
    return Loaded(pages, revisions, pages_seconds, revisions_seconds, seconds)


class _PageLoader:
    """Inserts pages and what hangs on them, without their revisions."""

    def __init__(self, count: int, counts: Sequence[int]) -> None:
        from accounts.models import User
        from memory.models import Space
        from memory.vectors import configured_model

        self.wiki = WikiPages(count)
        self.counts = counts
        self.space = Space.objects.get(kind="wiki", path="")
        self.author = User.objects.filter(is_superuser=True).order_by("pk")[0]
        self.served = configured_model()
        self._vectors = (
            loading.VectorMaker(self.served, Corpus(), 0) if self.served else None
        )

    def load(self, numbers: Sequence[int]) -> list[int]:
        """Insert the pages in one transaction; return their ids in order."""
        from django.db import transaction

        from memory import entries
        from memory.models import MemoryTag
        from wiki.models import Link, Page, PageTag, TitleWord

        texts = [self.wiki.page(number) for number in numbers]
        memories = [_mirror(text, self.space) for text in texts]
        prepared = [entries.prepare(m.title, m.content) for m in memories]
        with transaction.atomic():
            chunks = loading.insert(memories, prepared, self.space)
            if self._vectors:
                self._vectors.insert(chunks)
            pages = Page.objects.bulk_create(
                itertools.starmap(
                    self._page, zip(numbers, texts, memories, strict=True)
                )
            )
            MemoryTag.objects.bulk_create(
                MemoryTag(memory=memory, name=name)
                for memory, text in zip(memories, texts, strict=True)
                for name in text.tags
            )
            PageTag.objects.bulk_create(
                PageTag(page=page, space_id=page.space_id, name=name)
                for page in pages
                for name in page.tags
            )
            TitleWord.objects.bulk_create(_words(pages))
            Link.objects.bulk_create(
                Link(page=page, slug=slug, slug_key=slug)
                for page, text in zip(pages, texts, strict=True)
                for slug in text.links
            )
        return [page.pk for page in pages]

    def _page(self, number: int, text: WikiPage, memory: "Memory") -> "Page":
        from wiki import slugs
        from wiki.dependants import MAX_EXCERPT
        from wiki.models import Page

        return Page(
            slug=text.slug,
            slug_key=slugs.key(text.slug),
            title=text.title,
            excerpt=" ".join(text.body.removeprefix("# ").split())[:MAX_EXCERPT],
            tags=list(text.tags),
            space=self.space,
            number=self.counts[number],
            size=len(text.body.encode()),
            memory=memory,
            updated_by=self.author,
            created_at=datetime.now(UTC) - YEARS,
        )


class _RevisionRows:
    """Makes the rows of all revisions, oldest first."""

    def __init__(self, loader: _PageLoader, ids: Sequence[int]) -> None:
        self._loader = loader
        self._ids = ids
        corpus = Corpus()
        self._texts = [corpus.record(number).content for number in range(TEXTS)]

    def rows(self) -> Iterator[tuple[object, ...]]:
        """Yield a row for each revision, in the order of REVISION_COLUMNS."""
        from django.db import connection

        adapt = connection.ops.adapt_datetimefield_value
        order = in_order_of_time(self._loader.counts)
        begin, step = datetime.now(UTC) - YEARS, YEARS / (len(order) + 1)
        so_far: Counter[int] = Counter()
        wiki = self._loader.wiki
        slugs = [wiki.slug(number) for number in range(wiki.count)]
        for place, number in enumerate(order, start=1):
            so_far[number] += 1
            yield (
                uuid.uuid4().hex,
                self._ids[number],
                so_far[number],
                slugs[number],
                *self._text(number, so_far[number]),
                f"Edit {so_far[number]}",
                "import",
                "system",
                self._loader.author.pk,
                adapt(begin + place * step),
            )

    def _text(self, number: int, revision: int) -> tuple[str, str, str, str, int]:
        """Return title, body, tags, hash and size."""
        from wiki.drafts import PageText

        wiki = self._loader.wiki
        if revision == self._loader.counts[number]:
            page = wiki.page(number)
            text = PageText(title=page.title, body=page.body, tags=page.tags)
            tags = json.dumps(list(page.tags))
            return page.title, page.body, tags, text.digest, text.size
        body = f"{self._texts[(number + revision) % TEXTS]}\n\nEdit {revision}.\n"
        digest = hashlib.sha256(f"{number} {revision}".encode()).hexdigest()
        return wiki.title(number), body, "[]", digest, len(body.encode())


def _mirror(text: WikiPage, space: "Space") -> "Memory":
    from memory.drafts import text_hash
    from memory.models import Memory

    now = datetime.now(UTC)
    return Memory(
        space=space,
        scope=space.kind,
        source_key=text.slug,
        title=text.title,
        content=text.body,
        text_hash=text_hash(text.body),
        kind="document",
        origin="wiki",
        run_kind="system",
        observed_at=now,
        index_state="indexed",
    )


def _words(pages: Sequence["Page"]) -> Iterator[object]:
    from wiki.dependants import words_of
    from wiki.models import TitleWord

    for page in pages:
        for word in sorted(words_of(f"{page.title} {page.slug}")):
            yield TitleWord(page=page, word=word)


def _insert_revisions(rows: Sequence[tuple[object, ...]]) -> None:
    """Insert the rows in one transaction; models would take several times as long."""
    from django.db import connection, transaction

    from wiki.models import Revision

    columns = ", ".join(REVISION_COLUMNS)
    marks = ", ".join(["%s"] * len(REVISION_COLUMNS))
    table = Revision._meta.db_table
    statement = f"INSERT INTO {table} ({columns}) VALUES ({marks})"  # noqa: S608
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.executemany(statement, rows)


def _point_to_newest() -> None:
    from django.db.models import OuterRef, Subquery

    from wiki.models import Page, Revision

    newest = Revision.objects.order_by().filter(
        page=OuterRef("pk"), number=OuterRef("number")
    )
    Page.objects.update(
        revision_id=Subquery(newest.values("pk")),
        updated_at=Subquery(newest.values("created_at")),
    )


def _count_sections() -> None:
    from wiki import sections
    from wiki.models import Page

    sections.count(Counter(Page.objects.values_list("slug", "space_id").iterator()))


def _lead_links() -> None:
    from django.db.models import OuterRef, Subquery

    from wiki.models import Link, Page

    target = Page.objects.order_by().filter(
        slug_key=OuterRef("slug_key"), deleted_at__isnull=True
    )
    Link.objects.update(target_id=Subquery(target.values("pk")))


def main() -> None:
    """Load as the command line says, and print what was loaded as JSON."""
    import django

    parser = argparse.ArgumentParser(prog="python -m bench.wiki_loading")
    parser.add_argument("pages", type=int)
    parser.add_argument("revisions", type=int)
    options = parser.parse_args()
    django.setup()
    loaded = load(pages=options.pages, revisions=options.revisions)
    print(json.dumps(asdict(loaded)))


if __name__ == "__main__":
    main()
