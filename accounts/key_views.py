"""Browser pages of a person's API keys."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts import keys, shown_once
from accounts.forms import KeyForm
from accounts.http import BrowserRequest, client_ip
from accounts.models import ApiKey, User
from goclaw.lib.errors import GoClawError

_PER_PAGE = 50


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def key_list(request: BrowserRequest) -> HttpResponse:
    """List a person's keys and make new ones."""
    user = cast(User, request.user)
    form = KeyForm(request.POST or None, is_admin=request.actor.is_admin)
    if request.method == "POST" and form.is_valid():
        try:
            key, secret = keys.create(
                actor=request.actor,
                owner=user,
                label=form.cleaned_data["label"],
                rights=form.rights(),
                ip=client_ip(request),
            )
        except GoClawError as refusal:
            form.add_error(None, refusal.message)
        else:
            shown_once.keep(request, key, secret)
            return redirect("accounts:key-secret", key.pk)
    pages = Paginator(user.api_keys.all(), _PER_PAGE)
    page = pages.get_page(request.GET.get("page"))
    return render(request, "accounts/keys.html", {"form": form, "page": page})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def key_revoke(request: BrowserRequest, pk: int) -> HttpResponse:
    """Ask, and end a key for good."""
    key = _own_key(request, pk)
    if request.method == "POST":
        keys.revoke(actor=request.actor, key=key, ip=client_ip(request))
        messages.success(request, f"The key {key} is revoked.")
        return redirect("accounts:keys")
    return render(request, "accounts/key_revoke.html", {"key": key})


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def key_rotate(request: BrowserRequest, pk: int) -> HttpResponse:
    """Ask, and give a key a new secret."""
    key = _own_key(request, pk)
    if request.method == "POST":
        try:
            secret = keys.rotate(actor=request.actor, key=key, ip=client_ip(request))
        except GoClawError as refusal:
            messages.error(request, refusal.message)
            return redirect("accounts:keys")
        shown_once.keep(request, key, secret)
        return redirect("accounts:key-secret", key.pk)
    return render(request, "accounts/key_rotate.html", {"key": key})


@never_cache
@login_required
@require_safe
def key_secret(request: BrowserRequest, pk: int) -> HttpResponse:
    """Show the secret that a key has just been given, this once."""
    key = _own_key(request, pk)
    secret = shown_once.take(request, key)
    if secret is None:
        messages.info(
            request, "A secret is shown once. If it is lost, give the key a new one."
        )
        return redirect("accounts:keys")
    return render(request, "accounts/key_secret.html", {"key": key, "secret": secret})


def _own_key(request: HttpRequest, pk: int) -> ApiKey:
    return get_object_or_404(ApiKey, pk=pk, owner_id=request.user.pk)
