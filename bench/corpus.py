"""Texts like those of a real organisation, made from a seed: the same every time.

Half is notes about systems, people and tickets, half is prose. The prose continues word
by word the way the Python reference (which comes with Python) does, each subject in its
own words, so that words are as unevenly frequent as in any real text.
"""

import random
import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pydoc_data.topics import topics

from bench import words

_SYLLABLES = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]
_ERRORS = ("CONN_RESET", "DISK_FULL", "TLS_EXPIRED", "QUOTA", "LOCK_WAIT", "BAD_STATE")
_FOREIGN_SHARE = 0.08
_SENTENCES = ((1, 30), (2, 30), (4, 20), (9, 12), (16, 8))
"""(sentences in a record, weight): 1 is about 70 characters, 16 more than a window."""


@dataclass(frozen=True, slots=True)
class Text:
    """A record's text, and which of the subjects it is about."""

    content: str
    subject: int


class Corpus:
    """Records and questions by number; the same number always gives the same."""

    def __init__(self, seed: int = 7) -> None:
        self._seed = seed

    def record(self, number: int) -> Text:
        """Return the text of a record."""
        rng = random.Random(f"record {self._seed} {number}")
        subject = rng.randrange(self.subjects)
        counts, weights = zip(*_SENTENCES, strict=True)
        sentences = rng.choices(counts, weights)[0]
        template = rng.choice(
            words.FOREIGN if rng.random() < _FOREIGN_SHARE else words.NOTES
        )
        parts = [template.format_map(_slots(rng))]
        for _ in range(sentences - 1):
            parts.append(self._prose.sentence(rng, subject))
        return Text(" ".join(parts), subject)

    def short_record(self, number: int) -> Text:
        """Return a text of one or two sentences, as long as one turn of a talk."""
        rng = random.Random(f"short {self._seed} {number}")
        subject = rng.randrange(self.subjects)
        note = rng.choice(words.NOTES).format_map(_slots(rng))
        return Text(f"{note} {self._prose.sentence(rng, subject)}", subject)

    def question(self, number: int) -> str:
        """Return a question in the words of the records."""
        rng = random.Random(f"question {self._seed} {number}")
        prose = self._prose.sentence(rng, rng.randrange(self.subjects)).split()
        slots = _slots(rng) | {"prose": " ".join(prose[1:6])}
        return rng.choice(words.QUESTIONS).format_map(slots)

    @property
    def subjects(self) -> int:
        """Return how many subjects the prose has."""
        return len(self._prose.subjects)

    @cached_property
    def _prose(self) -> "_Prose":
        return _Prose()


class _Prose:
    """A Markov chain of words for each topic of the Python reference."""

    def __init__(self) -> None:
        self.subjects = [_words(text) for _, text in sorted(topics.items())]
        self.subjects = [found for found in self.subjects if len(found) > 150]
        self._next: list[dict[str, list[str]]] = []
        for found in self.subjects:
            chain = defaultdict(list)
            for word, following in pairwise(found):
                chain[word].append(following)
            self._next.append(chain)

    def sentence(self, rng: random.Random, subject: int) -> str:
        """Return 8 to 18 words, a rare one among them."""
        chain, all_words = self._next[subject], self.subjects[subject]
        found = [rng.choice(all_words)]
        for _ in range(rng.randint(7, 16)):
            found.append(rng.choice(chain.get(found[-1]) or all_words))
        found.insert(rng.randint(1, len(found)), _rare_word(rng))
        return f"{' '.join(found).capitalize()}."


def _words(text: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[A-Za-z][a-z]+", text)]


def _rare_word(rng: random.Random) -> str:
    """Return an invented word; its rank follows Zipf's law, so new ones keep coming."""
    rank = int(100 * rng.paretovariate(0.6)) % 1_000_000
    maker = random.Random(rank)
    return "".join(maker.choices(_SYLLABLES, k=3 + rank % 2))


def _slots(rng: random.Random) -> dict[str, object]:
    who, other = rng.sample(words.PEOPLE, 2)
    system = rng.choice(words.SYSTEMS)
    return {
        "who": who,
        "other": other,
        "system": system,
        "thing": rng.choice(words.THINGS),
        "reason": rng.choice(words.REASONS),
        "day": rng.choice(words.DAYS),
        "project": _rare_word(rng).capitalize(),
        "number": rng.randrange(10, 900) * 10,
        "place": f"/srv/{system}/{_rare_word(rng)}/notes.md",
        "host": f"10.{rng.randrange(256)}.{rng.randrange(256)}.{rng.randrange(1, 255)}",
        "ticket": f"OPS-{rng.randrange(1000, 99999)}",
        "version": f"v{rng.randrange(1, 9)}.{rng.randrange(60)}.{rng.randrange(9)}",
        "error": f"ERR_{rng.choice(_ERRORS)}_{rng.randrange(100, 999)}",
    }
