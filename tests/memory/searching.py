"""How tests look at what a search found."""

from typing import Any

from tests.people import Api


def contents(hits: list[dict[str, Any]]) -> list[str]:
    """Return what is shown of each hit."""
    return [hit["snippet"] for hit in hits]


def by_word(api: Api, query: str, **fields: Any) -> list[str]:
    """Return the hits that contain words of the query, whatever their vectors say."""
    hits = api.search(query, max_results=50, **fields)
    return [hit["id"] for hit in hits if hit["parts"]["keyword"]]
