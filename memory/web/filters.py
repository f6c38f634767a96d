"""What a list or a search is narrowed to, as it stands in the address."""

from datetime import date, datetime, time, timedelta

from django import forms
from django.http import QueryDict
from django.utils.timezone import make_aware

from memory.drafts import FORM_OF_NAMES
from memory.models.memories import MemoryQuerySet, MemoryTag
from memory.scopes import DOMAIN, SLUG, TAG
from memory.search.types import MAX_QUERY_CHARS, MAX_RESULTS, SearchQuery
from memory.web.forms import KINDS, TagsField
from memory.web.presenting import SCOPE_LABELS

PAGE_OF_HITS = 15


class DayInput(forms.DateInput):
    """A day, by the browser's own picker."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class ListFilter(forms.Form):
    """What a list is narrowed to, in its address; a malformed value finds nothing."""

    kind = forms.ChoiceField(required=False, choices=[("", "any kind"), *KINDS])
    domain = forms.CharField(required=False, max_length=64)
    tag = forms.CharField(required=False, max_length=64)
    agent = forms.CharField(required=False, max_length=64)
    history = forms.BooleanField(required=False, label="also superseded ones")

    def narrow(self, rows: MemoryQuerySet) -> MemoryQuerySet:
        """Return the rows that the form asks for; none if it asks for nonsense."""
        if not self.is_valid():
            return rows.none()
        wanted = self.cleaned_data
        if not wanted["history"]:
            rows = rows.current()
        if wanted["kind"]:
            rows = rows.filter(kind=wanted["kind"])
        if wanted["domain"]:
            rows = rows.filter(domain=wanted["domain"])
        if wanted["agent"]:
            rows = rows.filter(agent=wanted["agent"])
        if wanted["tag"]:
            tagged = MemoryTag.objects.filter(name=wanted["tag"])
            rows = rows.filter(pk__in=tagged.values("memory_id"))
        return rows

    @property
    def is_narrowing(self) -> bool:
        """Say whether an empty list may be the filter's doing."""
        return any(self.data.get(name) for name in ("kind", "domain", "tag", "agent"))


class SearchForm(forms.Form):
    """A question and its filters, all of it in the address."""

    q = forms.CharField(
        required=False,
        label="Search for",
        max_length=MAX_QUERY_CHARS,
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    scope = forms.MultipleChoiceField(
        required=False,
        choices=list(SCOPE_LABELS.items()),
        widget=forms.CheckboxSelectMultiple,
    )
    kind = forms.MultipleChoiceField(
        required=False, choices=KINDS, widget=forms.CheckboxSelectMultiple
    )
    domain = forms.RegexField(
        rf"^(?:{DOMAIN.pattern})\Z",
        required=False,
        error_messages={"invalid": FORM_OF_NAMES},
    )
    tag = TagsField(required=False, label="Tags")
    agent = forms.RegexField(rf"^(?:{SLUG.pattern})\Z", required=False)
    since = forms.DateField(required=False, widget=DayInput)
    until = forms.DateField(required=False, widget=DayInput)
    history = forms.BooleanField(required=False, label="Also superseded ones")
    n = forms.IntegerField(required=False, min_value=1, max_value=MAX_RESULTS)

    def clean_tag(self) -> list[str]:
        """Refuse what cannot be a tag, as every other door does."""
        tags: list[str] = self.cleaned_data["tag"]
        for name in tags:
            if not TAG.fullmatch(name):
                raise forms.ValidationError(f"Malformed tag {name!r}. {FORM_OF_NAMES}")
        return tags

    def clean_until(self) -> date | None:
        """Refuse a span of time that ends before it begins."""
        until: date | None = self.cleaned_data["until"]
        since = self.cleaned_data.get("since")
        if since and until and until < since:
            raise forms.ValidationError("It lies before “since”.")
        return until

    def query(self) -> SearchQuery:
        """Return what was asked for; days are whole days of the person's time zone."""
        wanted = self.cleaned_data
        until = wanted["until"]
        return SearchQuery(
            text=wanted["q"],
            max_results=wanted["n"] or PAGE_OF_HITS,
            scopes=tuple(wanted["scope"]),
            kinds=tuple(wanted["kind"]),
            domains=(wanted["domain"],) if wanted["domain"] else (),
            tags=tuple(wanted["tag"]),
            agent=wanted["agent"] or None,
            since=_midnight(wanted["since"]),
            until=_midnight(until + timedelta(days=1)) if until else None,
            include_history=wanted["history"],
        )

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.sent = data

    def active(self) -> list[tuple[str, str, str]]:
        """Return the filters in use as (parameter, its value, what it says)."""
        found = []
        for name in ("scope", "kind", "domain", "tag", "agent", "since", "until"):
            label = (self.fields[name].label or name).lower()
            found += [
                (name, value, f"{label} {value}")
                for value in self.sent.getlist(name)
                if value
            ]
        if history := self.sent.get("history"):
            found.append(("history", history, "also superseded"))
        return found


def _midnight(day: date | None) -> datetime | None:
    return make_aware(datetime.combine(day, time.min)) if day else None
