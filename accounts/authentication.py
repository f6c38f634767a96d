"""Who calls the REST API: a key, or a browser session; both give the same actor."""

from collections.abc import Mapping

from django.contrib.auth.base_user import AbstractBaseUser
from django.utils.functional import SimpleLazyObject
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.request import Request

from accounts import keys
from accounts.actors import Actor, actor_for_key, actor_for_user
from accounts.http import set_actor
from accounts.models import ApiKey, User
from goclaw.lib.errors import BadInput


def actor_from_headers(headers: Mapping[str, str]) -> tuple[ApiKey, Actor] | None:
    """Return the key and the actor of a request's headers, None without a bearer key.

    `headers` finds names in any case, its values are decoded as Latin-1, as WSGI and
    ASGI servers give them. Raises `Unauthenticated`, `BadInput`, `Forbidden`.
    """
    scheme, _, secret = headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return None
    key = keys.verify(secret.strip())
    actor = actor_for_key(
        key,
        run=_text(headers, "X-GoClaw-Run"),
        conversation=_text(headers, "X-GoClaw-Conversation"),
        user_name=_text(headers, "X-GoClaw-User"),
        identity=_text(headers, "X-GoClaw-Identity"),
    )
    return key, actor


class ApiKeyAuthentication(BaseAuthentication):
    """`Authorization: Bearer gck_…` with the `X-GoClaw-…` headers."""

    def authenticate(self, request: Request) -> tuple[AbstractBaseUser, ApiKey] | None:
        """Set `request.actor`; return the person it acts for, and the key."""
        found = actor_from_headers(request.headers)
        if found is None:
            return None
        key, actor = found
        set_actor(request, actor)
        return _person(key, actor), key

    def authenticate_header(self, request: Request) -> str:
        """Return what a 401 answer says in `WWW-Authenticate`."""
        return "Bearer"


class BrowserSessionAuthentication(SessionAuthentication):
    """The browser's session, with CSRF protection."""

    def authenticate(self, request: Request) -> tuple[AbstractBaseUser, None] | None:
        """Set `request.actor`; return the person who is signed in."""
        found = super().authenticate(request)
        if found is None:
            return None
        user: User = found[0]
        set_actor(request, actor_for_user(user))
        return user, None


def _person(key: ApiKey, actor: Actor) -> User:
    """Return the person acted for; another one than the owner is fetched when used."""
    user_id = actor.user_id
    if user_id is None or user_id == key.owner_id:
        return key.owner
    return SimpleLazyObject(lambda: User.objects.get(pk=user_id))  # type: ignore[return-value]


def _text(headers: Mapping[str, str], name: str) -> str | None:
    """Return a header's text, None when it is not sent."""
    value = headers.get(name)
    try:
        return value and value.encode("latin-1").decode("utf-8")
    except UnicodeError:
        raise BadInput(f"{name} must be UTF-8 text.", field=name) from None
