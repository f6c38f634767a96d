"""From what people said to records: a model picks, code checks, `learn` stores.

Where a statement goes hangs on who said it: an administrator's to `agent_notes`,
anybody else's to their own records, and nowhere where others take part in it.
"""

import logging
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils import timezone

from accounts.actors import Actor, actor_on_behalf_of
from accounts.models import User
from goclaw.lib.errors import GoClawError
from memory import llm
from memory.drafts import Draft, check
from memory.lifecycle.dating import dated
from memory.lifecycle.grounding import as_a_statement, objection
from memory.lifecycle.learning import learn
from memory.lifecycle.transcripts import Line, to_prompt
from memory.llm.prompts import text_of
from memory.llm.prompts.extraction import ExtractionReply, LearnedFact
from memory.models import Memory
from memory.scopes import DOMAIN, UNVERIFIED, Origin, Scope

log = logging.getLogger(__name__)

_NO_DOMAIN = re.compile(r"[^a-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Place:
    """Where what somebody says goes, and as whom it is written."""

    actor: Actor
    scope: Scope


@dataclass(frozen=True, slots=True)
class Statement:
    """Something that is worth keeping, checked, with the line it was said in."""

    text: str
    kind: str
    domain: str
    line: Line


@dataclass(frozen=True, slots=True)
class Picked:
    """What a model found and the checks let through; `dropped` counts by reason."""

    statements: Sequence[Statement] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)


def places_for(people: Iterable[User], *, alone: bool) -> dict[int, Place]:
    """Return the places of those whose words are learned from at all.

    `alone` says that the conversation was one person's.
    """
    found = {}
    for person in people:
        actor = actor_on_behalf_of(person)
        if actor.is_admin:
            found[person.pk] = Place(actor, Scope.AGENT_NOTES)
        elif alone and person.is_active:
            found[person.pk] = Place(actor, Scope.PERSONAL)
    return found


def pick(model: llm.Model, lines: Sequence[Line]) -> Picked:
    """Return what of some lines is worth keeping. Raises llm.ModelFailed.

    An answer that is not by the schema, twice, is dropped: asking again is useless.
    """
    if not lines:
        return Picked()
    try:
        reply = model.complete(
            system=text_of("extraction"),
            prompt=to_prompt(lines),
            schema=ExtractionReply,
        )
    except llm.AnswerNotValid as error:
        log.warning("nothing is learned from %d messages: %s", len(lines), error)
        return Picked(dropped={"answers": 1})
    statements, dropped = [], Counter[str]()
    for fact in reply.facts:
        statement, reason = _checked(fact, lines)
        if statement is None:
            dropped[reason] += 1
        else:
            statements.append(statement)
    if dropped:
        log.info("statements were dropped", extra={"counts": dict(dropped)})
    return Picked(statements, dropped)


def store(
    statements: Iterable[Statement],
    places: Mapping[int, Place],
    *,
    session: str,
    run: str,
    confirmed: bool = True,
) -> list[tuple[Memory, str]]:
    """Learn statements; return each one's record with what became of it.

    Call it in the transaction that notes how far the conversation has been heard.
    """
    learned = []
    for statement in statements:
        turn = statement.line.turn
        place = places.get(turn.person or 0)
        if place is None:
            continue
        done = learn(
            actor=place.actor,
            draft=_draft(statement, place, confirmed=confirmed),
            origin=Origin.EXTRACTION,
            session=session,
            message=turn.message,
            run=run,
        )
        learned.append((done.memory, str(done.outcome)))
    return learned


def _checked(fact: LearnedFact, lines: Sequence[Line]) -> tuple[Statement | None, str]:
    """Return the statement, or None with the reason why it is none."""
    if not 1 <= fact.message <= len(lines):
        return None, "no_message"
    line = lines[fact.message - 1]
    turn = line.turn
    text = as_a_statement(fact.text, name=turn.name)
    text = dated(text, said_at=turn.at, zone=turn.zone)
    if reason := objection(text, line):
        return None, reason
    statement = Statement(text, fact.kind, domain_of(fact.domain), line)
    try:
        check(_draft_in(statement, Scope.AGENT_NOTES), now=timezone.now())
    except GoClawError:
        return None, "unstorable"
    return statement, ""


def domain_of(name: str) -> str:
    """Return a model's word for a subject as a domain; "" where it cannot be one."""
    slug = _NO_DOMAIN.sub("-", name.strip().lower()).strip("._-")[:64]
    return slug if DOMAIN.fullmatch(slug) else ""


def _draft(statement: Statement, place: Place, *, confirmed: bool) -> Draft:
    return _draft_in(statement, place.scope, () if confirmed else (UNVERIFIED,))


def _draft_in(statement: Statement, scope: Scope, tags: Sequence[str] = ()) -> Draft:
    return Draft(
        scope=scope,
        content=statement.text,
        kind=statement.kind,
        domain=statement.domain,
        tags=tags,
        observed_at=min(statement.line.turn.at, timezone.now()),
    )
