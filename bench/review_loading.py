"""Fill the queue of a server's review: `python -m bench.review_loading COUNT`.

By the services themselves, so that every item is as in use: facts, decisions about
them, and drafts of pages that cite them.
"""

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from bench.corpus import Corpus

if TYPE_CHECKING:
    from memory.models import Memory

AT_ONCE = 500
SHARE_OF_DRAFTS = 0.4
SENTENCES = 12
DOMAINS = 200
EVERY_RISKY = 5
"""Of how many drafts one has a sentence without facts."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was put in, and how long it took."""

    drafts: int
    decisions: int
    seconds: float


def load(count: int) -> Loaded:
    """Put so many items into the queue of a fresh installation."""
    start = time.perf_counter()
    drafts = int(count * SHARE_OF_DRAFTS)
    decisions = count - drafts
    facts = list(_facts(2 * decisions))
    _decide(facts)
    live = [facts[place] for place in range(1, len(facts), 2)]
    for number in range(drafts):
        _propose(number, live)
    return Loaded(drafts, decisions, time.perf_counter() - start)


def _facts(count: int) -> Iterator["Memory"]:
    """Yield learned facts; of each two the second says nearly the same."""
    from accounts.actors import system_actor
    from memory import records
    from memory.drafts import Draft

    corpus, now = Corpus(), datetime.now(UTC) - timedelta(days=400)
    for begin in range(0, count, AT_ONCE):
        wanted = []
        for number in range(begin, min(begin + AT_ONCE, count)):
            text = corpus.short_record(number // 2).content
            wanted.append(
                Draft(
                    scope="agent_notes",
                    content=f"{text} Value {number}.",
                    kind="fact",
                    domain=f"domain-{number // 2 % DOMAINS}",
                    observed_at=now + timedelta(minutes=number),
                )
            )
        for written in records.write_many(actor=system_actor(), drafts=wanted):
            if isinstance(written, Exception):
                raise written
            yield written.memory


def _decide(facts: Sequence["Memory"]) -> None:
    from accounts.actors import system_actor
    from memory.lifecycle.deciding import retire

    for place in range(0, len(facts) - 1, 2):
        old, new = facts[place], facts[place + 1]
        retire(
            old=old,
            new=new,
            via="judge",
            actor=system_actor(),
            reason="The newer one has another value.",
            run=f"run-{place // 200}",
            model="bench",
            words='{"replaced": true}',
        )


def _propose(number: int, facts: Sequence["Memory"]) -> None:
    from wiki.drafts import PageText
    from wiki.review.proposing import Proposal, propose
    from wiki.review.structure import Section, Sentence, Structure, applied

    first = number * 7
    chosen = [facts[(first + n) % len(facts)] for n in range(SENTENCES)]
    is_risky = number % EVERY_RISKY == 0
    sentences = tuple(
        Sentence(
            " ".join(fact.content.split()),
            () if is_risky and place == 0 else (str(fact.uid),),
        )
        for place, fact in enumerate(chosen)
    )
    half = SENTENCES // 2
    sections = Section("One", sentences[:half]), Section("Two", sentences[half:])
    considered = {str(fact.uid): fact.text_hash for fact in chosen}
    propose(
        Proposal(
            slug=f"learned/draft-{number}",
            text=PageText(
                title=f"Draft {number}", body=applied("", gone=(), new=sections)
            ),
            via="distill",
            structure=Structure(sections, considered),
            sources={str(fact.uid): fact.content for fact in chosen},
            facts_hash=f"{number:064d}",
            domain=f"domain-{number % DOMAINS}",
            run=f"distill-{number // 100}",
        )
    )


def main() -> None:
    """Load what the command line asks for; print what it took as JSON."""
    import django

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    arguments = parser.parse_args()
    django.setup()
    print(json.dumps(asdict(load(arguments.count))))


if __name__ == "__main__":
    main()
