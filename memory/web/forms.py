"""Forms: they clean what a person typed to the types the services take."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django import forms
from django.http import QueryDict

from memory.drafts import MAX_TITLE
from memory.models import Memory
from memory.scopes import Kind

KINDS = [(kind.value, kind.label) for kind in Kind]


class TagsField(forms.CharField):
    """Tags in one line, separated by commas or spaces, cleaned to a list."""

    def clean(self, value: Any) -> list[str]:
        """Return the names in order, each once; the service judges their form."""
        names = re.split(r"[\s,]+", super().clean(value))
        return [name for name in dict.fromkeys(names) if name]

    def prepare_value(self, value: Any) -> Any:
        """Show a list as a line."""
        return ", ".join(value) if isinstance(value, list) else value


class MomentField(forms.DateTimeField):
    """A date and time in the person's time zone."""

    widget = forms.DateTimeInput(
        format="%Y-%m-%dT%H:%M:%S", attrs={"type": "datetime-local", "step": "1"}
    )


class RecordFields(forms.Form):
    """What a person may say about a record, new or old."""

    content = forms.CharField(
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text="Plain text. One memory says one thing: it is found better.",
    )
    title = forms.CharField(required=False, max_length=MAX_TITLE)
    kind = forms.ChoiceField(
        choices=KINDS,
        initial=Kind.NOTE,
        help_text="Sets how fast it fades: a skill slowly, a note in weeks.",
    )
    domain = forms.CharField(
        required=False, max_length=64, help_text="What it is about, such as databases."
    )
    tags = TagsField(required=False, help_text="Separated by commas.")
    importance = forms.IntegerField(
        min_value=1, max_value=10, initial=5, help_text="1 to 10; 5 is ordinary."
    )
    observed_at = MomentField(
        label="True since",
        required=False,
        help_text="When it was true or said. Left empty: now.",
    )
    expires_at = MomentField(
        label="Expires",
        required=False,
        help_text="From then on nobody finds it any more.",
    )

    def clean_content(self) -> str:
        """Return the text with the line ends it was typed with: forms send CRLF."""
        return str(as_typed(self.cleaned_data["content"]))


class NewRecord(RecordFields):
    """A record that is to be written."""

    field_order = ("content", "scope")

    def __init__(
        self, data: QueryDict | None, *, scopes: Sequence[tuple[str, str]]
    ) -> None:
        super().__init__(data)
        self.fields["scope"] = forms.ChoiceField(
            label="Who may read it", choices=list(scopes)
        )


class EditRecord(RecordFields):
    """A change of a record; `version` is the one its author saw."""

    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, data: QueryDict | None, *, memory: Memory) -> None:
        initial = {name: getattr(memory, name) for name in self.base_fields}
        initial["tags"] = memory.tag_names()
        super().__init__(data, initial=initial)

    def changes(self) -> dict[str, Any]:
        """Return the fields that differ from the record, by what a person can see.

        A form knows neither the record's own line ends nor fractions of a second: what
        is equal without them stays as it is.
        """
        typed = dict(self.cleaned_data)
        typed.pop("version")
        if typed["observed_at"] is None:
            typed.pop("observed_at")
        return {
            name: value
            for name, value in typed.items()
            if value != as_typed(self.initial[name])
        }


def as_typed(value: Any) -> Any:
    """Return a value as a form sends it back, apart from CRLF."""
    if isinstance(value, str):
        return value.replace("\r\n", "\n").replace("\r", "\n")
    if isinstance(value, datetime):
        return value.replace(microsecond=0)
    return value
