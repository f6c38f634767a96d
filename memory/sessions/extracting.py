"""Learn from sessions: once each message, whether it is still here or in the archive.

`Session.extracted_to` says how far. Each part of a conversation is learned, and noted
as heard, in one transaction: whoever goes on after a crash learns nothing twice.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.actors import Actor
from accounts.models import User
from goclaw.lib.config import model_config
from memory import llm
from memory.lifecycle.confirming import revise
from memory.lifecycle.extraction import Picked, Place, pick, places_for, store
from memory.lifecycle.transcripts import Heard, Part, parts_of
from memory.models import Job, JobKind, JobState, Role, Session, SessionKind
from memory.queue import enqueue
from memory.runner import JobResult, JobRun
from memory.sessions import archiving
from memory.sessions.finding import find
from memory.sessions.turns import Turn

TURNS_AT_ONCE = 500
SWEPT_AT_ONCE = 200
RESTS = timedelta(days=1)
"""How long a session is left alone after its job has failed for good."""


def request_extraction(
    session: Session, *, started_by: Actor | None = None
) -> Job | None:
    """Queue the learning of what is new in a session; None where nothing is.

    Call it last in a transaction. Without a model nothing is queued: the position
    stays, and the schedule comes by again.
    """
    if session.extracted_to >= session.last_position or not is_there_a_model():
        return None
    uid = str(session.uid)
    return enqueue(
        JobKind.EXTRACT, key=uid, payload={"session": uid}, started_by=started_by
    )


def request_revision(session: Session) -> Job:
    """Queue that what was learned in a session may now replace what it contradicts."""
    uid = str(session.uid)
    return enqueue(JobKind.EXTRACT, key=f"revise:{uid}", payload={"revise": uid})


def extract(*, actor: Actor, uid: UUID) -> Job | None:
    """Queue the learning of a session by request of somebody who takes part in it.

    Raises NotFound, and llm.ModelNotConfigured.
    """
    find(actor=actor, uid=uid)
    llm.get_model()
    with transaction.atomic():
        session = find(actor=actor, uid=uid, for_update=True)
        return request_extraction(session, started_by=actor)


def is_there_a_model() -> bool:
    """Say whether a background model is configured."""
    try:
        llm.get_model()
    except llm.ModelNotConfigured:
        return False
    return True


def run_extract_job(run: JobRun) -> JobResult:
    """Learn from one session, or queue that for all which have ended since.

    With `revise`, let what was learned replace what it contradicts: it is certain now.
    """
    if session_uid := run.payload.get("revise"):
        return JobResult({"retired": revise(session_uid, run=run.uid)})
    if "session" not in run.payload:
        return JobResult({"sessions": sweep()})
    sessions = Session.objects.select_related("agent", "person")
    session = sessions.filter(uid=run.payload["session"]).first()
    if session is None:
        return JobResult()
    try:
        model = llm.get_model()
    except llm.ModelNotConfigured:
        return JobResult({"waiting": 1})
    return hear(session, upto=session.last_position, model=model, run=run)


def sweep() -> int:
    """Queue the closed sessions that were not heard to their end; return how many.

    One whose job has failed for good is tried again a day later.
    """
    if not is_there_a_model():
        return 0
    failed = Job.objects.filter(
        kind=JobKind.EXTRACT, finished_at__gte=timezone.now() - RESTS
    ).in_state(JobState.FAILED, JobState.DEAD)
    resting = set(failed.values_list("key", flat=True))
    behind = Session.objects.filter(
        closed_at__isnull=False, extracted_to__lt=F("last_position")
    )
    queued = 0
    for session in behind.order_by("closed_at", "pk").iterator():
        if queued == SWEPT_AT_ONCE:
            break
        if str(session.uid) not in resting:
            queued += request_extraction(session) is not None
    return queued


def hear(session: Session, *, upto: int, model: llm.Model, run: JobRun) -> JobResult:
    """Learn what people said in a session up to a position. Raises llm.ModelFailed."""
    counts = Counter[str]()
    while session.extracted_to < upto:
        turns = _turns(session, upto)
        people = _people(turns)
        alone = session.kind == SessionKind.DIRECT
        places = places_for(people.values(), alone=alone)
        parts = parts_of(
            [_heard(turn, people, places) for turn in turns],
            max_chars=model_config().max_input_chars,
            pieces=run.payload.get("pieces", 0),
        )
        for part in parts:
            picked = pick(model, part.lines)
            counts["messages"] += len(part.lines)
            counts["dropped"] += sum(picked.dropped.values())
            if not _keep(session, part, picked, places, run, counts):
                return JobResult(dict(counts))
            run.heartbeat(session.extracted_to, upto)
            if run.should_stop() and session.extracted_to < upto:
                return JobResult(dict(counts), finished=False)
    return JobResult(dict(counts))


def _keep(
    session: Session,
    part: Part,
    picked: Picked,
    places: dict[int, Place],
    run: JobRun,
    counts: Counter[str],
) -> bool:
    """Store what was learned, and how far; False where somebody else was quicker."""
    with transaction.atomic():
        mine = Session.objects.select_for_update().filter(
            pk=session.pk, extracted_to=session.extracted_to
        )
        locked = mine.first()
        if locked is None:
            return False
        outcomes = store(
            picked.statements,
            places,
            session=str(session.uid),
            run=run.uid,
            confirmed=locked.confirmed,
        )
        locked.extracted_to = part.upto
        locked.save(update_fields=["extracted_to"])
    counts.update(outcome for _, outcome in outcomes)
    session.extracted_to = part.upto
    run.payload["pieces"] = part.pieces
    return True


def _turns(session: Session, upto: int) -> list[Turn]:
    """Return the next turns that were not heard, and the agent's one before them.

    Those that were trimmed meanwhile come from the archive. There is at least one, as
    long as some are left: where the archive has lost them, an empty one in their place.
    """
    after = session.extracted_to
    rows = session.messages.filter(position__gte=after, position__lte=upto)
    messages = rows.select_related("speaker").order_by("position")[:TURNS_AT_ONCE]
    turns = [archiving.turn_of(message) for message in messages]
    if not any(turn.position == after + 1 for turn in turns):
        archived = [t for t in archiving.load(session) if after <= t.position <= upto]
        turns = archived[:TURNS_AT_ONCE] or turns
    if turns and turns[0].position == after and turns[0].role != Role.ASSISTANT:
        turns = turns[1:]
    if any(turn.position > after for turn in turns):
        return turns
    lost = Turn(position=upto, role=Role.SYSTEM, content="", created_at=timezone.now())
    return [lost]


def _people(turns: Iterable[Turn]) -> dict[str, User]:
    """Return the speakers by their usernames."""
    names = {turn.speaker for turn in turns if turn.speaker}
    return {user.username: user for user in User.objects.filter(username__in=names)}


def _heard(turn: Turn, people: dict[str, User], places: dict[int, Place]) -> Heard:
    """Return a turn for learning; nobody said what goes nowhere."""
    user = people.get(turn.speaker or "")
    return Heard(
        position=turn.position,
        role=turn.role,
        text=turn.content,
        at=turn.created_at,
        zone=ZoneInfo(user.timezone) if user else UTC,
        person=user.pk if user and user.pk in places else None,
        name=(user.get_full_name() or user.username) if user else turn.name,
        message=str(turn.position),
    )
