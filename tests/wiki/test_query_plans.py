"""How SQLite reads the wiki: by the index that was made for each list."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from tests.web.conftest import browser
from tests.wiki.calls import Wiki

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "sqlite", reason="plans of SQLite"),
]

READS = [
    "/wiki/ops/p1",
    "/wiki/-/pages?fragment=1&slug=ops",
    "/wiki/-/history/ops/p1",
    "/wiki/-/history/ops/p1?older=2-99",
    "/wiki/-/diff/ops/p1?since=2020-01-01",
    "/wiki/-/recent",
    "/wiki/-/tags",
    "/wiki/-/tags?tag=t",
    "/wiki/-/broken",
    "/wiki/-/trash",
    "/wiki/-/feed.atom",
    "/llms.txt",
    "/api/memory/wiki?slug=ops/p1&html=true",
    "/api/memory/wiki",
    "/api/memory/wiki?tag=t",
    "/api/memory/wiki?under=ops",
    "/api/memory/wiki/tree?slug=ops",
    "/api/memory/wiki/suggest?query=p1+t",
    "/api/memory/wiki/history?slug=ops/p1",
    "/api/memory/wiki/backlinks?slug=ops/p1",
    "/api/memory/wiki/links/broken",
    "/api/memory/wiki/trash",
]
_WALK = re.compile(r"SCAN wiki_pages$|INDEX wiki_pages_space_id_")


@pytest.fixture
def filled(wiki: Wiki, admin_wiki: Wiki, erin: User) -> User:
    """Return an editor of a wiki that has something for every list."""
    for number in range(3):
        wiki.save(f"ops/p{number}", "[[ops/p1]] [[nowhere]] [[old]]\n", tags=["t"])
    wiki.save("ops/p1", "Again. [[ops/p0]] [[x]]\n", base_revision=1)
    wiki.save("ops/gone")
    wiki.delete("ops/gone")
    admin_wiki.save("hr/pay")
    admin_wiki.restrict("hr")
    return erin


@pytest.mark.parametrize("address", READS)
def test_no_list_walks_all_pages_or_a_whole_space(filled: User, address: str) -> None:
    client = browser(filled)
    client.get(address)  # makes the HTML
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(address)
    assert answer.status_code == 200
    for query in asked.captured_queries:
        sql = query["sql"].strip()
        if sql.startswith("SELECT") and "wiki_" in sql:
            for step in plan(sql):
                assert not _WALK.search(step), f"{step}\n{sql}"


@pytest.mark.parametrize("older", ["", "?older=2-99"])
def test_a_history_comes_sorted_from_its_index(filled: User, older: str) -> None:
    client = browser(filled)
    with CaptureQueriesContext(connection) as asked:
        client.get(f"/wiki/-/history/ops/p1{older}")
    listing = [q["sql"] for q in asked if '"number" DESC' in q["sql"]]
    assert listing
    for sql in listing:
        assert not [step for step in plan(sql) if "TEMP B-TREE" in step]


def plan(sql: str) -> list[str]:
    """Return the steps by which SQLite would answer."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
        return [str(row[3]) for row in cursor.fetchall()]
