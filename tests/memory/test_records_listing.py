"""Lists of records: pages, filters, and what they cost."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.people import Api, error_of

pytestmark = pytest.mark.django_db

RECORDS = "/memory/records"


def test_a_list_goes_through_all_pages_while_rows_come_and_go(alice_api: Api) -> None:
    made = [alice_api.write(f"number {n}")["id"] for n in range(25)]
    seen: list[str] = []
    url: str | None = f"{RECORDS}?page_size=10"
    while url:
        page = alice_api.get(url.partition("/api")[2] or url).json()
        seen += [row["id"] for row in page["results"]]
        url = page["next"]
        alice_api.write(f"newcomer {len(seen)}")
    assert seen == made[::-1]


@pytest.mark.parametrize(
    "query",
    [
        "scope=mine",
        "kind=x",
        "since=never",
        "page_size=0",
        "page_size=1000",
        "colour=red",
        "forgotten=perhaps",
        "cursor=nonsense",
        "domain=%00",
    ],
)
def test_a_filter_that_makes_no_sense_is_refused(alice_api: Api, query: str) -> None:
    answer = alice_api.get(f"{RECORDS}?{query}")
    assert answer.status_code in {400, 404}
    error_of(answer)


def test_filters_narrow_the_list(alice_api: Api) -> None:
    alice_api.write("a", kind="fact", domain="db", tags=["x", "y"])
    alice_api.write("b", kind="note", domain="db", tags=["x"])
    alice_api.write("c", observed_at="2020-01-01")

    def contents(**params: Any) -> set[str]:
        rows = alice_api.get(RECORDS, **params).json()["results"]
        return {row["content"] for row in rows}

    assert contents(domain="db") == {"a", "b"}
    assert contents(kind="fact") == {"a"}
    assert contents(tag="x") == {"a", "b"}
    assert contents(tag="y") == {"a"}
    assert contents(until="2021-01-01") == {"c"}
    assert contents(since="2021-01-01") == {"a", "b"}
    assert contents(scope="agent_notes") == set()
    assert contents(tag="_") == contents(tag="%") == set()


def test_lists_cost_a_fixed_number_of_queries(
    alice_api: Api, django_assert_num_queries: Callable[..., Any]
) -> None:
    def ask() -> None:
        assert alice_api.get(RECORDS, page_size=200).status_code == 200

    alice_api.write("one", tags=["a"])
    ask()
    with django_assert_num_queries(_count(ask)):
        ask()
    few = _count(ask)
    for n in range(20):
        alice_api.write(f"more {n}", tags=["a", "b"])
    assert _count(ask) == few


def _count(ask: Callable[[], None]) -> int:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as queries:
        ask()
    return len(queries)
