"""What hangs on a live page: tags, title words, links, counts, the searchable copy."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from goclaw.lib.hidden import without_deceiving
from memory import entries, mirrors
from memory.models.ids import among
from memory.scopes import Kind, Origin
from memory.tagging import set_tags
from wiki import documents, links, sections
from wiki.models import Page, PageTag, Revision, TitleWord
from wiki.rendering import Rendered, render

MAX_EXCERPT = 300
_MOST_WORDS = 40
_WORD = re.compile(r"[^\W_]+")
# Scripts written without spaces: a word may be looked for by any of its ends.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff]")


@dataclass(frozen=True, slots=True)
class Prepared:
    """A text rendered and analysed, before the transaction that saves it."""

    rendered: Rendered
    entries: entries.Prepared

    @property
    def excerpt(self) -> str:
        """Return how the plain text begins."""
        return " ".join(self.rendered.text[: 2 * MAX_EXCERPT].split())[:MAX_EXCERPT]


def prepare(*, slug: str, title: str, body: str) -> Prepared:
    """Render and analyse a text: slow, and no business of a transaction."""
    return Prepared(
        rendered=render(body, slug=slug),
        entries=entries.prepare(title, _searchable(title, body)),
    )


def enter(page: Page, revision: Revision, prepared: Prepared) -> None:
    """Hang everything on a page that has come, and lead links to it."""
    refresh(page, revision, prepared)
    documents.page_enters(page)
    sections.count({(page.slug, page.space_id): 1})
    links.resolve([page.slug_key])


def refresh(page: Page, revision: Revision, prepared: Prepared) -> None:
    """Make what hangs on the page say what its newest revision says."""
    PageTag.objects.filter(page=page).exclude(name__in=revision.tags).delete()
    PageTag.objects.bulk_create(
        (
            PageTag(page=page, space_id=page.space_id, name=name)
            for name in revision.tags
        ),
        ignore_conflicts=True,
    )
    set_words([page])
    links.set_links(page, prepared.rendered.links)
    _mirror(page, revision, prepared)


def leave(page: Page) -> None:
    """Take everything off a page that goes to the trash."""
    pages = page.tag_rows, page.words, page.links
    for rows in pages:
        rows.all().delete()
    links.resolve(links.keys_leading_to([page]))
    sections.count({(page.slug, page.space_id): -1})
    documents.page_leaves(page)
    memory = page.memory
    page.memory = None
    page.save(update_fields=["memory"])
    if memory:
        mirrors.remove_documents([memory])


def set_words(pages: Sequence[Page]) -> None:
    """Make the words by which pages are suggested those of their titles and slugs."""
    wanted = {
        (page.pk, word)
        for page in pages
        for word in words_of(f"{page.title} {page.slug}")
    }
    rows = TitleWord.objects.filter(page__in=among(page.pk for page in pages))
    present = {
        (page, word): pk for pk, page, word in rows.values_list("pk", "page_id", "word")
    }
    gone = [pk for place, pk in present.items() if place not in wanted]
    if gone:
        TitleWord.objects.filter(pk__in=among(gone)).delete()
    TitleWord.objects.bulk_create(
        TitleWord(page_id=page, word=word)
        for page, word in sorted(wanted - present.keys())
    )


def words_of(text: str) -> set[str]:
    """Return the folded words of a title, slug or question."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    found: set[str] = set()
    for word in _WORD.findall(folded)[:_MOST_WORDS]:
        starts = range(len(word)) if _UNSPACED.search(word) else range(1)
        found.update(word[start:][:64] for start in starts[:_MOST_WORDS])
    return found


def _searchable(title: str, body: str) -> str:
    """Return what agents find and read of a page: nothing that people do not see."""
    return without_deceiving(body) or title


def _mirror(page: Page, revision: Revision, prepared: Prepared) -> None:
    memory = mirrors.sync_document(
        space=page.space,
        agent="",
        source_key=page.slug,
        title=page.title,
        content=_searchable(page.title, revision.body),
        kind=Kind.DOCUMENT,
        observed_at=revision.created_at,
        origin=Origin.WIKI,
        prepared=prepared.entries,
    )
    set_tags(memory, revision.tags, present=frozenset(memory.tag_names()))
    if page.memory_id != memory.pk:
        page.memory = memory
        page.save(update_fields=["memory"])
