"""An archive's text: for people to read, and to be read back exactly."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.sessions.archives import Archive, Damaged, from_text, to_text
from memory.sessions.turns import Turn

AT = datetime(2026, 3, 27, 22, 4, 5, 678901, tzinfo=UTC)

texts = st.text(
    alphabet=st.one_of(
        st.sampled_from("#\\ \n\r<>-\x85\u2028`"),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=60,
)
turns = st.builds(
    Turn,
    position=st.integers(1, 10_000),
    role=st.sampled_from(["user", "assistant", "system", "tool"]),
    content=texts,
    created_at=st.datetimes(
        min_value=datetime(1990, 1, 1),  # noqa: DTZ001
        timezones=st.just(UTC),
    ),
    speaker=st.none() | texts.filter(bool),
    name=texts,
    client_id=texts,
    tool_name=texts,
    tool_call_id=texts,
    tool_calls=st.lists(st.fixed_dictionaries({"id": texts, "arguments": texts})),
    call_position=st.none() | st.integers(1, 10_000),
)


def archive(*turns: Turn) -> Archive:
    return Archive(
        session="5f0c",
        agent="default",
        kind="direct",
        participants=["alice"],
        turns=list(turns),
    )


@settings(max_examples=300, deadline=None, database=None, derandomize=True)
@given(st.lists(turns, max_size=5))
def test_whatever_was_said_is_read_back_exactly(said):
    assert from_text(to_text(archive(*said))) == archive(*said)


@settings(max_examples=100, deadline=None, database=None, derandomize=True)
@given(st.lists(turns, min_size=1, max_size=4), st.data())
def test_a_file_that_is_cut_off_is_noticed(said, data):
    text = to_text(archive(*said))
    shorter = text[: data.draw(st.integers(0, len(text) - 1))]
    with pytest.raises(Damaged):
        from_text(shorter)


def test_it_reads_as_markdown():
    said = Turn(
        position=1,
        role="user",
        content="We go with 4.2 m.\n\n## not a turn\n",
        created_at=AT,
        speaker="alice",
        client_id="-->",
    )
    assert to_text(archive(said)) == (
        "---\n"
        'session: "5f0c"\n'
        'agent: "default"\n'
        'kind: "direct"\n'
        'participants: ["alice"]\n'
        'from: "2026-03-27T22:04:05.678901+00:00"\n'
        'to: "2026-03-27T22:04:05.678901+00:00"\n'
        "messages: 1\n"
        "---\n\n"
        "## alice, 2026-03-27 22:04:05 UTC\n"
        '<!-- {"position": 1, "role": "user", "created_at": '
        '"2026-03-27T22:04:05.678901+00:00", "speaker": "alice", '
        '"client_id": "--\\u003e"} -->\n\n'
        "We go with 4.2 m.\n\n\\## not a turn\n\n\n"
    )
