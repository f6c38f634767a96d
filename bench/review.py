"""The review with 10,000 items that wait: what a reviewer waits for then.

On SQLite, which is what the budgets are for. Times are the server's own, those of the
client stand beside them.
"""

import functools
import html
import json
import random
import re
from collections.abc import Callable, Sequence

from bench.engines import SQLITE
from bench.options import Options
from bench.report import Report, Section
from bench.servers import Server, running
from bench.timing import Timings, one_by_one
from bench.visits import Answer, Visitor, by_key, signed_in

ITEMS, QUICK_ITEMS = 10_000, 500
CALLS, QUICK_CALLS = 100, 20
WARM_UP = 5
DEEP = 40
"""Pages that are turned before a deep one is measured."""

Budget = tuple[float | None, float | None]
"""Milliseconds of server time: median and 95th percentile; None for no target."""
QUEUE: Budget = (50, 200)
SAVE: Budget = (150, 500)
BESIDE: Budget = (None, 200)

_ITEM = re.compile(r'href="(/review/[0-9a-f-]{36})[?"]')
_NEWER = re.compile(r'rel="next" href="(\?[^"]+)"')
_FORM = re.compile(
    r'<form method="post" action="([^"]+)">'
    r'<input type="hidden" name="csrfmiddlewaretoken" value="([^"]+)">'
    r'<input type="hidden" name="content_hash" value="([^"]+)">'
    r'<input type="hidden" name="base_revision" value="([^"]+)">'
)

Ask = Callable[[], Answer]


def run(options: Options, report: Report) -> None:
    """Fill the queue and measure it."""
    if SQLITE not in options.engines:
        return
    section = report.section(f"Review on {SQLITE}")
    with running(options.databases(SQLITE)) as server:
        _Scenario(server, section, quick=options.quick).run()


class _Scenario:
    def __init__(self, server: Server, section: Section, *, quick: bool) -> None:
        self._server = server
        self._section = section
        self._items = QUICK_ITEMS if quick else ITEMS
        self._calls = QUICK_CALLS if quick else CALLS
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
        again = functools.partial(self._again, self._person)
        self._measure("queue", again("/review/"))
        for what, query in (
            ("of a kind", "kind=new_page"),
            ("of a domain", "domain=domain-7"),
            ("of a run", "run=run-3"),
            ("with a risk", "risk=unsourced"),
            ("without risks", "risk=none"),
            ("that fits nothing", "domain=nothing"),
        ):
            self._measure(f"queue, {what}", again(f"/review/?{query}"))
        self._measure("queue, deep page", again(self._deep_page()))
        api = by_key(self._server)
        self._measure("queue, API", self._again(api, "/api/review/items"))
        self._measure("any page with its badge", again("/wiki/"), BESIDE)

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

    def _again(self, visitor: Visitor, path: str) -> list[Ask]:
        return [functools.partial(visitor.get, path)] * self._calls

    def _measure(self, what: str, asks: Sequence[Ask], budget: Budget = QUEUE) -> None:
        """Make some of the calls to warm up, the others to measure."""
        for ask in asks[:WARM_UP]:
            ask()
        outcome = one_by_one(asks[WARM_UP:])
        if outcome.errors:
            raise outcome.errors[0]
        took = sorted(answer.server_s for answer in outcome.results)
        server = Timings(tuple(took), sum(took))
        for name, share, limit in (("p50", 0.5, budget[0]), ("p95", 0.95, budget[1])):
            self._section.add(
                f"{what}, {name}",
                server.ms(share),
                "ms",
                at_most=limit,
                note=f"client {outcome.timings.ms(share):.1f} ms",
            )
