"""Trim a session: learn from its older half, archive it, summarise it, then cut it off.

Each step is on disk before the next begins, finds out by itself what is done already,
and can be repeated: whoever takes up a trim after a crash just goes on.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from accounts.actors import Actor, actor_for_user
from goclaw.lib.config import model_config
from memory import llm, records
from memory.drafts import Draft
from memory.llm.base import fence
from memory.llm.prompts import text_of
from memory.llm.prompts.summary import SummaryReply
from memory.models import Job, Message, Session, SummarySource, TrimmedMessage
from memory.runner import JobResult, JobRun
from memory.scopes import Kind, Origin, Scope
from memory.sessions import archiving, summaries
from memory.sessions.extracting import hear, request_extraction
from memory.sessions.finding import find
from memory.sessions.planning import plan, request_trim
from memory.sessions.summaries import Summary
from memory.sessions.turns import Turn

log = logging.getLogger(__name__)

SUMMARY_DOMAIN = "sessions"
"""Where the summaries of a person's own conversations are among their records."""


@dataclass(frozen=True, slots=True)
class Part:
    """What a model or the extraction made of a conversation up to a position."""

    upto: int
    summary: Summary
    source: SummarySource
    problem: str = ""


def trim(*, actor: Actor, uid: UUID, force: bool) -> Job | None:
    """Queue a trim, or return the one under way; None where there is nothing to cut.

    Without `force` only a session over its limits is trimmed.
    """
    with transaction.atomic():
        session = find(actor=actor, uid=uid, for_update=True)
        return request_trim(session, force=force, started_by=actor)


def run_trim_job(run: JobRun) -> JobResult:
    """Do what was planned for a session, and again while it is over its limits."""
    counts = {"trimmed": 0, "by_model": 0, "extractive": 0}
    sessions = Session.objects.select_related("agent", "person")
    session = sessions.filter(uid=run.payload["session"]).first()
    while session is not None and session.trim_upto is not None:
        if not learn(session, run):
            return JobResult(counts, finished=False)
        archive(session)
        while session.summarised_to < session.trim_upto:
            if run.should_stop():
                return JobResult(counts, finished=False)
            source = summarise(session)
            counts["by_model" if source is SummarySource.MODEL else "extractive"] += 1
            run.heartbeat(session.summarised_to, session.trim_upto)
        counts["trimmed"] += cut(session)
        session = sessions.filter(pk=session.pk).first()
    return JobResult(counts)


def learn(session: Session, run: JobRun) -> bool:
    """Learn from what is to be trimmed; False if the time was up before the end.

    A trim does not wait for a model that cannot be had: the archive keeps every turn,
    and whoever learns from the session later reads on in there.
    """
    upto = session.trim_upto or 0
    try:
        return hear(session, upto=upto, model=llm.get_model(), run=run).finished
    except llm.ModelNotConfigured:
        return True
    except llm.ModelFailed as error:
        log.warning("a session is trimmed and learned from later: %s", error)
        request_extraction(session)
        return True


def archive(session: Session) -> None:
    """Put what is to be trimmed into the archive; then note that it is there."""
    upto = session.trim_upto or 0
    if session.archived_to >= upto:
        return
    archiving.store(session, _turns(session, session.trimmed_to, upto))
    Session.objects.filter(pk=session.pk, archived_to__lt=upto).update(archived_to=upto)
    session.archived_to = upto


def summarise(session: Session) -> SummarySource:
    """Take the next part of what is archived into the summary; return how.

    With a model a part is as much as it takes in; without, all of it.
    """
    upto = session.trim_upto or 0
    turns = _turns(session, session.summarised_to, upto)
    part = next_part(turns, summaries.from_text(session.summary))
    with transaction.atomic():
        mine = Session.objects.select_for_update().filter(
            pk=session.pk, summarised_to=session.summarised_to
        )
        if mine.exists():
            session.summary = summaries.to_text(
                part.summary, extractive=part.source is SummarySource.EXTRACTIVE
            )
            session.summary_source = part.source
            session.summary_problem = part.problem[:300]
            session.summarised_to = part.upto
            session.save(
                update_fields=[
                    "summary",
                    "summary_source",
                    "summary_problem",
                    "summarised_to",
                ]
            )
            if part.upto == upto:
                _remember(session)
            return part.source
    session.refresh_from_db()
    return part.source


def cut(session: Session) -> int:
    """Delete what the archive holds and the summary covers; return how many messages.

    The archive is looked at once more: what somebody took out of it goes in again.
    """
    upto = session.trim_upto or 0
    archiving.store(session, _turns(session, session.trimmed_to, upto))
    with transaction.atomic():
        locked = Session.objects.select_for_update().get(pk=session.pk)
        if locked.trim_upto != upto:
            return 0
        gone = Message.objects.filter(session=locked, position__lte=upto)
        TrimmedMessage.objects.bulk_create(
            TrimmedMessage(session=locked, client_id=client_id, position=position)
            for client_id, position in gone.exclude(client_id="").values_list(
                "client_id", "position"
            )
        )
        locked.tokens -= sum(gone.values_list("tokens", flat=True))
        gone.delete()
        locked.trimmed_to, locked.trim_upto = upto, None
        locked.save(update_fields=["tokens", "trimmed_to", "trim_upto"])
        plan(locked)
    return upto - session.trimmed_to


def _turns(session: Session, after: int, upto: int) -> list[Turn]:
    messages = session.messages.filter(position__gt=after, position__lte=upto)
    rows = messages.select_related("speaker").order_by("position")
    return [archiving.turn_of(message) for message in rows]


def next_part(turns: Sequence[Turn], before: Summary) -> Part:
    """Return the summary with the next part in it: by the model, if that can be had."""
    try:
        model = llm.get_model()
        room = model_config().max_input_chars
        upto, text = next(summaries.transcript(turns, max_chars=room))
        return Part(upto, _ask(model, text, before), SummarySource.MODEL)
    except (llm.ModelNotConfigured, llm.ModelFailed) as error:
        if isinstance(error, llm.ModelFailed):
            log.warning("a summary is extractive: %s", error)
        return Part(
            upto=turns[-1].position,
            summary=summaries.extract(turns, before),
            source=SummarySource.EXTRACTIVE,
            problem=f"{error.code}: {error.message}",
        )


def _ask(model: llm.Model, text: str, before: Summary) -> Summary:
    so_far = summaries.to_text(before, extractive=False)
    reply = model.complete(
        system=text_of("summary"),
        prompt=f"{fence('summary', so_far)}\n\n{fence('conversation', text)}",
        schema=SummaryReply,
    )
    return Summary(**reply.model_dump())


def _remember(session: Session) -> None:
    """Keep the summary of a conversation that was one person's among their records.

    The next one takes its place.
    """
    if session.person is None:
        return
    records.write(
        actor=actor_for_user(session.person),
        draft=Draft(
            scope=Scope.PERSONAL,
            content=session.summary,
            kind=Kind.SUMMARY,
            domain=SUMMARY_DOMAIN,
            key=str(session.uid),
            value={"messages": session.summarised_to},
            title=session.title or f"Conversation of {session.created_at:%Y-%m-%d}",
        ),
        origin=Origin.SUMMARY,
        session=str(session.uid),
    )
