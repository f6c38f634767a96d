"""The sample review: what machines of the house proposed and decided lately.

Made by the services themselves; only the model's part is read from a file.
"""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from accounts.actors import Actor, RunKind, actor_for_key, actor_for_user, system_actor
from accounts.models import ApiKey, User
from memory import records
from memory.drafts import Draft
from memory.lifecycle import deciding as decisions
from memory.llm.base import Reply
from memory.models import Job, JobKind, JobState, Memory, ReviewItem, Revision
from memory.runner import JobRun
from memory.scopes import Kind, Scope
from wiki.demo.source import DATA
from wiki.distilling import slug_of
from wiki.distilling.turn import Turn
from wiki.review import deciding
from wiki.review.outcomes import Seen
from wiki.review.proposing import propose_page

MODEL = "sample"


def load(*, people: Mapping[str, User]) -> int:
    """Make the items of the sample; return how many there are."""
    sample: dict[str, Any] = json.loads((DATA / "review.json").read_text("utf-8"))
    return _Sample(sample, people).load()


class _Told:
    """Says what the file has; a fact is named by words of it, not by its number."""

    name = MODEL

    def __init__(self, said: list[dict[str, Any]]) -> None:
        self._said = said

    def complete(self, *, system: str, prompt: str, schema: type[Reply]) -> Reply:
        """Return the sections, with the numbers that the facts have in the prompt."""
        lines = [line.partition(" | ") for line in prompt.split("\n") if " | " in line]
        sections = [
            {
                "heading": section["heading"],
                "sentences": [
                    {
                        "text": sentence["text"],
                        "facts": [
                            name
                            for words in sentence["facts"]
                            for name, _, text in lines
                            if words in text
                        ],
                    }
                    for sentence in section["sentences"]
                ],
            }
            for section in self._said
        ]
        return schema.model_validate({"sections": sections})


class _Sample:
    def __init__(self, sample: dict[str, Any], people: Mapping[str, User]) -> None:
        self._sample = sample
        self._people = people
        self._now = timezone.now()

    def load(self) -> int:
        """Write, decide, distil, approve and reject, as it came about."""
        for fact in self._sample["facts"]:
            self._write(fact)
        for replaced in self._sample["replaced"]:
            self._replace(replaced)
        for merged in self._sample["merged"]:
            self._merge(merged)
        approved = self._sample["approved"]
        self._approve(self._distil(approved), approved)
        self._write(self._sample["later"])
        for draft in self._sample["drafts"]:
            item = self._distil(draft)
            if item and "rejected" in draft:
                self._reject(item, draft["rejected"])
        self._propose(self._sample["proposed"])
        return ReviewItem.objects.count()

    def _write(self, fact: dict[str, Any]) -> None:
        when = self._ago(fact)
        draft = Draft(
            scope=Scope.AGENT_NOTES,
            content=fact["content"],
            kind=Kind.FACT,
            domain=fact["domain"],
            observed_at=when,
        )
        memory = records.write(actor=_run_for(fact["by"]), draft=draft).memory
        Memory.objects.filter(pk=memory.pk).update(created_at=when, updated_at=when)

    def _replace(self, replaced: dict[str, Any]) -> None:
        revision = decisions.retire(
            old=_named(replaced["old"]),
            new=_named(replaced["new"]),
            via=replaced["via"],
            actor=system_actor(),
            reason=replaced["reason"],
            run=f"{MODEL}-{replaced['days_ago']}",
            model=MODEL if replaced["words"] else "",
            words=replaced["words"],
        )
        self._as_of(revision.item, replaced)

    def _merge(self, merged: dict[str, Any]) -> None:
        sources = [_named(words) for words in merged["sources"]]
        made = decisions.merge(
            sources=sources,
            draft=Draft(
                scope=Scope.AGENT_NOTES,
                content=merged["content"],
                kind=Kind.FACT,
                domain=merged["domain"],
            ),
            actor=system_actor(),
            reason=merged["reason"],
            run=f"{MODEL}-{merged['days_ago']}",
            model=MODEL,
        )
        first = Revision.objects.filter(replacement=made).latest("pk")
        self._as_of(first.item, merged)

    def _distil(self, draft: dict[str, Any]) -> ReviewItem | None:
        """Do a job of distilling, with the file as the model."""
        job = Job.objects.create(
            kind=JobKind.DISTILL,
            queue="quick",
            state=JobState.DONE,
            payload={"domains": [draft["domain"]]},
            max_attempts=1,
            finished_at=self._ago(draft),
        )
        turn = Turn(slug_of(draft["domain"]), JobRun(job), _Told(draft["said"]))
        turn.ask()
        item = turn.finish()
        self._as_of(item, draft)
        return item

    def _approve(self, item: ReviewItem | None, approved: dict[str, Any]) -> None:
        if item is None:
            return
        seen = Seen(
            content_hash=item.content_hash, base_revision=item.draft.base_number
        )
        actor = self._actor(approved["by"])
        body = item.draft.body + approved["added"]
        item = deciding.approve(actor=actor, uid=item.uid, seen=seen, body=body)
        when = self._ago(approved)
        ReviewItem.objects.filter(pk=item.pk).update(decided_at=when)
        if published := item.draft.published:
            type(published).objects.filter(pk=published.pk).update(created_at=when)
            type(published.page).objects.filter(pk=published.page_id).update(
                created_at=when, updated_at=when
            )

    def _reject(self, item: ReviewItem, rejected: dict[str, Any]) -> None:
        actor = self._actor(rejected["by"])
        deciding.reject(actor=actor, uid=item.uid, reason=rejected["reason"])
        ReviewItem.objects.filter(pk=item.pk).update(decided_at=self._ago(rejected))

    def _propose(self, proposed: dict[str, Any]) -> None:
        propose_page(
            actor=_run_for(proposed["by"]),
            slug=proposed["slug"],
            title=proposed["title"],
            body=proposed["body"],
        )

    def _actor(self, name: str) -> Actor:
        return actor_for_user(self._people[name])

    def _ago(self, entry: Mapping[str, Any]) -> datetime:
        return self._now - timedelta(days=entry["days_ago"])

    def _as_of(self, item: ReviewItem | None, entry: Mapping[str, Any]) -> None:
        """Make it look as old as the file has it; only a sample may do that."""
        if item is None:
            return
        when = self._ago(entry)
        ReviewItem.objects.filter(pk=item.pk).update(created_at=when, queued_at=when)
        Revision.objects.filter(item=item).update(created_at=when)


def _run_for(name: str) -> Actor:
    """Return a nightly run that an agent of the house does for somebody."""
    gateway = ApiKey.objects.filter(may_act_for_others=True).earliest("pk")
    return actor_for_key(
        gateway, run=RunKind.CRON, conversation="direct", user_name=name
    )


def _named(words: str) -> Memory:
    """Return the live record that says this."""
    live = Memory.objects.live().current().filter(scope=Scope.AGENT_NOTES)
    return live.select_related("space").get(content__contains=words)
