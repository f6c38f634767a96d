"""Forms of the review: what the queue is narrowed to, and what was decided about."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.http import urlencode

from memory.models import ReviewItem, ReviewKind
from wiki.review.outcomes import MAX_REASON, Seen
from wiki.review.queue import ANY, DECIDED, NONE, RISKS, Filters
from wiki.web.review_presenting import KIND_LABELS, RISK_LABELS

AGES = ((1, "older than a day"), (7, "older than a week"), (30, "older than a month"))


class QueueFilter(forms.Form):
    """What the queue is narrowed to, in its address; nonsense narrows nothing.

    `address` is that part of the address, which goes along from item to item.
    """

    kind = forms.ChoiceField(
        required=False,
        choices=[("", "any kind"), *((k.value, KIND_LABELS[k]) for k in ReviewKind)],
    )
    risk = forms.ChoiceField(
        required=False,
        choices=[
            ("", "any risk or none"),
            (NONE, "without risks"),
            (ANY, "with risks"),
            *((name, RISK_LABELS[name]) for name in RISKS),
        ],
    )
    domain = forms.CharField(required=False, max_length=64)
    run = forms.CharField(required=False, max_length=64)
    agent = forms.CharField(required=False, max_length=64)
    age = forms.ChoiceField(
        required=False, choices=[("", "any age"), *((str(n), text) for n, text in AGES)]
    )
    state = forms.ChoiceField(
        required=False, choices=[("", "waiting"), (DECIDED, "decided")]
    )

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.is_valid()
        asked = {name: str(data.get(name, "")) for name in self.fields}
        self.address = urlencode({name: text for name, text in asked.items() if text})

    def filters(self) -> Filters:
        """Return what was asked for."""
        asked = dict(self.cleaned_data)
        age = int(asked.pop("age", "") or 0)
        given = {name: value for name, value in asked.items() if value}
        return Filters(older_than_days=age, **given)

    @property
    def is_narrowing(self) -> bool:
        """Say whether an empty list may be the filter's doing."""
        return any(
            value for name, value in self.cleaned_data.items() if name != "state"
        )


class SeenForm(forms.Form):
    """What the reviewer had before them."""

    content_hash = forms.CharField(max_length=64)
    base_revision = forms.IntegerField(required=False, min_value=0)

    def seen(self) -> Seen:
        """Return it for the service."""
        return Seen(
            content_hash=self.cleaned_data["content_hash"],
            base_revision=self.cleaned_data["base_revision"] or 0,
        )


class RejectForm(SeenForm):
    """Why something is refused: picked, typed, or both."""

    picked = forms.CharField(required=False, max_length=200)
    reason = forms.CharField(required=False, max_length=MAX_REASON - 201)

    def whole_reason(self) -> str:
        """Return both parts in one line."""
        parts = (self.cleaned_data["picked"], self.cleaned_data["reason"])
        return " ".join(part.strip() for part in parts if part.strip())


class EditForm(SeenForm):
    """A draft as the reviewer wants it."""

    body = forms.CharField(
        label="Text",
        strip=False,
        widget=forms.Textarea(attrs={"rows": 24, "spellcheck": "true"}),
    )

    @staticmethod
    def sent(item: ReviewItem, body: str) -> dict[str, Any]:
        """Return the fields of a text for a draft as it is now."""
        return {
            "body": body,
            "content_hash": item.content_hash,
            "base_revision": item.draft.base_number,
        }
