"""Requests as our views see them: with an actor."""

from django.http import HttpRequest
from rest_framework.request import Request

from accounts.actors import Actor
from accounts.models import ApiKey


class BrowserRequest(HttpRequest):
    """A Django request after `ActorMiddleware`."""

    actor: Actor


class ApiRequest(Request):
    """A REST request after authentication; `auth` is the key it came with, if any."""

    actor: Actor
    auth: ApiKey | None


def client_ip(request: HttpRequest | Request) -> str | None:
    """Return the caller's address as the web server knows it.

    Headers are not read here: the web server replaces the address by the one that a
    trusted proxy forwards, and nobody else's.
    """
    return request.META.get("REMOTE_ADDR") or None
