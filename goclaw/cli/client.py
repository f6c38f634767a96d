"""The HTTP API as commands use it: where it is, with which key, and what went wrong."""

import contextlib
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from goclaw.cli.failures import CommandFailed, Exit, refused
from goclaw.lib.env import BadSetting, env_secret, env_str
from goclaw.lib.server import server_config

if TYPE_CHECKING:
    from httpx2 import Client, Response

LOCAL_KEY = Path("credentials", "local-admin.key")
TIMEOUT_S = 60.0
POLL_S = 0.3
_LOOPBACK = {"127.0.0.1", "localhost", "::1"}
_DONE = {"done", "failed", "dead", "cancelled"}


@dataclass(frozen=True, slots=True)
class Server:
    """Where the server is, and the key to call it with."""

    url: str
    key: str


def server() -> Server:
    """Return what the environment says: GOCLAW_URL and GOCLAW_API_KEY.

    Without them it is the server of this machine with the key in its state directory.
    That key is never sent to another machine.
    """
    try:
        config = server_config()
        url, key = env_str("url").rstrip("/") or config.url, env_secret("api.key")
    except BadSetting as error:
        raise CommandFailed(str(error), exit_code=Exit.BAD_INPUT) from None
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise CommandFailed(
            f"GOCLAW_URL is no address: {url!r}.",
            exit_code=Exit.BAD_INPUT,
            remedy="It looks like http://127.0.0.1:8000.",
        )
    if key:
        return Server(url, key)
    if parts.hostname not in _LOOPBACK | {config.host}:
        raise CommandFailed(
            f"There is no key for {parts.hostname}.",
            exit_code=Exit.NOT_ALLOWED,
            remedy="Set GOCLAW_API_KEY; this machine's own key stays on it.",
        )
    return Server(url, _local_key(config.state_dir))


def _local_key(state_dir: Path) -> str:
    path = state_dir / LOCAL_KEY
    try:
        return path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        remedy = "Start the server once (`make run`), or set GOCLAW_API_KEY."
    except PermissionError:
        remedy = "Run the command as the server's user, or set GOCLAW_API_KEY."
    raise CommandFailed(
        f"There is no key in {path}.", exit_code=Exit.NOT_ALLOWED, remedy=remedy
    )


class Api:
    """Calls to the server; whatever it refuses becomes a CommandFailed."""

    def __init__(self) -> None:
        self._server = server()
        self._client: Client | None = None

    @property
    def url(self) -> str:
        """Return where it calls."""
        return self._server.url

    def get(self, path: str, /, **params: Any) -> Any:
        """Return the JSON of a GET; parameters that are None or empty are left out."""
        return self._json("GET", path, params=_given(params))

    def post(self, path: str, body: Any = None, /, **params: Any) -> Any:
        """Return the JSON of a POST."""
        return self._json("POST", path, json=body or {}, params=_given(params))

    def patch(self, path: str, body: Any) -> Any:
        """Return the JSON of a PATCH."""
        return self._json("PATCH", path, json=body)

    def delete(self, path: str, /, **params: Any) -> None:
        """Send a DELETE."""
        self._json("DELETE", path, params=_given(params))

    def pages(self, path: str, /, *, limit: int, **params: Any) -> list[dict[str, Any]]:
        """Return up to `limit` rows of a list, following its pages."""
        page = self.get(path, page_size=min(limit, 200), **params)
        rows: list[dict[str, Any]] = page["results"]
        while page["next"] and len(rows) < limit:
            page = self.get(f"{path}?{urlsplit(page['next']).query}")
            rows += page["results"]
        return rows[:limit]

    def send_lines(
        self, path: str, lines: Iterable[bytes], *, size: int, **params: Any
    ) -> Any:
        """Return the answer to lines of JSON of `size` bytes, sent as they are read."""
        return self._json(
            "POST",
            path,
            content=lines,
            params=_given(params),
            headers={
                "Content-Type": "application/x-ndjson",
                "Content-Length": str(size),
            },
            timeout=None,
        )

    def send_file(self, path: str, file: Path, **params: Any) -> Any:
        """Return the answer to an upload."""
        with file.open("rb") as content:
            return self._json(
                "POST",
                path,
                files={"file": (file.name, content)},
                params=_given(params),
                timeout=None,
            )

    def download(self, path: str, **params: Any) -> Iterator[bytes]:
        """Yield the bytes of an answer as they come."""
        with (
            self._reaching() as client,
            client.stream(
                "GET", f"/api{path}", params=_given(params), timeout=None
            ) as response,
        ):
            if response.is_error:
                response.read()
            _check(response)
            yield from response.iter_bytes()

    def wait_for_job(
        self, uid: str, seen: Callable[[dict[str, Any]], None]
    ) -> dict[str, Any]:
        """Return the job once it has ended; `seen` gets it after every look."""
        while True:
            job: dict[str, Any] = self.get(f"/jobs/{uid}")
            seen(job)
            if job["state"] in _DONE:
                return job
            time.sleep(POLL_S)

    def probe(self, path: str) -> tuple[int, Any]:
        """Return status and JSON of an address outside the API, errors included."""
        with self._reaching() as client:
            response = client.get(path)
        return response.status_code, _body(response)

    def _json(self, method: str, path: str, **request: Any) -> Any:
        with self._reaching() as client:
            response = client.request(method, f"/api{path}", **request)
        _check(response)
        return _body(response)

    @contextlib.contextmanager
    def _reaching(self) -> Iterator["Client"]:
        """Give the client, and say plainly when there is nobody to talk to."""
        import httpx2

        if self._client is None:
            self._client = httpx2.Client(
                base_url=self._server.url,
                headers={"Authorization": f"Bearer {self._server.key}"},
                timeout=TIMEOUT_S,
                trust_env=not _is_local(self._server.url),
            )
        try:
            yield self._client
        except httpx2.TimeoutException:
            raise CommandFailed(
                f"The server at {self.url} did not answer in time.",
                exit_code=Exit.NO_SERVER,
                remedy="`goclaw status` says how it is.",
            ) from None
        except httpx2.TransportError as error:
            raise CommandFailed(
                f"Cannot reach the server at {self.url}: {error}.",
                exit_code=Exit.NO_SERVER,
                remedy="Start it (`make run`), or set GOCLAW_URL to where it is.",
                code="no_server",
            ) from None


def _is_local(url: str) -> bool:
    """Say whether no proxy can stand between us and the server."""
    return urlsplit(url).hostname in _LOOPBACK


def _given(params: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name.rstrip("_"): str(value).lower() if isinstance(value, bool) else value
        for name, value in params.items()
        if value not in (None, "", [], ())
    }


def _check(response: "Response") -> None:
    if response.is_error:
        body = _body(response)
        error = body.get("error") if isinstance(body, dict) else None
        raise refused(response.status_code, error or {})
    if response.is_redirect:
        raise CommandFailed(
            f"The server sends us on to {response.headers.get('Location')}.",
            exit_code=Exit.NO_SERVER,
            remedy="Set GOCLAW_URL to the address of GoClaw Memory itself.",
        )


def _body(response: "Response") -> Any:
    if not response.content:
        return None
    try:
        return json.loads(response.content)
    except ValueError:
        if response.is_error:
            return None
        raise CommandFailed(
            "What answers there is not GoClaw Memory.",
            exit_code=Exit.NO_SERVER,
            remedy=f"Check GOCLAW_URL ({os.environ.get('GOCLAW_URL', 'not set')}).",
        ) from None
