"""The distilling of one page: what stands, what is asked, and the draft of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from goclaw.lib.config import model_config
from memory import llm
from memory.models import Memory, ReviewItem, ReviewState
from memory.runner import JobRun
from wiki.distilling.asking import ask, batches
from wiki.distilling.facts import SECTION, domains_of, facts_for, hash_of
from wiki.drafts import PageText, title_for
from wiki.finding import page_at
from wiki.models import Page, PageDraft
from wiki.review.proposing import Proposal, propose
from wiki.review.standing import DISTILLED
from wiki.review.structure import (
    Section,
    Sentence,
    Structure,
    applied,
    from_json,
    merged,
)

REFUSED = (ReviewState.REJECTED, ReviewState.UNDONE)


class Turn:
    """One page in one turn of a job; first `ask`, then `finish`.

    `model` is asked in place of the configured one.
    """

    def __init__(self, slug: str, run: JobRun, model: llm.Model | None = None) -> None:
        self._run = run
        self._model = model
        self._page = page_at(slug, by_redirect=True)
        self._slug = self._page.slug if self._page else slug
        self._domains = domains_of(slug)
        self._facts = facts_for(self._domains)
        self._hash = hash_of(self._facts)
        self._before = _approved(self._page)
        self._kept, self._gone = self._sorted()

    def ask(self) -> bool:
        """Ask the model about what is new; False when the time was up before the end.

        Answers are kept with the job, so that the next turn goes on.
        """
        if self._is_settled():
            return True
        place = self._place()
        room = model_config().max_input_chars
        for facts in batches(self._new_facts(), max_chars=room):
            names = [str(fact.uid) for fact in facts]
            if set(names) & set(place["asked"]):
                continue
            if self._run.should_stop():
                return False
            place["sections"] += ask(
                self._model or llm.get_model(),
                subject=self._slug.removeprefix(f"{SECTION}/"),
                headings=[section.heading for section in self._so_far(place)],
                facts=facts,
            )
            place["asked"] += names
            self._run.heartbeat(len(place["asked"]), note=self._slug)
        return True

    def finish(self) -> ReviewItem | None:
        """Put the draft before people; None where nothing is new."""
        place = self._run.payload.pop("place", {})
        if self._is_settled():
            return None
        new = merged(from_json(place).sections)
        if not self._gone and self._was_rejected(new):
            return None
        body = applied(self._body, gone=self._gone, new=new)
        if body == self._body:
            return None
        structure = Structure(
            sections=merged((*self._kept, *new)),
            considered={str(fact.uid): fact.text_hash for fact in self._facts},
        )
        return propose(self._proposal(structure, body))

    @property
    def _body(self) -> str:
        revision = self._page.revision if self._page else None
        return revision.body if revision else ""

    def _proposal(self, structure: Structure, body: str) -> Proposal:
        page = self._page
        title = page.title if page else title_for("", self._slug)
        return Proposal(
            slug=self._slug,
            text=PageText(
                title=title, body=body, tags=tuple(page.tags if page else ())
            ),
            via=DISTILLED,
            page=page,
            structure=structure,
            sources={str(fact.uid): fact.content for fact in self._facts},
            facts_hash=self._hash,
            domain=self._domains[0] if self._domains else "",
            run=self._run.uid,
        )

    # --- what is there already -------------------------------------------------------
    def _sorted(self) -> tuple[tuple[Section, ...], list[Sentence]]:
        """Return the sentences on the page whose facts still stand, and the others."""
        lines = set(self._body.split("\n"))
        live = {str(fact.uid): fact.text_hash for fact in self._facts}
        then = self._before.considered

        def stands(sentence: Sentence) -> bool:
            return all(live.get(uid) == then.get(uid) for uid in sentence.facts)

        kept, gone = [], []
        for section in self._before.sections:
            there = [s for s in section.sentences if s.line.rstrip("\n") in lines]
            kept.append(replace(section, sentences=tuple(filter(stands, there))))
            gone += [sentence for sentence in there if not stands(sentence)]
        return tuple(section for section in kept if section.sentences), gone

    def _new_facts(self) -> list[Memory]:
        """Return what was never looked at, and what a sentence that goes has left."""
        left = {uid for sentence in self._gone for uid in sentence.facts}
        then = self._before.considered
        return [
            fact
            for fact in self._facts
            if then.get(str(fact.uid)) != fact.text_hash or str(fact.uid) in left
        ]

    def _is_settled(self) -> bool:
        """Say whether a draft of these very facts waits, was taken, or was refused."""
        drafts = PageDraft.objects.filter(slug=self._slug, item__via=DISTILLED)
        known = drafts.exclude(item__state=ReviewState.OUTDATED)
        refused = known.filter(facts_hash=self._hash, item__state__in=REFUSED)
        newest = known.order_by("-id").values_list("facts_hash", flat=True).first()
        return newest == self._hash or refused.exists()

    def _was_rejected(self, new: Sequence[Section]) -> bool:
        """Say whether all of it stood, from the same facts, in refused drafts."""
        refused = PageDraft.objects.filter(
            slug=self._slug, item__via=DISTILLED, item__state=ReviewState.REJECTED
        )
        said = {
            (sentence.text, frozenset(sentence.facts))
            for structure in refused.values_list("structure", flat=True)
            for sentence in from_json(structure).sentences()
        }
        return all(
            (sentence.text, frozenset(sentence.facts)) in said
            for section in new
            for sentence in section.sentences
        )

    # --- how far the asking is -------------------------------------------------------
    def _place(self) -> dict[str, Any]:
        """Return where the job stands with this page, at first its beginning."""
        here = {"slug": self._slug, "facts": self._hash}
        place: dict[str, Any] = self._run.payload.get("place", {})
        if {name: place.get(name) for name in here} != here:
            place = here | {"asked": [], "sections": []}
            self._run.payload["place"] = place
        return place

    def _so_far(self, place: Mapping[str, Any]) -> tuple[Section, ...]:
        return merged((*self._kept, *from_json(place).sections))


def _approved(page: Page | None) -> Structure:
    """Return the structure of what was approved last for the page."""
    if page is None:
        return Structure()
    drafts = PageDraft.objects.filter(page=page, item__via=DISTILLED)
    draft = drafts.filter(item__state=ReviewState.APPROVED).order_by("-id").first()
    return from_json(draft.structure) if draft else Structure()
