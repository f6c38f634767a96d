"""What users of other memory systems ran into, each kind as a test through the API.

Those that belong to one subject alone are tested there: writing, ranking, indexing.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from memory.models import Chunk, Embedding, Job, JobKind, Memory
from memory.queue import enqueue
from memory.search.engines import get_engine
from tests.memory.searching import by_word
from tests.people import Api

pytestmark = pytest.mark.django_db

RECORDS = "/memory/records"
RunJobs = Callable[[], int]


def ids(hits: list[dict[str, Any]]) -> list[str]:
    return [hit["id"] for hit in hits]


# --- text ----------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "queries"),
    [
        ("外币汇率换算要用央行的中间价", ["汇", "汇率", "换算", "外币汇率换算"]),
        ("東京駅の近くに会社があります", ["駅", "東京", "会社"]),
        ("한국어 문서는 위키에 있습니다", ["한국", "문서", "위키"]),
    ],
)
def test_one_and_two_characters_find_unspaced_text(
    alice_api: Api, text: str, queries: list[str]
) -> None:
    made = alice_api.write(text)["id"]
    alice_api.write("天気がいいから散歩しましょう")
    for query in queries:
        assert by_word(alice_api, query)[:1] == [made], query


@pytest.mark.parametrize(
    ("written", "spaced"),
    [
        ("GB/s", "GB s"),
        ("2026-12-15", "2026 12 15"),
        ("multi-agent", "multi agent"),
        ("ubuntu 20.04", "ubuntu 20 04"),
        ("build:release", "build release"),
        ("don't panic", "don t panic"),
    ],
)
def test_a_query_finds_the_same_with_and_without_its_signs(
    alice_api: Api, written: str, spaced: str
) -> None:
    made = alice_api.write(f"It says {written} on the label.")["id"]
    alice_api.write("An unrelated remark on herons.")
    assert by_word(alice_api, written) == by_word(alice_api, spaced) == [made]


DATES = [
    "十万年前",
    "the year 102026",
    "0000-00-00",
    "31.2.2026",
    "-5000-01-01",
    "99:99",
]


@pytest.mark.parametrize("date", DATES)
def test_a_date_that_nobody_can_read_is_only_text(alice_api: Api, date: str) -> None:
    made = alice_api.write(f"The layer was formed {date}, they say.")["id"]
    assert made in ids(alice_api.search(f"what was formed {date}"))


def test_a_hit_by_its_title_has_a_text_to_show(alice_api: Api) -> None:
    made = alice_api.write("Two officers, key A and key B.", title="Vault procedure")
    hit = alice_api.search("vault")[0]
    assert hit["id"] == made["id"]
    assert hit["snippet"].strip()


# --- what is the same, and what is not -----------------------------------------------
@pytest.mark.parametrize(
    ("yes", "no"),
    [
        ("Deployment on Fridays is allowed.", "Deployment on Fridays is not allowed."),
        ("The port is open.", "The port isn't open."),
        ("Die Freigabe ist nötig.", "Die Freigabe ist nicht nötig."),
    ],
)
def test_the_opposite_is_no_duplicate_and_retires_nothing(
    alice_api: Api, run_jobs: RunJobs, yes: str, no: str
) -> None:
    both = [alice_api.write(text)["id"] for text in (yes, no)]
    run_jobs()
    assert sorted(ids(alice_api.search(yes))) == sorted(both)
    for uid in both:
        assert alice_api.get(f"{RECORDS}/{uid}").json()["superseded"] is False


def test_a_statement_of_two_periods_is_two_records(alice_api: Api) -> None:
    text = "Maria leads the harbour team."
    first, second = (
        alice_api.write(text, observed_at=day)["id"]
        for day in ("2021-03-01", "2026-03-01")
    )
    assert first != second
    assert ids(alice_api.search("harbour", until="2023-01-01")) == [first]
    assert ids(alice_api.search("harbour", since="2023-01-01")) == [second]


# --- time ----------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("zone", "local", "utc"),
    [
        ("Asia/Tokyo", "2026-03-29T09:00", "2026-03-29T00:00:00Z"),
        ("America/Los_Angeles", "2026-03-28T17:00", "2026-03-29T00:00:00Z"),
        # An hour that the clocks leave out, and one that they have twice.
        ("Europe/Berlin", "2026-03-29T02:30", "2026-03-29T01:30:00Z"),
        ("Europe/Berlin", "2025-10-26T02:30", "2025-10-26T00:30:00Z"),
        ("Europe/Berlin", "2025-10-26T02:30+01:00", "2025-10-26T01:30:00Z"),
        ("America/Los_Angeles", "2026-03-08T02:30", "2026-03-08T10:30:00Z"),
    ],
)
def test_times_and_filters_are_in_the_persons_zone(
    alice: User, alice_api: Api, zone: str, local: str, utc: str
) -> None:
    alice.timezone = zone
    alice.save()
    made = alice_api.write("a heron", observed_at=local)
    assert made["observed_at"] == utc
    for since, until, found in (
        (local, "2026-04-01", [made["id"]]),
        ("2025-01-01", local, []),
        (utc, "2026-04-01T00:00Z", [made["id"]]),
    ):
        span = {"since": since, "until": until}
        assert ids(alice_api.search("heron", **span)) == found
        assert ids(alice_api.get(RECORDS, **span).json()["results"]) == found


# --- deletion ------------------------------------------------------------------------
def test_what_is_deleted_is_in_no_index_and_no_answer(
    alice_api: Api, bob_api: Api, admin_api: Api, run_jobs: RunJobs
) -> None:
    """The same text of somebody else stays, although its vector was shared."""
    fields = {"observed_at": "2026-01-01", "tags": ["zoo"]}
    others = bob_api.write("a wombat at dawn", **fields)["id"]
    key = {"key": "animal", "value": "wombat"}
    for forget in ("records", "facts"):
        made = alice_api.write("a wombat at dawn", **fields, **key)["id"]
        run_jobs()
        chunks = list(
            Chunk.objects.filter(memory__uid=made).values_list("pk", flat=True)
        )
        assert get_engine().words_of(chunks)
        path = f"{RECORDS}/{made}"
        if forget == "facts":
            path = "/memory/facts/personal/-/animal"
        assert alice_api("delete", path).status_code == 204

        assert get_engine().words_of(chunks) == {}
        assert not Embedding.objects.filter(chunk_id__in=chunks).exists()
        assert not Chunk.objects.filter(pk__in=chunks).exists()
        assert alice_api.search("wombat", include_history=True) == []
        assert alice_api.search(made) == []
        assert alice_api.get(RECORDS, tag="zoo").json()["results"] == []
        assert alice_api.get("/memory/facts").json()["results"] == []
        assert alice_api.get("/memory/facts/personal/-/animal").status_code == 404
        assert alice_api.get("/memory/get", id=made).status_code == 404
        assert alice_api.get("/memory/stats").json()["records"]["total"] == 0
    assert ids(bob_api.search("wombat")) == [others]
    assert Embedding.objects.count() == 1


def test_a_deletion_of_many_is_complete(alice_api: Api, run_jobs: RunJobs) -> None:
    items = [{"scope": "personal", "content": f"wombat {n}"} for n in range(450)]
    alice_api.post(f"{RECORDS}/bulk", {"records": items})
    kept = alice_api.write("a wombat that stays")["id"]
    long_ago = timezone.now() - timedelta(days=31)
    Memory.objects.exclude(uid=kept).update(forgotten_at=long_ago)
    job = enqueue(JobKind.PURGE)
    run_jobs()
    assert Job.objects.get(pk=job.pk).result["records"] == 450
    assert [str(uid) for uid in Memory.objects.values_list("uid", flat=True)] == [kept]
    assert Chunk.objects.count() == 1


def test_a_false_fact_can_be_retracted(alice_api: Api, bob_api: Api) -> None:
    path = "/memory/facts/personal/-/allergy"
    made = alice_api("put", path, {"value": "wombats"}).json()
    assert bob_api("delete", path).status_code == 404
    assert alice_api("delete", path).status_code == 204
    assert alice_api.get(path).status_code == 404
    assert alice_api.post(f"{RECORDS}/{made['id']}/restore").status_code == 200
    assert alice_api.get(path).json()["value"] == "wombats"


# --- isolation -----------------------------------------------------------------------
def test_a_strangers_neighbour_lends_no_words(alice_api: Api, bob_api: Api) -> None:
    """A sequence is one within a space: its id is no key to another's records."""

    def opening() -> Any:
        hits = alice_api.search("quokka enclosure opens nine", max_results=20)
        return next(hit["parts"] for hit in hits if hit["id"] == mine)

    mine = alice_api.write("It opens at nine.", sequence={"id": "s", "position": 1})
    mine = mine["id"]
    for n in range(8):
        alice_api.write(f"Shop number {n} opens late.")
    words = "The quokka enclosure, they said."
    foreign = bob_api.write(words, sequence={"id": "s", "position": 2})["id"]
    beside = opening()
    bob_api("delete", f"{RECORDS}/{foreign}")
    bob_api.write(words, sequence={"id": "elsewhere", "position": 2})
    assert opening() == beside
    alice_api.write(words, sequence={"id": "s", "position": 2})
    assert opening() != beside


def test_a_neighbour_does_not_get_past_a_filter(
    alice_api: Api, run_jobs: RunJobs
) -> None:
    tagged = alice_api.write(
        "The quokka sleeps.", tags=["a_c"], sequence={"id": "s", "position": 1}
    )
    for position, tag in ((0, "abc"), (2, "a-c"), (3, "a_cd")):
        alice_api.write(
            f"The quokka sleeps, again, {position}.",
            tags=[tag],
            sequence={"id": "s", "position": position},
        )
    run_jobs()
    for query in ("quokka", "The quokka sleeps again"):
        assert ids(alice_api.search(query, tags=["a_c"])) == [tagged["id"]]
    listed = alice_api.get(RECORDS, tag="a_c").json()["results"]
    assert ids(listed) == [tagged["id"]]


def test_several_tags_are_all_asked_for(alice_api: Api) -> None:
    both = alice_api.write("heron one", tags=["x", "y"])["id"]
    alice_api.write("heron two", tags=["x"])
    alice_api.write("heron three", tags=["y"])
    assert ids(alice_api.search("heron", tags=["x", "y"])) == [both]


HOSTILE = [
    "'; DROP TABLE memories; --",
    '" OR 1=1 --',
    "a') UNION SELECT content FROM memories --",
    "$.a[*]",
    "__class__",
    "%s %(x)s {0}",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_names_and_values_are_never_part_of_a_statement(
    alice_api: Api, bob_api: Api, text: str
) -> None:
    bob_api.write("somebody else's heron")
    made = alice_api.write(
        "a heron",
        metadata={text: {text: text}},
        key="k",
        value={text: text},
        sequence={"id": text, "position": 1},
        title=text,
    )
    stored = alice_api.get(f"{RECORDS}/{made['id']}").json()
    assert stored["metadata"] == {text: {text: text}}
    assert stored["value"] == {text: text}
    assert stored["sequence"]["id"] == text
    assert ids(alice_api.search(f"heron {text}")) == [made["id"]]
    for name in ("domain", "tag", "agent"):
        assert alice_api.get(RECORDS, **{name: text}).json().get("results", []) == []
    assert alice_api.get("/memory/get", path=text).json().get("text", "") == ""
    assert Memory.objects.count() == 2
