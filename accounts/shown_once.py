"""A new secret on its way from the form that made it to the page that shows it, once.

The form redirects, so that reloading the page does not make a second key. Until it is
shown, which takes the blink of a redirect, the secret is kept with the session.
"""

from django.http import HttpRequest

from accounts.models import ApiKey

_WAITING = "new_secret"


def keep(request: HttpRequest, key: ApiKey, secret: str) -> None:
    """Keep a secret for the next page; one that waits already is dropped."""
    request.session[_WAITING] = [key.pk, secret]


def take(request: HttpRequest, key: ApiKey) -> str | None:
    """Return the secret of the key if it waits to be shown, and forget it."""
    pk, secret = request.session.get(_WAITING, (None, None))
    if pk != key.pk or request.method != "GET":
        return None
    del request.session[_WAITING]
    return str(secret)
