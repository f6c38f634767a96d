"""A small HTTP client that keeps its connection: little but the server is timed."""

import http.client
import json
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit


class Refused(Exception):
    """The server answered with an error; `status` and the text say which."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(f"{status}: {text[:300]}")
        self.status = status


class Client:
    """One connection to a server, for one thread."""

    def __init__(self, url: str, key: str, *, timeout_s: float = 60) -> None:
        self._address = urlsplit(url).netloc
        self._timeout_s = timeout_s
        self._headers = {
            "Authorization": f"Bearer {key}",
            "Content-Type": "application/json",
        }
        self._connection: http.client.HTTPConnection | None = None

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """Return the JSON of the answer.

        Raises Refused for a status of 400 and above, OSError or HTTPException when
        there is no answer; a connection the server closed meanwhile is opened anew.
        """
        data = None if body is None else json.dumps(body).encode()
        if self._connection is None:
            self._connection = http.client.HTTPConnection(
                self._address, timeout=self._timeout_s
            )
        try:
            self._connection.request(
                method, path, data, self._headers | dict(headers or {})
            )
            response = self._connection.getresponse()
            raw = response.read()
        except (OSError, http.client.HTTPException):
            self.close()
            raise
        if response.status >= 400:
            raise Refused(response.status, raw.decode(errors="replace"))
        return json.loads(raw) if raw else None

    def close(self) -> None:
        """Close the connection; the next call opens one."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    # --- what every part needs -------------------------------------------------------

    def search(self, query: str, **more: Any) -> dict[str, Any]:
        """Return the answer to a question."""
        answer: dict[str, Any] = self.call(
            "POST", "/api/memory/search", {"query": query, **more}
        )
        return answer

    def write(self, content: str, **more: Any) -> dict[str, Any]:
        """Write one record to the agents' notes and return it."""
        record: dict[str, Any] = self.call(
            "POST",
            "/api/memory/records",
            {"scope": "agent_notes", "content": content, **more},
        )
        return record

    def write_all(
        self, records: list[dict[str, Any]], *, at_once: int = 200
    ) -> list[str]:
        """Write many records in bulk; return their ids in order.

        Raises Refused when one of them is not taken.
        """
        ids: list[str] = []
        for start in range(0, len(records), at_once):
            body = {"records": records[start : start + at_once]}
            for result in self.call("POST", "/api/memory/records/bulk", body)[
                "results"
            ]:
                if "error" in result:
                    raise Refused(400, json.dumps(result["error"]))
                ids.append(result["id"])
        return ids

    def wait_indexed(self, *, timeout_s: float = 1800) -> float:
        """Return how many seconds it took until no record waited for its vectors."""
        start = time.perf_counter()
        while self.call("GET", "/api/memory/stats")["index"]["pending"]:
            waited = time.perf_counter() - start
            if waited > timeout_s:
                raise TimeoutError(f"records are still pending after {waited:.0f} s")
            time.sleep(0.25)
        return time.perf_counter() - start
