"""Build an agent's `Memory.md` anew from its archives, when it is lost or broken.

The file is in everybody's prompt, so direct conversations of anyone but administrators
are left out, and those in which it was not certain who spoke. What only the agent
claimed never reaches the model that builds it.
"""

import difflib
import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone

from accounts.actors import Actor
from accounts.models import User
from goclaw.lib.config import model_config
from memory import access, llm, memory_file
from memory.lifecycle.dating import dated
from memory.lifecycle.grounding import as_a_statement, objection
from memory.lifecycle.rebuilding import Kept, rebuilt
from memory.lifecycle.transcripts import Heard, Line, parts_of, to_prompt
from memory.llm.prompts import text_of
from memory.llm.prompts.replay import ReplayReply
from memory.models import Agent, Job, JobKind, Session, SessionKind
from memory.queue import enqueue
from memory.runner import JobResult, JobRun
from memory.sessions import archiving
from memory.sessions.archives import Archive, Damaged, from_text
from memory.sessions.turns import Turn
from memory.workspace import get_agent

log = logging.getLogger(__name__)

MAX_REPORT = 100_000
"""Characters of a diff that a dry run shows."""


def request(*, actor: Actor, agent: Agent, dry_run: bool) -> Job:
    """Queue a replay (administrators); one of the agent that waits is returned.

    Raises Forbidden, and llm.ModelNotConfigured.
    """
    access.can_administrate(actor).require()
    llm.get_model()
    return enqueue(
        JobKind.REPLAY,
        key=f"{agent.slug}:dry" if dry_run else agent.slug,
        payload={"agent": agent.slug, "dry_run": dry_run},
        started_by=actor,
    )


def run_replay_job(run: JobRun) -> JobResult:
    """Read the archives part by part; the payload keeps what was taken from them.

    Raises ModelNotConfigured or ModelFailed.
    """
    agent = get_agent(run.payload["agent"])
    model = llm.get_model()
    place = run.payload
    heard: dict[str, list[int]] = place.setdefault("heard", {})
    kept: list[dict[str, Any]] = place.setdefault("kept", [])
    counts = Counter[str]()
    files = archiving.all_files(agent)
    for number, path in enumerate(files):
        after, pieces = heard.get(path.name, (0, 0))
        turns = _turns_of(path, after, counts)
        room = model_config().max_input_chars
        for part in parts_of(turns, max_chars=room, pieces=pieces):
            found, dropped = _pick(model, part.lines)
            kept += [statement.to_json() for statement in found]
            counts.update(messages=len(part.lines), dropped=dropped)
            heard[path.name] = [part.upto, part.pieces]
            run.remember()
            run.heartbeat(number, len(files), note=path.name)
            if run.should_stop():
                return JobResult(dict(counts), finished=False)
    return _finished(agent, run, [Kept.from_json(one) for one in kept], counts)


def _finished(
    agent: Agent, run: JobRun, kept: Sequence[Kept], counts: Counter[str]
) -> JobResult:
    """Write the file, or show what would change; without a statement neither."""
    counts["statements"] = len(kept)
    if not kept:
        report = "The archives gave no statement; Memory.md stays as it is."
        return JobResult(dict(counts), report=report)
    text = rebuilt(kept, day=timezone.localdate())
    before = memory_file.text_or_nothing(agent)
    if run.payload["dry_run"]:
        return JobResult(dict(counts), report=_difference(before, text))
    saved = memory_file.replace(agent=agent, text=text)
    kept_as = f" The old one is {saved.name}." if saved else ""
    return JobResult(dict(counts), report=f"Memory.md was built anew.{kept_as}")


def _turns_of(path: Path, after: int, counts: Counter[str]) -> list[Heard]:
    """Return the turns of an archive that were not heard, if all may be."""
    try:
        archive = from_text(archiving.read_text(path))
    except (Damaged, OSError, ValueError) as error:
        log.warning("%s is left out: %s", path.name, error)
        counts["damaged"] += 1
        return []
    speakers = _speakers(archive)
    if not _is_for_everybody(archive, speakers):
        counts["private"] += 1
        return []
    turns = [turn for turn in archive.turns if turn.position > after]
    return [_heard(turn, archive, speakers) for turn in turns]


def _is_for_everybody(archive: Archive, speakers: dict[str, User]) -> bool:
    """Say whether what was said may stand in everybody's prompt."""
    session = Session.objects.filter(uid=archive.session).first()
    if session is not None and not session.confirmed:
        return False
    if archive.kind != SessionKind.DIRECT:
        return True
    people = [speakers.get(name) for name in archive.participants]
    return bool(people) and all(
        person is not None and person.is_active and person.is_superuser
        for person in people
    )


def _speakers(archive: Archive) -> dict[str, User]:
    names = {turn.speaker for turn in archive.turns if turn.speaker}
    found = User.objects.filter(username__in=names | set(archive.participants))
    return {user.username: user for user in found}


def _heard(turn: Turn, archive: Archive, speakers: dict[str, User]) -> Heard:
    user = speakers.get(turn.speaker or "")
    return Heard(
        position=turn.position,
        role=turn.role,
        text=turn.content,
        at=turn.created_at,
        zone=ZoneInfo(user.timezone) if user else UTC,
        person=(user.pk if user else 0) if turn.speaker else None,
        name=(user and user.get_full_name()) or turn.speaker or "",
        message=f"{archive.session}/{turn.position}",
    )


def _pick(model: llm.Model, lines: Sequence[Line]) -> tuple[list[Kept], int]:
    """Return what people said that belongs into the memory, and how much was dropped.

    Raises llm.ModelFailed.
    """
    if not lines:
        return [], 0
    try:
        reply = model.complete(
            system=text_of("replay"), prompt=to_prompt(lines), schema=ReplayReply
        )
    except llm.AnswerNotValid as error:
        log.warning("nothing is taken from %d messages: %s", len(lines), error)
        return [], 1
    found = list(_checked(reply, lines))
    return found, len(reply.statements) - len(found)


def _checked(reply: ReplayReply, lines: Sequence[Line]) -> Iterator[Kept]:
    for statement in reply.statements:
        if not 1 <= statement.message <= len(lines):
            continue
        line = lines[statement.message - 1]
        turn = line.turn
        text = as_a_statement(statement.text, name=turn.name)
        text = dated(text, said_at=turn.at, zone=turn.zone)
        if objection(text, line) is None:
            yield Kept(text, statement.section, turn.at, turn.person)


def _difference(before: str, after: str) -> str:
    """Return the lines that would change."""
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), "Memory.md", "rebuilt", lineterm=""
    )
    text = "\n".join(lines)
    return text[:MAX_REPORT] or "Nothing would change."
