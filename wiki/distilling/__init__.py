"""Distil the learned facts of a domain into a draft of its page `learned/<domain>`.

Only what has changed is asked about: sentences whose facts still stand stay as they
were approved, those whose facts are gone go, and new facts become new sentences. Lines
that people wrote into the page are left alone. What comes of it waits for a person.
"""

import logging
from collections.abc import Sequence

from accounts.actors import Actor
from goclaw.lib.errors import BadInput
from memory import llm
from memory.access import can_administrate
from memory.models import Job, JobKind
from memory.queue import enqueue
from memory.runner import JobResult, JobRun
from memory.scopes import DOMAIN
from wiki.distilling.facts import domains_with_facts, slug_of
from wiki.distilling.turn import Turn

log = logging.getLogger(__name__)

__all__ = ["run_distill_job", "slug_of", "start"]


def start(*, actor: Actor, domains: Sequence[str] = ()) -> Job:
    """Queue the distilling of some domains, or of all that have facts.

    Raises Forbidden, BadInput for what can be no domain, and ModelNotConfigured.
    """
    can_administrate(actor).require()
    for domain in domains:
        if not DOMAIN.fullmatch(domain):
            raise BadInput(f"{domain!r} cannot be a domain.", field="domain")
    llm.get_model()
    chosen = sorted(set(domains))
    return enqueue(
        JobKind.DISTILL,
        key=f"distill:{','.join(chosen)}"[:128],
        payload={"domains": chosen},
        started_by=actor,
    )


def run_distill_job(run: JobRun) -> JobResult:
    """Distil one page after the other; what an earlier turn has made is not asked anew.

    A page about which the model answers nonsense is left as it was, and counted. Raises
    ModelNotConfigured or ModelFailed; drafts made until then stay.
    """
    domains = run.payload["domains"] or domains_with_facts()
    pages = sorted({slug_of(domain) for domain in domains})
    drafts = rejected = 0
    for done, slug in enumerate(pages, start=1):
        turn = Turn(slug, run)
        try:
            if run.should_stop() or not turn.ask():
                return JobResult({"drafts": drafts}, finished=False)
            drafts += turn.finish() is not None
        except llm.AnswerNotValid as error:
            log.warning("%s is left as it is: %s", slug, error)
            run.payload.pop("place", None)
            rejected += 1
        run.heartbeat(done, len(pages), note=slug)
    counts = {"pages": len(pages), "drafts": drafts, "rejected_answers": rejected}
    return JobResult(counts)
