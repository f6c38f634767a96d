"""Pages whose two revisions of 2,000 lines are compared."""

from collections.abc import Iterator
from urllib.parse import urlencode

from bench.corpus import Corpus
from bench.visits import Visitor

LINES = 2_000
EDITED, REWRITTEN = "a tenth edited", "all rewritten"
VIEWS = ("split", "unified")


class DiffPages:
    """Saves the pages at once: one with a tenth of its lines edited, one anew."""

    def __init__(self, api: Visitor) -> None:
        self._slugs = {EDITED: "bench/edited", REWRITTEN: "bench/rewritten"}
        corpus = Corpus()
        lines = [corpus.short_record(number).content for number in range(2 * LINES)]
        before = lines[:LINES]
        after = {
            EDITED: [
                f"{line} Edited." if number % 10 == 0 else line
                for number, line in enumerate(before)
            ],
            REWRITTEN: lines[LINES:],
        }
        for what, slug in self._slugs.items():
            path = f"/api/memory/wiki?{urlencode({'slug': slug})}"
            first = api.post_json(path, {"body": "\n".join(before)}).json
            body = {"body": "\n".join(after[what]), "base_revision": first["revision"]}
            api.post_json(path, body)

    def paths(self) -> Iterator[tuple[str, str]]:
        """Yield what is compared, and the address that shows it."""
        for what, slug in self._slugs.items():
            for view in VIEWS:
                yield f"{what}, {view}", f"/wiki/-/diff/{slug}?a=1&b=2&view={view}"
