"""Forms of the Django admin pages."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils import timezone

from accounts.kinds import KEY_RUNS
from accounts.models import ApiKey

if TYPE_CHECKING:
    _ModelForm = forms.ModelForm[ApiKey]
else:  # generic for the type checker only
    _ModelForm = forms.ModelForm


class NewKeyForm(_ModelForm):
    """What a new key shall be able to do."""

    runs = forms.MultipleChoiceField(
        label="Allowed run kinds",
        choices=[(run.value, run.value) for run in KEY_RUNS],
        widget=forms.CheckboxSelectMultiple,
        initial=[KEY_RUNS[0].value],
    )

    class Meta:
        model = ApiKey
        fields = [
            "label",
            "owner",
            "runs",
            "may_act_for_others",
            "auto_provision",
            "may_write_db_cache",
            "expires_at",
        ]

    def clean_expires_at(self) -> Any:
        """Refuse an expiry that is over already."""
        expires_at = self.cleaned_data["expires_at"]
        if expires_at and expires_at <= timezone.now():
            raise forms.ValidationError("The expiry must be in the future.")
        return expires_at
