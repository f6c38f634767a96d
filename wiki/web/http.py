"""What the wiki's pages share: who may look, and refusals shown as pages or as JSON."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.cache import never_cache

from accounts.actors import Actor
from accounts.authentication import actor_from_headers
from accounts.http import BrowserRequest, set_actor
from goclaw.lib.config import wiki_config
from goclaw.lib.drf import error_body
from goclaw.lib.errors import (
    BadInput,
    Forbidden,
    GoClawError,
    NotFound,
    Unauthenticated,
)
from memory.access import readable_space_ids
from memory.models import Space
from memory.scopes import Scope
from memory.web.http import signed_out
from wiki import access, slugs

P = ParamSpec("P")
View = Callable[Concatenate[BrowserRequest, P], HttpResponseBase]


def member(view: View[P]) -> View[P]:
    """Make a view a page for signed-in people that no cache keeps.

    Whoever sends a form while signed out gets its text back instead of losing it.
    """
    return _guarded(view, visitors=False)


def reader(view: View[P]) -> View[P]:
    """Make a view a page for readers: by a setting also those who are not signed in."""
    return _guarded(view, visitors=True)


def program(view: View[P]) -> View[P]:
    """Make a view a text for readers that may also be asked for with an API key."""
    page = reader(view)

    @wraps(view)
    def identified(
        request: BrowserRequest, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponseBase:
        try:
            found = actor_from_headers(request.headers)
        except GoClawError as error:
            return json_error(error)
        if found is None:
            return page(request, *args, **kwargs)
        set_actor(request, found[1])
        try:
            return view(request, *args, **kwargs)
        except GoClawError as error:
            return json_error(error)

    return identified


def wants_json(request: HttpRequest) -> bool:
    """Say whether a script of ours asks, and not the browser itself."""
    return "application/json" in request.headers.get("Accept", "")


def json_error(error: GoClawError) -> JsonResponse:
    """Return a refusal for a script."""
    return JsonResponse(error_body(error), status=error.status)


def may_create(actor: Actor, slug: str) -> bool:
    """Say whether to offer a new page at a slug at which the actor sees none.

    Inside of what the actor cannot read the answer is that of the whole wiki: it tells
    nothing about what is there.
    """
    try:
        space = access.space_of(slugs.parse(slug))
    except BadInput:
        return False
    if space.pk not in readable_space_ids(actor):
        space = Space.objects.get(kind=Scope.WIKI, path="")
    return bool(access.can_edit(actor, space))


def _guarded(view: View[P], *, visitors: bool) -> View[P]:
    @never_cache
    @wraps(view)
    def guarded(
        request: BrowserRequest, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponseBase:
        is_open = visitors and wiki_config().anonymous_reading
        if not (request.user.is_authenticated or is_open):
            return _signed_out(request)
        try:
            response: HttpResponseBase = view(request, *args, **kwargs)
        except GoClawError as error:
            response = _refusal(request, error, str(kwargs.get("slug", "")))
        patch_vary_headers(response, ["Accept"])
        return response

    return guarded


def _signed_out(request: BrowserRequest) -> HttpResponse:
    if wants_json(request):
        return json_error(
            Unauthenticated("You are signed out.", remedy="Sign in and try again.")
        )
    return signed_out(request)


def _refusal(request: BrowserRequest, error: GoClawError, slug: str) -> HttpResponse:
    if wants_json(request):
        return json_error(error)
    context: dict[str, Any] = {"error": error}
    if isinstance(error, NotFound):
        if error.field == "slug":
            context |= {"slug": slug, "may_create": may_create(request.actor, slug)}
        return render(request, "wiki/missing.html", context, status=404)
    if isinstance(error, Forbidden) and not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    return render(request, "memory/refused.html", context, status=error.status)
