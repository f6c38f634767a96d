"""Requests with the time that the server itself took, by key or as a signed-in person.

Answers come as a browser gets them: compressed where the server compresses.
"""

import gzip
import http.client
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

from bench.client import Refused
from bench.servers import Server

_FORM_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
_DURATION = re.compile(r"app;dur=([0-9.]+)")


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back; `size` is what went over the wire, in bytes."""

    text: str
    size: int
    server_s: float
    """By the `Server-Timing` header; 0 for files that no view answers."""

    @property
    def json(self) -> Any:
        """Return the body of an API's answer."""
        return json.loads(self.text)


class Visitor:
    """One connection to a server, for one thread."""

    def __init__(self, server: Server, headers: Mapping[str, str]) -> None:
        address = urlsplit(server.url).netloc
        self._connection = http.client.HTTPConnection(address, timeout=60)
        self._headers = {"Accept-Encoding": "gzip", **headers}
        self._cookies: dict[str, str] = {}

    def get(self, path: str) -> Answer:
        """Return the answer; raises Refused for a status of 400 and above."""
        return self._ask("GET", path, None, {})

    def post_json(self, path: str, body: Any) -> Answer:
        """Send JSON, as a program does."""
        headers = {"Content-Type": "application/json"}
        return self._ask("POST", path, json.dumps(body).encode(), headers)

    def post_form(self, path: str, token: str, **fields: str) -> Answer:
        """Send a form with its token, as a browser does."""
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        body = urlencode({"csrfmiddlewaretoken": token, **fields}).encode()
        return self._ask("POST", path, body, headers)

    def _ask(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> Answer:
        cookie = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        sent = {**self._headers, **headers, **({"Cookie": cookie} if cookie else {})}
        response, raw = self._send(method, path, body, sent)
        for line in response.headers.get_all("Set-Cookie") or ():
            name, _, value = line.partition(";")[0].partition("=")
            self._cookies[name] = value
        is_packed = response.headers.get("Content-Encoding") == "gzip"
        text = (gzip.decompress(raw) if is_packed else raw).decode(errors="replace")
        if response.status >= 400:
            raise Refused(response.status, text)
        took = _DURATION.search(response.headers.get("Server-Timing", ""))
        return Answer(text, len(raw), float(took[1]) / 1000 if took else 0.0)

    def _send(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> tuple[http.client.HTTPResponse, bytes]:
        """Send once more what met a connection that the server had closed, idle."""
        try:
            self._connection.request(method, path, body, dict(headers))
            response = self._connection.getresponse()
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
            self._connection.close()
            self._connection.request(method, path, body, dict(headers))
            response = self._connection.getresponse()
        return response, response.read()


def by_key(server: Server) -> Visitor:
    """Return a program with the administrator's key."""
    return Visitor(server, {"Authorization": f"Bearer {server.key}"})


def signed_in(server: Server, username: str) -> Visitor:
    """Return the browser of a person who came by a one-time link."""
    link = server.run_beside("manage.py", "signin_link", username).strip()
    path = urlsplit(link).path
    person = Visitor(server, {"Accept": "text/html"})
    form = _FORM_TOKEN.search(person.get(path).text)
    if form is None:
        raise RuntimeError("the page of the sign-in link has no form")
    person.post_form(path, form[1])
    return person
