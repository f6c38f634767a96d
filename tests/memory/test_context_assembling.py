"""The budget of a prompt's memory over any mix of sections: what always holds."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.context.assembling import Fitted, fit_message, fit_session
from memory.context.blocks import Item, Offer, Part, size_of
from memory.context.sections import SECTIONS

quick = settings(max_examples=50, deadline=None)
SESSION = [s for s in SECTIONS if s.part is Part.SESSION]
MESSAGE = [s for s in SECTIONS if s.part is Part.MESSAGE]
DROPPED_FIRST = ["note_count", "recent_memory", "previous_context", "user_notes"]
DROPPED_LAST = ["memory_file", "agent_config", "critical_constraints"]
IN_MESSAGE = ["matching_notes", "personal_memory", "learned_knowledge"]


@st.composite
def offers(draw: st.DrawFn, sections: list) -> list[Offer]:  # type: ignore[type-arg]
    return [
        Offer(
            section,
            title=draw(st.sampled_from(["", "A title."])),
            items=tuple(
                Item("x" * draw(st.integers(1, 900)), record=number)
                for number in range(draw(st.integers(0, 4)))
            ),
            left_out=draw(st.sampled_from([0, 0, 70])),
        )
        for section in sections
    ]


BUDGETS = st.sampled_from([0, 1, 300, 700, 1200, 2500, 5000, 9000, 32_000])


def names(fitted: Fitted) -> list[str]:
    return [offer.section.name for offer in fitted.offers]


def counted(fitted: Fitted) -> list[Offer]:
    return [o for o in fitted.offers if o.section.priority is not None]


def outside(fitted: Fitted) -> int:
    return sum(size_of(o) for o in fitted.offers if o.section.priority is None)


@quick
@given(offers(SESSION), offers(MESSAGE), BUDGETS)
def test_both_parts_stay_within_the_budget(
    session: list[Offer], message: list[Offer], budget: int
) -> None:
    one = fit_session(session, budget)
    two = fit_message(message, budget, one)
    if not budget:
        assert [o for o in session if o.items] == list(one.offers)
        assert [o for o in message if o.items] == list(two.offers)
        return
    assert one.used <= budget * 0.75
    assert one.used + two.used <= budget
    for fitted in (one, two):
        if counted(fitted):
            assert len(fitted.text()) - outside(fitted) <= fitted.used


@quick
@given(offers(SESSION), offers(MESSAGE), BUDGETS)
def test_what_is_kept_is_in_order_and_what_gives_way_is_the_lowest(
    session: list[Offer], message: list[Offer], budget: int
) -> None:
    one = fit_session(session, budget)
    two = fit_message(message, budget, one)
    for fitted, given_, order in (
        (one, session, DROPPED_FIRST + DROPPED_LAST),
        (two, message, IN_MESSAGE),
    ):
        numbers = [o.section.number for o in fitted.offers]
        assert numbers == sorted(numbers)
        places = [fitted.text().find(f"<{name}>") for name in names(fitted)]
        assert -1 not in places
        assert places == sorted(places)
        had = {o.section.name for o in given_ if o.items}
        rank = [name for name in order if name in had]
        kept = [name in names(fitted) for name in rank]
        assert kept == sorted(kept), "something lower was kept"
        free = [o for o in given_ if o.section.priority is None and o.items]
        assert all(o in fitted.offers for o in free)


@quick
@given(offers(SESSION), offers(MESSAGE), BUDGETS)
def test_critical_constraints_stay_while_anything_does(
    session: list[Offer], message: list[Offer], budget: int
) -> None:
    one = fit_session(session, budget)
    two = fit_message(message, budget, one)
    critical = session[0]
    assert critical.section.name == "critical_constraints"
    if not critical.items:
        return
    if counted(one) or counted(two):
        assert names(one)[0] == "critical_constraints"
    kept = one.offers[0].items if names(one)[:1] == ["critical_constraints"] else ()
    records = [item.record for item in kept if item.record is not None]
    assert (
        records
        == list(range(len(critical.items)))[len(critical.items) - len(records) :]
    )
    if 0 < len(records) < len(critical.items):
        assert "older one" in kept[0].text
        assert all(name not in names(one) for name in DROPPED_FIRST + DROPPED_LAST[:2])


@quick
@given(offers(SESSION), offers(MESSAGE), offers(MESSAGE), BUDGETS)
def test_no_message_changes_the_session_part(
    session: list[Offer], first: list[Offer], second: list[Offer], budget: int
) -> None:
    texts = set()
    for message in (first, second, []):
        fitted = fit_session(session, budget)
        fit_message(message, budget, fitted)
        texts.add(fitted.text())
    assert len(texts) == 1


@quick
@given(offers(SESSION), offers(MESSAGE), BUDGETS)
def test_the_report_accounts_for_every_character(
    session: list[Offer], message: list[Offer], budget: int
) -> None:
    one = fit_session(session, budget)
    two = fit_message(message, budget, one)
    for fitted, given_ in ((one, session), (two, message)):
        assert [row.name for row in fitted.rows] == [o.section.name for o in given_]
        by_name = {offer.section.name: offer for offer in fitted.offers}
        for row, offer in zip(fitted.rows, given_, strict=True):
            assert row.offered == row.kept + row.cut + row.dropped
            assert row.offered == offer.chars + offer.left_out
            assert min(row.kept, row.cut, row.dropped) >= 0
            assert row.size == (size_of(by_name[row.name]) if row.kept else 0)
            assert bool(row.dropped or row.cut > offer.left_out) <= bool(row.why)


@pytest.mark.parametrize("hidden", [False, True])
def test_personal_items_can_be_shown_as_their_count_and_size(hidden: bool) -> None:
    recent = next(s for s in SESSION if s.name == "recent_memory")
    items = (Item("- for all"), Item("- secret", personal=True))
    text = fit_session([Offer(recent, items=items)], 0).text(hidden=hidden)
    assert "- for all" in text
    assert ("secret" in text) is not hidden
    assert ("[1 personal, 8 characters]" in text) is hidden


def test_a_part_with_nothing_in_it_is_empty() -> None:
    nothing = fit_session([Offer(section) for section in SESSION], 32_000)
    assert (nothing.text(), nothing.used) == ("", 0)


def test_one_constraint_that_is_too_long_is_cut_not_lost() -> None:
    critical = Offer(SESSION[0], items=(Item("- " + "x" * 5000, record=1),))
    fitted = fit_session([critical, *map(Offer, SESSION[1:])], 2000)
    assert fitted.offers[0].items[0].text.endswith("[cut]")
    assert fitted.used <= 1500
    starved = fit_session([critical], 400)
    assert starved.starved
    note = Offer(MESSAGE[1], items=(Item("- note"),))
    assert fit_message([note], 400, starved).offers == ()
    assert fit_message([note], 400, replace(starved, starved=False)).offers == (note,)
