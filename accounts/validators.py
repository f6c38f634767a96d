"""Checks of single values, shared by models and forms."""

import zoneinfo
from functools import lru_cache
from typing import Any

from django.core.exceptions import ValidationError

from accounts.kinds import KEY_RUNS


@lru_cache(maxsize=1)
def timezone_names() -> tuple[str, ...]:
    """Return all IANA time zone names that this machine knows, sorted."""
    return tuple(sorted(zoneinfo.available_timezones()))


def validate_timezone(value: str) -> None:
    """Refuse what is not the name of an IANA time zone."""
    if value not in timezone_names():
        raise ValidationError(
            "%(value)s is not an IANA time zone name, such as Europe/Berlin.",
            code="unknown_timezone",
            params={"value": value},
        )


def validate_run_kinds(value: Any) -> None:
    """Refuse anything but a list of distinct run kinds that a key can be allowed."""
    if not isinstance(value, list) or not value:
        raise ValidationError("Allow at least one run kind.", code="no_run_kind")
    if any(kind not in KEY_RUNS for kind in value) or len(set(value)) != len(value):
        raise ValidationError(
            "Run kinds of a key are %(kinds)s, each at most once.",
            code="unknown_run_kind",
            params={"kinds": ", ".join(KEY_RUNS)},
        )
