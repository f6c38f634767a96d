"""Forms of an agent's files and of the prompt's memory."""

from typing import Any

from django import forms
from django.http import QueryDict

from accounts.kinds import RunKind
from accounts.models import User
from memory.context import ContextQuery
from memory.models import Agent
from memory.web.forms import as_typed

SITUATIONS = [
    ("direct", "a direct conversation"),
    ("shared", "a shared conversation"),
    (RunKind.CRON.value, "an autonomous run"),
]


class MemoryFileForm(forms.Form):
    """The text of a `Memory.md`, and the version that its author saw."""

    text = forms.CharField(
        label="Memory.md",
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 24, "spellcheck": "true"}),
        help_text="Markdown. It goes into every prompt of this agent.",
    )
    version = forms.CharField(required=False, widget=forms.HiddenInput)

    def clean_text(self) -> str:
        """Return the text with the line ends it was typed with: forms send CRLF."""
        return str(as_typed(self.cleaned_data["text"]))


class ContextForm(forms.Form):
    """For whom, and for which turn, the memory is shown."""

    message = forms.CharField(
        required=False,
        strip=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="What the person would say.",
    )
    agent = forms.ChoiceField()
    situation = forms.ChoiceField(choices=SITUATIONS)
    session = forms.UUIDField(
        label="Conversation", required=False, help_text="The id of a session."
    )
    budget = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=10_000_000,
        help_text="Characters; empty: as set up, 0: none.",
    )
    model = forms.CharField(required=False, max_length=200)

    def __init__(self, data: QueryDict | None, *, for_others: bool) -> None:
        super().__init__(data)
        agents = Agent.objects.order_by("-default", "slug")
        self.fields["agent"] = forms.ChoiceField(
            choices=[(agent.slug, str(agent)) for agent in agents]
        )
        if for_others:
            self.fields["person"] = forms.CharField(
                required=False,
                max_length=150,
                help_text="A user name. Of others you see personal sections as counts.",
            )

    def clean_person(self) -> User | None:
        """Return the person of the user name, None for oneself."""
        name = self.cleaned_data["person"].strip()
        if not name:
            return None
        person = User.objects.filter(username=name, is_active=True).first()
        if person is None:
            raise forms.ValidationError("There is nobody of this name.")
        return person

    def query(self) -> ContextQuery:
        """Return what to assemble; call it on a valid form only."""
        typed: dict[str, Any] = self.cleaned_data
        return ContextQuery(
            message=as_typed(typed["message"]),
            agent=typed["agent"],
            session=typed["session"],
            model=typed["model"],
            budget_chars=typed["budget"],
            noted=False,
        )
