"""The wiki with 100,000 pages and 1,000,000 revisions: what each thing costs then."""

import functools
import json
import random
from urllib.parse import quote, urlencode, urlsplit

from bench.corpus import Corpus
from bench.first_view import first_view
from bench.options import Options
from bench.report import Report, Section
from bench.scenario import Ask, Budget, Scenario, run_on_sqlite
from bench.servers import Server
from bench.visits import Visitor, by_key, signed_in
from bench.wiki_diffs import DiffPages
from bench.wiki_pages import FLAT_SECTION, WikiPages

PAGES, REVISIONS = 100_000, 1_000_000
QUICK_PAGES, QUICK_REVISIONS = 2_000, 20_000
CALLS, QUICK_CALLS = 200, 30
DIFFS = 25
"""Calls for each diff, the slowest of all."""
DEEP = 40
"""Pages of 200 revisions that are turned before a deep page is measured."""
MOST_FIRST_KB, MOST_SCRIPT_KB = 250, 60
LARGE_PAGE_S = 0.3

VIEW = HISTORY = Budget(30, 100)
SAVE = Budget(150, 500)
SEARCH = Budget(60, 250)
SUGGEST = Budget(20, 80)
DIFF = Budget(40, 200)
TREE = Budget(15, 50)
BESIDE = Budget()


def run(options: Options, report: Report) -> None:
    """Fill a wiki and measure it."""
    run_on_sqlite("Wiki", _Scenario, options, report)


class _Scenario(Scenario):
    def __init__(self, server: Server, section: Section, quick: bool) -> None:
        super().__init__(server, section, calls=QUICK_CALLS if quick else CALLS)
        self._revisions = QUICK_REVISIONS if quick else REVISIONS
        self._wiki = WikiPages(QUICK_PAGES if quick else PAGES)
        self._corpus = Corpus()
        self._rng = random.Random("visits")

    def run(self) -> None:
        self._load()
        self._api = by_key(self._server)
        self._person = signed_in(self._server, "admin")
        self._views()
        self._tree()
        self._lists()
        self._history()
        self._suggestions()
        self._searches()
        self._diffs()
        self._saves()
        self._rendering()

    def _load(self) -> None:
        """Fill the wiki, and start again: the vectors are read at the start."""
        arguments = [str(self._wiki.count), str(self._revisions)]
        output = self._server.run_beside("-m", "bench.wiki_loading", *arguments)
        loaded = json.loads(output)
        self._section.add(
            f"loading {loaded['pages']:,} pages, {loaded['revisions']:,} revisions",
            loaded["seconds"],
            "s",
            note=f"pages {loaded['pages_seconds']:.0f} s,"
            f" revisions {loaded['revisions_seconds']:.0f} s",
        )
        self._server.restart()

    # --- what is measured ------------------------------------------------------------
    def _views(self) -> None:
        slugs = self._some_slugs()
        for slug in slugs:  # its HTML is made at the first view
            self._person.get(_page(slug))
        self._measure("view", [self._seen(_page(slug)) for slug in slugs], VIEW)
        asked = [self._asked("", slug=slug, html="true") for slug in slugs]
        self._measure("view, API with HTML", asked, VIEW)
        size = first_view(self._person, _page(slugs[0]))
        self._section.add(
            "first view",
            size.total / 1000,
            "KB",
            at_most=MOST_FIRST_KB,
            note=f"HTML {size.html / 1000:.1f} KB, styles {size.styles / 1000:.1f} KB",
        )
        self._section.add(
            "script of the first view",
            size.scripts / 1000,
            "KB",
            at_most=MOST_SCRIPT_KB,
        )

    def _tree(self) -> None:
        sections = [slug.rpartition("/")[0] for slug in self._some_slugs()]
        tops = [section.partition("/")[0] for section in sections]
        for what, found in (
            ("top", [""] * self._calls),
            ("second", tops),
            ("third", sections),
            ("flat", [FLAT_SECTION] * self._calls),
        ):
            asked = [self._asked("/tree", **_named(section)) for section in found]
            self._measure(f"tree level, {what}", asked, TREE)
        drawn = [self._seen(f"/wiki/-/pages?fragment=1&slug={s}") for s in sections]
        self._measure("tree level, drawn", drawn, TREE)

    def _lists(self) -> None:
        slugs = self._some_slugs()
        tags = [page.tags[0] for page in map(self._wiki.page, range(300)) if page.tags]
        tops = [slug.partition("/")[0] for slug in slugs]
        self._measure("recent changes", self._again(self._asked("/recent")), BESIDE)
        self._measure(
            "recent changes, drawn", self._again(self._seen("/wiki/-/recent")), BESIDE
        )
        self._measure("list of pages", self._again(self._asked("")), BESIDE)
        for what, asked in (
            ("list of pages of a tag", [self._asked("", tag=tag) for tag in tags]),
            ("list of pages of a section", [self._asked("", under=t) for t in tops]),
            ("backlinks", [self._asked("/backlinks", slug=slug) for slug in slugs]),
            ("broken links", self._again(self._asked("/links/broken"))),
            ("tags", self._again(self._asked("/tags"))),
            ("feed", self._again(self._seen("/wiki/-/feed.atom"))),
            ("llms.txt", self._again(self._seen("/llms.txt"))),
        ):
            self._measure(what, asked[: self._calls], BESIDE)

    def _history(self) -> None:
        slugs = self._some_slugs()
        asked = [self._asked("/history", slug=slug) for slug in slugs]
        self._measure("history", asked, HISTORY)
        drawn = [self._seen(f"/wiki/-/history/{quote(slug)}") for slug in slugs]
        self._measure("history, drawn", drawn, HISTORY)
        long = self._wiki.slug(0)
        first = self._asked("/history", slug=long)
        self._measure("history of 10,000, first page", self._again(first), HISTORY)
        deep = _deep_page(self._api, _api("/history", slug=long, page_size=200))
        deep = deep.replace("page_size=200", "page_size=50")
        again = self._again(functools.partial(self._api.get, deep))
        self._measure("history of 10,000, deep page", again, HISTORY)
        path = f"/wiki/-/history/{long}"
        self._measure(
            "history of 10,000, drawn", self._again(self._seen(path)), HISTORY
        )

    def _suggestions(self) -> None:
        typed = []
        for number in self._some_numbers():
            title = self._wiki.title(number)
            typed.append(title[: self._rng.randrange(2, len(title))])
        asked = [self._asked("/suggest", query=text) for text in typed]
        self._measure("suggest titles", asked, SUGGEST)
        letters = [self._rng.choice("abcdefghilmnoprstuvw") for _ in typed]
        asked = [self._asked("/suggest", query=letter) for letter in letters]
        self._measure("suggest titles, one letter", asked, SUGGEST)

    def _searches(self) -> None:
        questions = [self._corpus.question(number) for number in range(self._calls)]
        asked = [self._asked("/search", query=text) for text in questions]
        self._measure("search", asked, SEARCH)

    def _diffs(self) -> None:
        pages = DiffPages(self._api)
        for what, path in pages.paths():
            again = self._again(self._seen(path))[:DIFFS]
            self._measure(f"diff of 2,000 lines, {what}", again, DIFF)

    def _saves(self) -> None:
        asks: list[Ask] = []
        for slug in sorted(set(self._some_slugs())):
            page = self._api.get(_api("", slug=slug)).json
            body = {
                "body": f"{page['body']}\nOne more line.\n",
                "base_revision": page["revision"],
            }
            path = _api("", slug=slug)
            asks.append(functools.partial(self._api.post_json, path, body))
        self._measure("save", asks, SAVE)

    def _rendering(self) -> None:
        count = str(self._calls // 10)
        output = self._server.run_beside("-m", "bench.bare_rendering", count)
        found = json.loads(output)
        self._section.add(
            f"renderer, page of {found['bytes'] / 1000:.0f} KB",
            found["seconds"],
            "s",
            at_most=LARGE_PAGE_S,
        )

    # --- how -------------------------------------------------------------------------
    def _some_numbers(self) -> list[int]:
        return self._rng.sample(range(self._wiki.count), self._calls)

    def _some_slugs(self) -> list[str]:
        return [self._wiki.slug(number) for number in self._some_numbers()]

    def _asked(self, path: str, **query: object) -> Ask:
        return functools.partial(self._api.get, _api(path, **query))

    def _seen(self, path: str) -> Ask:
        return functools.partial(self._person.get, path)


def _deep_page(api: Visitor, path: str) -> str:
    """Return the address of a page of a list, many pages down."""
    for _ in range(DEEP):
        path = _path(api.get(path).json["next"])
    return path


def _path(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.path}?{parts.query}"


def _api(path: str, **query: object) -> str:
    return f"/api/memory/wiki{path}?{urlencode(query)}"


def _page(slug: str) -> str:
    return f"/wiki/{quote(slug)}"


def _named(section: str) -> dict[str, str]:
    return {"slug": section} if section else {}
