"""Forms of the browser pages."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError
from django.utils import timezone

from accounts import attempts, audit
from accounts.http import client_ip
from accounts.key_rules import KeyRights
from accounts.kinds import RunKind
from accounts.models import User
from accounts.validators import timezone_names

if TYPE_CHECKING:
    _ModelForm = forms.ModelForm[User]
else:  # generic for the type checker only
    _ModelForm = forms.ModelForm


class SignInForm(AuthenticationForm):
    """User name and password, with a limit on guessing and an audit of the outcome."""

    def clean(self) -> dict[str, Any]:
        """Count the attempt before the password is looked at."""
        username = self.cleaned_data.get("username", "")
        if not username or self.request is None:
            return super().clean()
        attempt = attempts.begin(username, self.request)
        ip = client_ip(self.request)
        try:
            cleaned = super().clean()
        except ValidationError:
            # What was typed may be a password in the wrong field: note names we know.
            person = User.objects.filter(username=username).first()
            audit.record(
                "sign_in.failed", target=person.username if person else "", ip=ip
            )
            raise
        attempts.succeeded(attempt)
        audit.record("sign_in", user=self.get_user(), ip=ip)
        return cleaned


class AdminSignInForm(SignInForm, AdminAuthenticationForm):
    """The same for the Django admin's own sign-in page."""


class ProfileForm(_ModelForm):
    """What people change about themselves."""

    timezone = forms.ChoiceField(
        label="Time zone", choices=lambda: [(name, name) for name in timezone_names()]
    )

    class Meta:
        model = User
        fields = ["first_name", "last_name", "email", "timezone"]


class KeyForm(forms.Form):
    """A new API key; only administrators get the options beyond chat."""

    label = forms.CharField(
        max_length=100, help_text="What uses this key, such as “gateway on the NAS”."
    )
    expires_in = forms.TypedChoiceField(
        coerce=int,
        choices=[("0", "Never"), (30, "30 days"), (90, "90 days"), (365, "1 year")],
        label="Expires",
    )
    runs = forms.MultipleChoiceField(
        choices=[
            (RunKind.CHAT.value, "chat: an agent's turn in a talk with a person"),
            (RunKind.SOP.value, "sop: an agent follows a standing procedure"),
            (RunKind.CRON.value, "cron: an agent works at set times"),
            (RunKind.WEBHOOK.value, "webhook: an agent reacts to outside events"),
        ],
        initial=[RunKind.CHAT.value],
        widget=forms.CheckboxSelectMultiple,
        label="Allowed run kinds",
        help_text=(
            "All but chat may write agent notes, which everyone reads, and none of "
            "them reads personal records."
        ),
    )
    may_act_for_others = forms.BooleanField(
        required=False,
        label="May act for other people",
        help_text=(
            "For a gateway that names the person in each request. The key can read "
            "what the people it names can read."
        ),
    )
    auto_provision = forms.BooleanField(
        required=False,
        label="Unknown identities become new people",
        help_text="They get no password. Needs “May act for other people”.",
    )
    may_write_db_cache = forms.BooleanField(
        required=False,
        label="May write schema notes of data sources",
        help_text="The scope db_cache, which everyone reads.",
    )

    def __init__(self, *args: Any, is_admin: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not is_admin:
            for name in set(self.fields) - {"label", "expires_in"}:
                del self.fields[name]

    def rights(self) -> KeyRights:
        """Return what was asked for."""
        data = self.cleaned_data
        days = data["expires_in"]
        return KeyRights(
            runs=data.get("runs", [RunKind.CHAT.value]),
            may_act_for_others=data.get("may_act_for_others", False),
            auto_provision=data.get("auto_provision", False),
            may_write_db_cache=data.get("may_write_db_cache", False),
            expires_at=timezone.now() + timedelta(days=days) if days else None,
        )
