"""The review with 10,000 items that wait: what a reviewer waits for then."""

import functools
import html
import json
import random
import re

from bench.options import Options
from bench.report import Report, Section
from bench.scenario import Ask, Budget, Scenario, run_on_sqlite
from bench.servers import Server
from bench.visits import by_key, signed_in

ITEMS, QUICK_ITEMS = 10_000, 500
CALLS, QUICK_CALLS = 100, 20
DEEP = 40
"""Pages that are turned before a deep one is measured."""

QUEUE = Budget(50, 200)
SAVE = Budget(150, 500)
BESIDE = Budget(p95=200)

_ITEM = re.compile(r'href="(/review/[0-9a-f-]{36})[?"]')
_NEWER = re.compile(r'rel="next" href="(\?[^"]+)"')
_FORM = re.compile(
    r'<form method="post" action="([^"]+)">'
    r'<input type="hidden" name="csrfmiddlewaretoken" value="([^"]+)">'
    r'<input type="hidden" name="content_hash" value="([^"]+)">'
    r'<input type="hidden" name="base_revision" value="([^"]+)">'
)


def run(options: Options, report: Report) -> None:
    """Fill the queue and measure it."""
    run_on_sqlite("Review", _Scenario, options, report)


class _Scenario(Scenario):
    def __init__(self, server: Server, section: Section, quick: bool) -> None:
        super().__init__(server, section, calls=QUICK_CALLS if quick else CALLS)
        self._items = QUICK_ITEMS if quick else ITEMS
        self._rng = random.Random("review")

    def run(self) -> None:
        output = self._server.run_beside("-m", "bench.review_loading", str(self._items))
        loaded = json.loads(output)
        self._section.add(
            f"loading {self._items:,} items",
            loaded["seconds"],
            "s",
            note=f"{loaded['drafts']:,} drafts, {loaded['decisions']:,} decisions",
        )
        self._person = signed_in(self._server, "admin")
        self._queue()
        self._one_item()
        self._deciding()

    def _queue(self) -> None:
        self._measure("queue", self._seen("/review/"), QUEUE)
        for what, query in (
            ("of a kind", "kind=new_page"),
            ("of a domain", "domain=domain-7"),
            ("of a run", "run=run-3"),
            ("with a risk", "risk=unsourced"),
            ("without risks", "risk=none"),
            ("that fits nothing", "domain=nothing"),
        ):
            self._measure(f"queue, {what}", self._seen(f"/review/?{query}"), QUEUE)
        self._measure("queue, deep page", self._seen(self._deep_page()), QUEUE)
        asked = functools.partial(by_key(self._server).get, "/api/review/items")
        self._measure("queue, API", self._again(asked), QUEUE)
        self._measure("any page with its badge", self._seen("/wiki/"), BESIDE)

    def _one_item(self) -> None:
        for what, query in (("draft", "kind=new_page"), ("decision", "kind=supersede")):
            paths = self._some(query)
            asks = [functools.partial(self._person.get, path) for path in paths]
            self._measure(f"item, {what}", asks, BESIDE)

    def _deciding(self) -> None:
        for what, query, budget in (
            ("approve a draft", "kind=new_page&risk=none", SAVE),
            ("confirm a decision", "kind=supersede", BESIDE),
        ):
            asks = [self._approval(path) for path in self._some(query)]
            self._measure(what, asks, budget)

    def _approval(self, path: str) -> Ask:
        found = _FORM.search(self._person.get(path).text)
        if found is None:
            raise RuntimeError(f"{path} has no form to approve it")
        action, token, content_hash, base = map(html.unescape, found.groups())
        return functools.partial(
            self._person.post_form,
            action,
            token,
            content_hash=content_hash,
            base_revision=base,
        )

    # --- how -------------------------------------------------------------------------
    def _some(self, query: str) -> list[str]:
        """Return the paths of items of the queue, from several of its pages."""
        found: list[str] = []
        path = f"/review/?{query}"
        while len(found) < self._calls:
            page = self._person.get(path).text
            found += _ITEM.findall(page)
            following = _NEWER.search(page)
            if following is None:
                break
            path = f"/review/{html.unescape(following[1])}"
        paths = list(dict.fromkeys(found))[: self._calls]
        self._rng.shuffle(paths)
        return paths

    def _deep_page(self) -> str:
        path = "/review/"
        for _ in range(DEEP):
            following = _NEWER.search(self._person.get(path).text)
            if following is None:
                break
            path = f"/review/{html.unescape(following[1])}"
        return path

    def _seen(self, path: str) -> list[Ask]:
        return self._again(functools.partial(self._person.get, path))
