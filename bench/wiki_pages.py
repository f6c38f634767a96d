"""The pages of a wiki made from a seed, and how many revisions each has. Pure."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from bench import words
from bench.corpus import Corpus

FLAT_SECTION = "journal"
"""A section with a twentieth of all pages right below it."""
LONG_LIVED = 10_000
"""Revisions of page 0."""
LIVELY, LIVELY_PAGES = 1_000, 5
"""Revisions of each of the pages after it, and how many such pages there are."""

_TAGS = tuple(sorted({thing.split()[0].lower() for thing in words.THINGS}))


@dataclass(frozen=True, slots=True, kw_only=True)
class WikiPage:
    """A page's newest text."""

    slug: str
    title: str
    tags: tuple[str, ...]
    body: str
    links: tuple[str, ...]


class WikiPages:
    """Pages by number; the same number of the same wiki always gives the same."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._corpus = Corpus()

    def slug(self, number: int) -> str:
        """Return the address: three levels deep, or in the flat section."""
        rng = random.Random(f"slug {number}")
        system, thing = rng.choice(words.SYSTEMS), rng.choice(words.THINGS)
        who = rng.choice(words.PEOPLE).lower()
        if number % 20 == 0:
            return f"{FLAT_SECTION}/{system}-{number}"
        return f"{system}/{_segment(thing)}/{who}-{number}"

    def title(self, number: int) -> str:
        """Return a title that has words in common with many others."""
        rng = random.Random(f"title {number}")
        thing, who = rng.choice(words.THINGS), rng.choice(words.PEOPLE)
        return f"{thing[0].upper()}{thing[1:]} of {rng.choice(words.SYSTEMS)}, {who}"

    def page(self, number: int) -> WikiPage:
        """Return the page: a heading, a text, two links, one in fifty broken."""
        rng = random.Random(f"page {number}")
        title = self.title(number)
        targets = [self._target(rng) for _ in range(2)]
        text = self._corpus.record(number).content
        links = f"See [[{targets[0]}]] and [[{targets[1]}|what else there is]]."
        return WikiPage(
            slug=self.slug(number),
            title=title,
            tags=tuple(sorted(rng.sample(_TAGS, rng.randrange(4)))),
            body=f"# {title}\n\n{text}\n\n{links}\n",
            links=tuple(sorted(set(targets))),
        )

    def _target(self, rng: random.Random) -> str:
        if rng.random() < 0.02:
            return f"missing/page-{rng.randrange(self.count)}"
        return self.slug(rng.randrange(self.count))


def revision_counts(pages: int, revisions: int) -> list[int]:
    """Return how many revisions each page has; together they are exactly so many."""
    lively = [LONG_LIVED, *[LIVELY] * LIVELY_PAGES]
    each, more = divmod(revisions - sum(lively), pages - len(lively))
    if each < 1:
        raise ValueError("Every page needs a revision.")
    others = pages - len(lively)
    return lively + [each + (number < more) for number in range(others)]


def in_order_of_time(counts: Sequence[int]) -> list[int]:
    """Return the page of each revision, oldest first: all pages grow at once."""
    order = [number for number, count in enumerate(counts) for _ in range(count)]
    random.Random("order").shuffle(order)
    return order


def _segment(text: str) -> str:
    return text.replace(" ", "-").lower()
