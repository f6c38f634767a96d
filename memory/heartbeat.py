"""Every few hours, if a setting says so: look after each agent's memory.

First what people said in ended sessions is learned, then old daily notes are taken into
`Memory.md`. What comes of it is a line an agent in the job, and never a memory.
"""

from collections import Counter

from django.db.models import F

from goclaw.lib.config import upkeep_config
from memory import llm
from memory.lifecycle.curation import curate
from memory.models import Agent, Session
from memory.runner import JobResult, JobRun
from memory.sessions.extracting import hear
from memory.workspace import all_agents

LEARNED = ("stored", "linked", "beside")


def run_heartbeat_job(run: JobRun) -> JobResult:
    """Go through the agents; the payload says which are done, and what was found."""
    try:
        model = llm.get_model()
    except llm.ModelNotConfigured as error:
        return JobResult({"waiting": 1}, report=error.message)
    place = run.payload
    lines: dict[str, str] = place.setdefault("lines", {})
    counts = Counter[str]()
    for agent in all_agents():
        if agent.slug in lines:
            continue
        if not _look_after(agent, model, run):
            return JobResult(dict(counts), finished=False)
        done = Counter(place.pop("counts", {}))
        counts.update(done)
        lines[agent.slug] = (
            f"{agent.slug}: {done['sessions']} sessions heard, {done['learned']} facts"
            f" learned, {done['files']} daily notes taken into Memory.md"
        )
        run.heartbeat(len(lines), note=agent.slug)
    return JobResult(dict(counts), report="\n".join(lines.values()))


def _look_after(agent: Agent, model: llm.Model, run: JobRun) -> bool:
    """Do it for one agent; False if the time was up before the end."""
    while session := _next_session(agent):
        heard = hear(session, upto=session.last_position, model=model, run=run)
        learned = sum(heard.counts.get(name, 0) for name in LEARNED)
        _note(run, sessions=int(heard.finished), learned=learned)
        if not heard.finished:
            return False
    curated = curate(
        agent,
        model,
        run,
        place=run.payload.setdefault("notes", {}).setdefault(agent.slug, {}),
        days=upkeep_config().consolidate_after_days,
        records=False,
    )
    _note(run, files=curated.counts.get("files", 0))
    return curated.finished


def _next_session(agent: Agent) -> Session | None:
    """Return an ended session that was not heard to its end."""
    behind = Session.objects.filter(
        agent=agent, closed_at__isnull=False, extracted_to__lt=F("last_position")
    )
    return behind.select_related("agent", "person").order_by("closed_at").first()


def _note(run: JobRun, **more: int) -> None:
    counts = Counter(run.payload.get("counts", {}))
    counts.update(more)
    run.payload["counts"] = dict(counts)
