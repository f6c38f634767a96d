"""Put notes into a server that it has not yet learned from: `bench.learning_loading N`.

Of ten notes four are two pairs, of which the newer gives another address for the same
thing, and six are two facts in three wordings each.
"""

import argparse
import hashlib
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING

from bench import words
from bench.loading import insert

if TYPE_CHECKING:
    from memory.models import Memory, Space

AT_ONCE = 500
WORDINGS = (
    "{who} replaced {system} because {reason}, see ticket {ticket}.",
    "Because {reason}, {who} replaced {system}, see ticket {ticket}.",
    "See ticket {ticket}: {who} replaced {system}, because {reason}.",
)


def notes() -> Iterator[str]:
    """Yield texts without end, always the same ones."""
    rng = random.Random("learning")
    number = 0
    while True:
        for _ in range(2):
            number += 1
            for verb in ("is", "moved to"):
                host = f"10.{number >> 8}.{number & 255}.{rng.randrange(1, 255)}"
                yield f"The staging DB of project{number} {verb} {host}."
        for _ in range(2):
            number += 1
            slots = {
                "who": rng.choice(words.PEOPLE),
                "system": rng.choice(words.SYSTEMS),
                "reason": rng.choice(words.REASONS),
                "ticket": f"OPS-{number}",
            }
            yield from (wording.format_map(slots) for wording in WORDINGS)


def load(count: int) -> None:
    """Put so many notes into the agents' space, a minute apart; they await vectors."""
    from memory import entries
    from memory.models import Space

    space = Space.objects.get(kind="agent_notes", path="")
    texts = list(islice(notes(), count))
    start = datetime.now(UTC) - timedelta(minutes=count)
    for begin in range(0, count, AT_ONCE):
        memories = [
            _memory(text, space, start + timedelta(minutes=begin + place))
            for place, text in enumerate(texts[begin : begin + AT_ONCE])
        ]
        prepared = [entries.prepare("", memory.content) for memory in memories]
        insert(memories, prepared, space)
    entries.queue_vectors()


def _memory(text: str, space: "Space", when: datetime) -> "Memory":
    from memory.drafts import text_hash
    from memory.models import Memory

    return Memory(
        space=space,
        scope=space.kind,
        kind="fact",
        content=text,
        text_hash=text_hash(text),
        dedup_hash=hashlib.sha256(text.encode()).hexdigest(),
        origin="import",
        created_at=when,
        updated_at=when,
        observed_at=when,
        index_state="pending",
    )


def main() -> None:
    """Load what the command line asks for."""
    import django

    parser = argparse.ArgumentParser(prog="python -m bench.learning_loading")
    parser.add_argument("count", type=int)
    django.setup()
    load(parser.parse_args().count)


if __name__ == "__main__":
    main()
