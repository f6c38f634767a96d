"""Addresses that commands print."""

from django.conf import settings
from django.urls import reverse

from accounts import signin_links
from accounts.models import User


def sign_in_address(user: User) -> str:
    """Make a one-time sign-in link for a person and return its full address."""
    path = reverse("accounts:once", args=[signin_links.create(user=user)])
    host = settings.GOCLAW_HOST
    if host in {"0.0.0.0", "::"}:  # noqa: S104  (compared, nothing listens)
        host = "localhost"
    if ":" in host:
        host = f"[{host}]"
    return f"http://{host}:{settings.GOCLAW_PORT}{path}"
