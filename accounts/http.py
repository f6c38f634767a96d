"""Requests as our views see them: with an actor."""

from ipaddress import IPv6Address, ip_address

from django.http import HttpRequest
from rest_framework.request import Request

from accounts.actors import Actor
from accounts.models import ApiKey, User


class BrowserRequest(HttpRequest):
    """A Django request after `ActorMiddleware`."""

    actor: Actor


class ApiRequest(Request):
    """A REST request after authentication; `auth` is the key it came with, if any."""

    actor: Actor
    user: User
    auth: ApiKey | None


def set_actor(request: HttpRequest | Request, actor: Actor) -> None:
    """Put the actor where views find it, on the Django request below a REST one too."""
    target = request._request if isinstance(request, Request) else request
    target.actor = actor  # type: ignore[attr-defined]


def actor_of(request: HttpRequest | Request) -> Actor:
    """Return the actor of a request whose type does not say that it has one."""
    actor: Actor = request.actor  # type: ignore[union-attr]
    return actor


def client_ip(request: HttpRequest | Request) -> str | None:
    """Return the caller's address as the web server knows it.

    Headers are not read here: the web server replaces the address by the one that a
    trusted proxy forwards, and nobody else's.
    """
    try:
        address = ip_address(request.META.get("REMOTE_ADDR", "").partition("%")[0])
    except ValueError:  # a local socket has none
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return str(address)
