"""Which older statement a newer one replaces without asking anybody. Pure.

A rule reads both statements. It finds a conflict only if both are plain sentences on
the same thing, in the present, and their values cannot both hold. Whatever is unclear
is no conflict: wrongly retired knowledge costs more than two records side by side.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from memory.lifecycle.claims import Claim, claim_of
from memory.lifecycle.fields import ADDRESS
from memory.lifecycle.preferences import wish_of
from memory.lifecycle.values import exclude_each_other


@dataclass(frozen=True, slots=True)
class Statement:
    """A text, and whose record it is: `author` is a user's id, None for nobody's."""

    text: str
    author: int | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """How a statement is read, and one pair of statements that is in conflict."""

    name: str
    read: Callable[[str], Claim | None]
    older: str
    newer: str


def _address(text: str) -> Claim | None:
    claim = claim_of(text)
    return claim if claim and claim.topic == ADDRESS else None


def _field(text: str) -> Claim | None:
    claim = claim_of(text)
    return claim if claim and claim.topic != ADDRESS else None


RULES = (
    Rule(
        name="address",
        read=_address,
        older="The staging DB is 10.0.4.12.",
        newer="The staging DB moved to 10.0.4.13.",
    ),
    Rule(
        name="field",
        read=_field,
        older="The Grafana port is 3000.",
        newer="The port of Grafana is 3001.",
    ),
    Rule(
        name="preference",
        read=wish_of,
        older="The user prefers answers in German.",
        newer="The user prefers English answers.",
    ),
)


def claims(text: str) -> Iterator[tuple[str, Claim]]:
    """Yield what a text says in the eyes of each rule that can read it."""
    for rule in RULES:
        if claim := rule.read(text):
            yield rule.name, claim


def conflict(older: Statement, newer: Statement) -> str | None:
    """Return the name of the rule by which the newer replaces the older, or None."""
    for rule in RULES:
        if (now := rule.read(newer.text)) is None:
            continue
        if (before := rule.read(older.text)) is None:
            continue
        if (before.topic, before.subject) != (now.topic, now.subject):
            continue
        if now.is_unnamed and (older.author is None or older.author != newer.author):
            continue
        if exclude_each_other(before.value, now.value):
            return rule.name
    return None
