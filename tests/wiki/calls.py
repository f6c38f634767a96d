"""The wiki's REST API in few words, for tests."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from rest_framework.response import Response

from tests.people import Api


@dataclass
class Wiki:
    """Calls `/api/memory/wiki…` for one person."""

    api: Api

    def at(self, verb: str, slug: str) -> str:
        return f"/memory/wiki{verb}?slug={quote(slug, safe='')}"

    def post(
        self, slug: str, body: str = "Text.\n", headers: Any = None, **fields: Any
    ) -> Response:
        sent = {"body": body, **fields}
        return self.api.post(self.at("", slug), sent, **(headers or {}))

    def save(self, slug: str, body: str = "Text.\n", **fields: Any) -> Any:
        """Save a page; return its JSON. Fails unless it was accepted."""
        answer = self.post(slug, body, **fields)
        assert answer.status_code in {200, 201}, answer.json()
        return answer.json()

    def get(self, slug: str, **params: Any) -> Response:
        return self.api.get("/memory/wiki", slug=slug, **params)

    def read(self, slug: str, **params: Any) -> Any:
        """Read a page; return its JSON. Fails unless it is there."""
        answer = self.get(slug, **params)
        assert answer.status_code == 200, answer.json()
        return answer.json()

    def delete(self, slug: str, **headers: str) -> Response:
        return self.api("delete", self.at("", slug), **headers)

    def move(self, slug: str, to: str) -> Response:
        return self.api.post(self.at("/move", slug), {"to": to})

    def restore(self, slug: str, revision: int, **fields: Any) -> Response:
        return self.api.post(
            self.at("/restore", slug), {"revision": revision, **fields}
        )

    def undelete(self, uid: str, **fields: Any) -> Response:
        return self.api.post(f"/memory/wiki/trash/{uid}/restore", fields)

    def restrict(self, slug: str, **lists: list[str]) -> Response:
        both = {"readers": [], "writers": [], **lists}
        return self.api("put", self.at("/restriction", slug), both)

    def lift(self, slug: str) -> Response:
        return self.api("delete", self.at("/restriction", slug))

    def list(self, verb: str, **params: Any) -> Any:
        """Return what a list answers. Fails unless it was answered."""
        answer = self.api.get(f"/memory/wiki{verb}", **params)
        assert answer.status_code == 200, answer.json()
        return answer.json()

    def slugs(self, **params: Any) -> Any:
        return [row["slug"] for row in self.list("", **params)["results"]]

    def names(self, slug: str = "", **params: Any) -> Any:
        """Return slug and number of pages below, of one level of the tree."""
        nodes = self.list("/tree", slug=slug, **params)["nodes"]
        return {node["slug"]: node["below"] for node in nodes}
