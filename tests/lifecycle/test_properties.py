"""Whatever happens in whatever order: nothing is lost, nothing runs in a circle."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import permutations
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.actors import Actor, actor_for_user, system_actor
from accounts.models import User
from goclaw.lib.errors import GoClawError
from memory import changes, llm, runner
from memory.drafts import Draft
from memory.lifecycle import dedupe, learning, revising, undoing
from memory.lifecycle.deciding import Refused, merge
from memory.lifecycle.vetoes import pair_of
from memory.llm.prompts.judge import JudgeReply, OlderNote
from memory.models import Job, JobState, Memory, Revision, Veto

pytestmark = pytest.mark.django_db

TEXTS = (
    "The staging DB is 10.0.4.12",
    "The staging DB is 10.0.4.13",
    "The staging DB moved to 10.0.4.14",
    "Staging DB is 10.0.4.12",
    "The staging cache is 10.0.4.12",
    "The shop deploys every Tuesday at noon",
    "The shop deploys every Thursday at noon",
    "The shop deploys each Tuesday at noon",
)
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)

ACTIONS = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(TEXTS), st.integers(0, 9)),
    st.tuples(st.just("merge"), st.integers(0, 9), st.integers(0, 9)),
    st.tuples(
        st.sampled_from(["undo", "untag", "forget", "restore"]),
        st.integers(0, 9),
        st.just(0),
    ),
    st.tuples(
        st.sampled_from(["judge", "revise", "dedupe", "undo_run"]),
        st.just(0),
        st.just(0),
    ),
)


class YesMan:
    """A model that says of everything that it is replaced."""

    name = "yes"

    def complete(self, *, system: str, prompt: str, schema: Any) -> Any:
        notes = [OlderNote(note=n, verdict="replaced") for n in range(1, 50)]
        return JudgeReply(notes=notes)


@contextmanager
def _undone_after() -> Iterator[None]:
    """Take back all that an example wrote."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _run_jobs() -> None:
    while job := Job.objects.filter(
        state=JobState.QUEUED, kind__in=["judge", "revise", "dedupe"]
    ).first():
        runner.run(job.pk)


def _do(boss: Actor, action: tuple[Any, ...]) -> None:
    """Do one thing; what is refused changes nothing."""
    name, first, second = action
    rows = list(Memory.objects.order_by("pk"))
    if name == "write":
        observed = BEGIN + timedelta(days=second)
        draft = Draft(
            scope="agent_notes", kind="fact", content=first, observed_at=observed
        )
        learning.write(actor=boss, draft=draft)
    elif name == "merge" and rows:
        _merge(rows[first % len(rows)], rows[second % len(rows)])
    elif name == "revise":
        revising.request(actor=boss)
        _run_jobs()
    elif name == "dedupe":
        dedupe.request(actor=boss, scope="agent_notes")
        _run_jobs()
    elif name == "judge":
        _run_jobs()
    elif name == "undo_run":
        last = Revision.objects.exclude(run="").first()
        undoing.undo_run(actor=boss, run=last.run if last else "")
    elif rows:
        _change(boss, name, rows[first % len(rows)])


def _change(boss: Actor, name: str, memory: Memory) -> None:
    if name == "undo":
        undoing.undo(actor=boss, uid=memory.uid)
    elif name == "untag":
        changes.edit(actor=boss, uid=memory.uid, changes={"tags": []})
    elif name == "forget":
        changes.forget(actor=boss, uid=memory.uid)
    elif name == "restore":
        changes.restore(actor=boss, uid=memory.uid)


def _merge(one: Memory, other: Memory) -> None:
    if one.pk != other.pk:
        text = f"{one.content}. {other.content}"
        draft = Draft(scope="agent_notes", kind="fact", content=text)
        merge(sources=[one, other], draft=draft, actor=system_actor(), run="merges")


def _check() -> None:
    """See to it that every text is somewhere, and that all is as the decisions say."""
    rows = {memory.pk: memory for memory in Memory.objects.all()}
    standing = {
        revision.memory_id: revision
        for revision in Revision.objects.decisions().filter(undone_at__isnull=True)
    }
    vetoed = dict(Veto.objects.values_list("pair", "created_at"))
    for memory in rows.values():
        seen = {memory.pk}
        place = memory.superseded_by_id
        while place is not None:
            assert place not in seen, "a circle"
            seen.add(place)
            place = rows[place].superseded_by_id
        if memory.superseded_by_id is None:
            assert memory.pk not in standing
            continue
        assert memory.is_superseded
        decision = standing[memory.pk]
        assert decision.replacement_id == memory.superseded_by_id
        new = rows[memory.superseded_by_id]
        undone = vetoed.get(pair_of(memory.content, new.content))
        assert undone is None or decision.created_at < undone
    assert len(standing) == sum(m.superseded_by_id is not None for m in rows.values())


@pytest.fixture
def yes_man(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llm, "get_model", YesMan)


@pytest.mark.usefixtures("yes_man")
@settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(actions=st.lists(ACTIONS, min_size=2, max_size=14))
def test_any_sequence(admin: User, actions: list[tuple[Any, ...]]) -> None:
    boss = actor_for_user(admin)
    with _undone_after():
        texts = set[str]()
        for action in actions:
            try:
                with transaction.atomic():
                    _do(boss, action)
            except GoClawError:
                continue
            finally:
                found = set(Memory.objects.values_list("content", flat=True))
                assert texts <= found
                texts = found
            _check()


@pytest.mark.usefixtures("yes_man")
@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    days=st.lists(st.integers(0, 20), min_size=2, max_size=4, unique=True),
    jobs=st.booleans(),
)
def test_the_order_of_writes_and_jobs_does_not_matter(
    admin: User, days: list[int], jobs: bool
) -> None:
    """A topic's newest by what was observed is live in the end, and only that."""
    boss = actor_for_user(admin)
    newest = f"The staging DB is 10.0.4.{10 + max(days)}"
    for order in permutations(days):
        with _undone_after():
            for day in order:
                text = f"The staging DB is 10.0.4.{10 + day}"
                _do(boss, ("write", text, day))
                if jobs:
                    _run_jobs()
            _do(boss, ("revise", 0, 0))
            live = Memory.objects.live().current().values_list("content", flat=True)
            assert list(live) == [newest]


def test_an_undo_restores_every_field(admin: User) -> None:
    boss = actor_for_user(admin)
    _do(boss, ("write", TEXTS[0], 0))
    before = Memory.objects.values().get()
    _do(boss, ("write", TEXTS[1], 1))
    undoing.undo(actor=boss, uid=before["uid"])
    assert Memory.objects.values().get(pk=before["id"]) == before
    with pytest.raises(Refused):
        learning.retire(
            old=Memory.objects.get(content=TEXTS[0]),
            new=Memory.objects.get(content=TEXTS[1]),
            via="judge",
            actor=system_actor(),
        )
