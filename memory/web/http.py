"""What every page shares: sign-in, and refusals shown as pages."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from accounts.http import BrowserRequest
from goclaw.lib.errors import GoClawError, NotFound

P = ParamSpec("P")
View = Callable[Concatenate[BrowserRequest, P], HttpResponse]


TEXTS = ("content", "text", "body")
"""The fields of our forms in which people write at length."""


def page(view: View[P]) -> View[P]:
    """Make a view a page for signed-in people that no cache keeps.

    A `NotFound` becomes the 404 page, any other refusal a page that says why.
    """

    @never_cache
    @wraps(view)
    def guarded(
        request: BrowserRequest, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        if not request.user.is_authenticated:
            return signed_out(request)
        try:
            return view(request, *args, **kwargs)
        except NotFound as error:
            raise Http404(error.message) from error
        except GoClawError as error:
            return render(
                request, "memory/refused.html", {"error": error}, status=error.status
            )

    return guarded


def signed_out(request: HttpRequest) -> HttpResponse:
    """Lead to the sign-in; whoever sent a form gets its text back and loses nothing."""
    if request.method != "POST":
        return redirect_to_login(request.get_full_path())
    text = next(filter(None, map(request.POST.get, TEXTS)), "")
    return render(request, "memory/signed_out.html", {"text": text}, status=401)


def show_error(form: Form, error: GoClawError) -> None:
    """Put a refusal of a service at its field, or above the form."""
    field = error.field if error.field in form.fields else None
    form.add_error(field, " ".join(filter(None, (error.message, error.remedy))))
