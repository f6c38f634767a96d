"""Where a conversation may be cut: nowhere between a call and its result."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.sessions.turns import cut_points, token_estimate


@dataclass
class Place:
    position: int
    call_position: int | None = None


def places(*calls: int | None, first: int = 1) -> list[Place]:
    return [Place(first + at, call) for at, call in enumerate(calls)]


@pytest.mark.parametrize(
    ("found", "points"),
    [
        ([], []),
        (places(None), []),
        (places(None, None, None), [1, 2]),
        (places(None, None, 2, None), [1, 3]),
        (places(None, None, 2, 2, None), [1, 4]),
        (places(None, 1, None, 1), []),
        (places(None, None, None, 2, None, first=7), [10]),
        (places(None, None, None, 8, None, first=7), [7, 10]),
    ],
)
def test_cut_points(found, points):
    assert cut_points(found) == points


@given(
    st.lists(st.integers(0, 5), max_size=30).map(
        lambda back: places(
            *(at + 1 - b if b and at >= b else None for at, b in enumerate(back))
        )
    )
)
def test_no_point_parts_a_result_from_its_call(found):
    points = cut_points(found)
    for place in found:
        if place.call_position:
            assert not any(place.call_position <= p < place.position for p in points)
    free = {place.position for place in found[:-1]}
    for place in found:
        if place.call_position:
            free -= set(range(place.call_position, place.position))
    assert points == sorted(free)


def test_tokens_are_estimated_from_characters():
    assert token_estimate("") == 1
    assert token_estimate("x" * 400) == 101
    assert token_estimate("\u8a18" * 400) == 401
    assert token_estimate("", [{"id": "x" * 400}]) > 100
