"""Give every request its actor, and its person's time zone."""

from collections.abc import Callable
from functools import partial
from typing import cast

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from accounts.actors import Actor, actor_for_user, anonymous_actor
from accounts.http import set_actor
from accounts.models import User


class ActorMiddleware:
    """Set `request.actor` from the browser session, without a query until it is used.

    Requests without a session cookie cost nothing. REST views replace the actor by the
    one their authentication finds.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        lazy = SimpleLazyObject(partial(_session_actor, request))
        set_actor(request, cast(Actor, lazy))
        user = _session_user(request)
        with timezone.override(user.timezone if user else None):
            return self.get_response(request)


def _session_user(request: HttpRequest) -> User | None:
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return None
    user: User | AnonymousUser = request.user
    return user if isinstance(user, User) else None


def _session_actor(request: HttpRequest) -> Actor:
    # Asked anew: the view may have signed the person in or out.
    user = request.user
    return actor_for_user(user) if user.is_authenticated else anonymous_actor()
