"""The order of hits, their scores, and where the list ends."""

from collections.abc import Callable

import pytest

from tests.people import Api

pytestmark = pytest.mark.django_db


@pytest.mark.usefixtures("_no_vectors")
def test_a_rare_word_beats_age_and_threshold(alice_api: Api) -> None:
    old = alice_api.write(
        "Incident INC-48213 was a full disk.", observed_at="2020-01-01"
    )
    for n in range(30):
        alice_api.write(f"Incident report number {n} was fine.")
    hits = alice_api.post("/memory/search", {"query": "INC-48213"}).json()["results"]
    assert hits[0]["id"] == old["id"]


@pytest.mark.parametrize(
    ("exact", "near"),
    [
        ("10.0.4.1", "10.0.4.17"),
        ("v2.3.1", "v2.3.10"),
        ("INC-4821", "INC-48213"),
        ("user_id", "user_ids"),
        ("/etc/app/main.conf", "/etc/app/main.conf.bak"),
        ("ERR_CONN_RESET", "ERR_CONN_RESET_BY_PEER"),
    ],
)
def test_an_old_identifier_beats_a_fresh_near_miss(
    alice_api: Api, run_jobs: Callable[[], int], exact: str, near: str
) -> None:
    old = alice_api.write(f"It was {exact} back then.", observed_at="2024-01-01")
    for n in range(5):
        alice_api.write(f"It is {near} today, number {n}.")
    run_jobs()
    hits = alice_api.post("/memory/search", {"query": exact}).json()["results"]
    assert hits[0]["id"] == old["id"]


def test_the_first_of_many_are_the_search_for_few(
    alice_api: Api, run_jobs: Callable[[], int]
) -> None:
    for n in range(40):
        alice_api.write(
            f"deploy notes {n} {'rollback ' * (n % 7)} {'canary ' * (n % 5)}"
        )
    run_jobs()
    many = [
        hit["id"] for hit in alice_api.search("deploy rollback canary", max_results=30)
    ]
    for k in (1, 3, 6, 10, 29):
        few = alice_api.search("deploy rollback canary", max_results=k)
        assert [hit["id"] for hit in few] == many[:k]


def test_scores_are_explained_and_bounded(
    alice_api: Api, run_jobs: Callable[[], int]
) -> None:
    for n in range(10):
        alice_api.write(
            f"the kettle in kitchen {n} is broken", observed_at="2024-01-01"
        )
    run_jobs()
    hits = alice_api.search("kettle kitchen", max_results=10)
    scores = [hit["score"] for hit in hits]
    assert scores == sorted(scores, reverse=True)
    for hit in hits:
        assert 0 <= hit["score"] <= 1
        assert all(v is None or 0 <= v <= 1 for v in hit["parts"].values()), hit[
            "parts"
        ]
        assert hit["score"] <= hit["parts"]["relevance"] + 1e-6


def test_identical_texts_are_shown_once(alice_api: Api, cron_api: Api) -> None:
    cron_api.write("same words twice", scope="agent_notes")
    cron_api.write("same words twice", scope="agent_notes", domain="other")
    assert len(alice_api.search("same words twice")) == 1


def test_nothing_relevant_is_a_possible_answer(
    alice_api: Api, run_jobs: Callable[[], int]
) -> None:
    alice_api.write("The boiler is serviced in May.")
    run_jobs()
    answer = alice_api.post("/memory/search", {"query": "zygote phlogiston qwertz"})
    assert answer.json()["results"] == []


def test_freshness_does_not_outweigh_a_clear_gap(
    alice_api: Api, run_jobs: Callable[[], int]
) -> None:
    old = alice_api.write(
        "The vault code procedure: two officers, key A and key B.",
        observed_at="2026-01-05",
    )
    for n in range(5):
        alice_api.write(f"Lunch was fine today, number {n}; the procedure is dull.")
    run_jobs()
    hits = alice_api.search("what is the vault code procedure with officers and keys")
    assert hits[0]["id"] == old["id"]
