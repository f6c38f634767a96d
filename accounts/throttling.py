"""Limit how many API requests a key, and a person, make in a minute."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from accounts.actors import Actor
from accounts.http import actor_of
from accounts.models import ApiKey
from goclaw.lib.counters import Counters

if TYPE_CHECKING:  # the views import the throttle classes
    from rest_framework.views import APIView

_WINDOW_S = 60

counters = Counters(settings.GOCLAW_STATE_DIR / "run" / "requests.sqlite")
"""Requests of this minute, by `key:…` and `user:…`; shared by all web processes."""


class ActorThrottle(BaseThrottle):
    """Count requests of whole minutes, per key and per person acted for.

    `GOCLAW_THROTTLE_PER_MINUTE` is the limit of each, 0 for none. A counter per minute
    costs the same at any limit, at the price that a burst across a minute's edge can
    reach twice the limit. The key of this machine's command line is never throttled.
    """

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Count the request and tell whether it is within the limits."""
        key = request.auth if isinstance(request.auth, ApiKey) else None
        return within_limits(key, actor_of(request))

    def wait(self) -> float:
        """Return the seconds until the next minute begins."""
        return _WINDOW_S - time.time() % _WINDOW_S


def within_limits(key: ApiKey | None, actor: Actor) -> bool:
    """Count a request, at whatever door, and tell whether it is within the limits."""
    limit: int = settings.GOCLAW_THROTTLE_PER_MINUTE
    if not limit or (key is not None and key.is_local_admin):
        return True
    counted = [f"user:{actor.user_id}"] if actor.user_id else []
    if key is not None:
        counted.append(f"key:{key.pk}")
    return max(map(_count, counted), default=0) <= limit


def seconds_left() -> int:
    """Return the whole seconds until requests are counted anew."""
    return int(_WINDOW_S - time.time() % _WINDOW_S) + 1


def _count(name: str) -> int:
    """Add one to this minute's counter and return it."""
    return counters.add(name, int(time.time()) // _WINDOW_S)
