"""Find pages: by what they say, through the one search, and by title while typing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import Exists, OuterRef

from accounts.actors import Actor
from memory.access import readable
from memory.scopes import Scope
from memory.search import SearchAnswer, SearchQuery, search
from wiki.dependants import words_of
from wiki.models import Page, TitleWord

MOST_SUGGESTED = 20
_CONSIDERED = 300


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A page whose title or slug has words that begin like those typed."""

    slug: str
    title: str


def search_pages(actor: Actor, query: SearchQuery) -> SearchAnswer:
    """Return the hits of the one search among wiki pages."""
    return search(actor, replace(query, scopes=(Scope.WIKI,)))


def suggest(actor: Actor, text: str, *, limit: int = 8) -> list[Suggestion]:
    """Return readable pages whose words begin with all those typed, best first."""
    typed = sorted(words_of(text), key=len, reverse=True)
    if not typed:
        return []
    # The longest word is the rarest; with its index the rest is a look at few pages.
    first = TitleWord.objects.filter(
        readable(actor, prefix="page__", indexed=False), **_begins(typed[0])
    )
    for word in typed[1:]:
        others = TitleWord.objects.filter(page=OuterRef("page"), **_begins(word))
        first = first.filter(Exists(others))
    ids = first.values_list("page_id", flat=True)[:_CONSIDERED]
    found = Page.objects.filter(pk__in=list(ids)).values_list("slug", "title")
    best = sorted(found, key=lambda row: _rank(text, typed, *row))
    return [Suggestion(slug, title) for slug, title in best[:limit]]


def _begins(word: str) -> dict[str, str]:
    return {"word__gte": word, "word__lt": word + chr(0x10FFFF)}


def _rank(
    text: str, typed: Sequence[str], slug: str, title: str
) -> tuple[bool, int, int, str]:
    """Return what sorts first: titles that begin as typed, whole words, brevity."""
    folded = title.casefold()
    whole = len(words_of(title).intersection(typed))
    return not folded.startswith(text.strip().casefold()), -whole, len(title), slug
