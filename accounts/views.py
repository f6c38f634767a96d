"""Browser pages: sign in and out, profile, password."""

from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts import attempts, audit, signin_links
from accounts.forms import ProfileForm, SignInForm
from accounts.http import client_ip
from accounts.models import User

_BY_LINK = "signed_in_by_link"
_SHOWN_IDENTITIES = 100


class SignInView(LoginView):
    """Sign in; `next` leads to own paths only."""

    authentication_form = SignInForm

    def form_valid(self, form: Any) -> HttpResponse:
        """Sign in and remember the browser."""
        response = super().form_valid(form)
        attempts.remember_device(response, self.request, form.get_user().username)
        return response


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def once(request: HttpRequest, token: str) -> HttpResponse:
    """Sign in with a one-time link.

    Opening it only shows a button, so that a preview by a chat program or a mail
    scanner does not use the link up.
    """
    if request.method == "POST":
        person = signin_links.redeem(token, ip=client_ip(request))
        if person is not None:
            login(request, person, backend="django.contrib.auth.backends.ModelBackend")
            request.session[_BY_LINK] = True
            if person.has_usable_password():
                return redirect(settings.LOGIN_REDIRECT_URL)
            messages.info(request, "Welcome. Set a password for the next time.")
            return redirect("accounts:password")
    else:
        person = signin_links.holder(token)
    response = render(
        request,
        "accounts/once.html",
        {"person": person},
        status=200 if person else 410,
    )
    response["Referrer-Policy"] = "no-referrer"
    return response


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """Show and change what a person may change about themselves."""
    user = cast(User, request.user)
    form = ProfileForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "Saved.")
        return redirect("accounts:profile")
    context = {
        "form": form,
        "identities": user.identities.order_by("pk")[:_SHOWN_IDENTITIES],
        "roles": user.groups.order_by("name"),
    }
    return render(request, "accounts/profile.html", context)


@sensitive_post_parameters()
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def password(request: HttpRequest) -> HttpResponse:
    """Change the password; after a one-time link without the old one."""
    user = cast(User, request.user)
    needs_old = user.has_usable_password() and not request.session.get(_BY_LINK)
    form_class = PasswordChangeForm if needs_old else SetPasswordForm
    form = form_class(user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        form.save()
        request.session.pop(_BY_LINK, None)
        update_session_auth_hash(request, user)
        audit.record("password.change", user=user, ip=client_ip(request))
        messages.success(request, "Your password is changed.")
        return redirect("accounts:profile")
    return render(request, "accounts/password.html", {"form": form})
