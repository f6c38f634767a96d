"""Who is let in at `/mcp`: by Host and Origin, by key and headers, by the throttle."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host
from django.utils.datastructures import CaseInsensitiveMapping

from accounts.actors import Actor
from accounts.authentication import actor_from_headers
from accounts.throttling import seconds_left, within_limits
from goclaw.lib.errors import Forbidden, GoClawError, Unauthenticated


class Headers(CaseInsensitiveMapping[str]):
    """An ASGI request's headers by name, decoded as WSGI decodes them."""

    def __init__(self, raw: Iterable[tuple[bytes, bytes]]) -> None:
        found: dict[str, str] = {}
        for name, value in raw:
            key, text = name.decode("latin-1"), value.decode("latin-1")
            found[key] = f"{found[key]},{text}" if key in found else text
        super().__init__(found)


class ForeignHost(GoClawError):
    """The request was meant for another server, or a web page was tricked into it."""

    default_code = "host_not_allowed"
    status = 421


class Throttled(GoClawError):
    """Too many requests in this minute."""

    default_code = "throttled"
    status = 429


def check_origin(headers: Headers) -> None:
    """Refuse names that are not ours, and pages of other places in a browser.

    Raises `ForeignHost` and `Forbidden`.
    """
    host = headers.get("Host", "").lower()
    domain, _ = split_domain_port(host)
    if not domain or not validate_host(domain, settings.ALLOWED_HOSTS):
        raise ForeignHost(
            f"This server is not called {host or 'nothing'!r}.",
            field="Host",
            remedy="Use another address, or add the name to GOCLAW_ALLOWED_HOSTS.",
        )
    origin = headers.get("Origin")
    if origin is None or origin in settings.CSRF_TRUSTED_ORIGINS:
        return
    if urlsplit(origin).netloc.lower() != host:
        raise Forbidden(
            "This is no page of ours.",
            code="origin_not_allowed",
            field="Origin",
            remedy="Add the origin to GOCLAW_CSRF_TRUSTED_ORIGINS.",
        )


def admit(headers: Headers) -> Actor:
    """Return the actor of a request's key and headers.

    Raises what the API answers: Unauthenticated, Forbidden, BadInput, Throttled.
    """
    found = actor_from_headers(headers)
    if found is None:
        raise Unauthenticated(
            "There is no API key.", remedy="Send Authorization: Bearer gck_…"
        )
    key, actor = found
    if not within_limits(key, actor):
        wait = seconds_left()
        raise Throttled(
            "Request was throttled.",
            remedy=f"Try again in {wait} seconds.",
            retry_after=wait,
        )
    return actor
