"""Forms: they clean what a person typed to the types the services take."""

from typing import Any

from django import forms

from memory.web.forms import TagsField
from wiki import slugs
from wiki.merging import OURS, THEIRS
from wiki.models import MAX_SUMMARY, MAX_TITLE
from wiki.models.attachments import MAX_DESCRIPTION

PLAIN = {"autocapitalize": "none", "autocomplete": "off", "spellcheck": "false"}


class PageForm(forms.Form):
    """What a page says; `base_revision` is the one its author had before them."""

    title = forms.CharField(
        max_length=MAX_TITLE, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    body = forms.CharField(
        label="Text",
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 24, "spellcheck": "true"}),
    )
    tags = TagsField(
        required=False,
        help_text="Separated by commas.",
        widget=forms.TextInput(attrs=PLAIN),
    )
    summary = forms.CharField(
        label="What did you change?",
        required=False,
        max_length=MAX_SUMMARY,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    base_revision = forms.IntegerField(
        required=False, min_value=1, widget=forms.HiddenInput
    )
    merging = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def clean(self) -> None:
        """Refuse a merge in which marks still stand between the two texts."""
        lines = set(self.cleaned_data.get("body", "").splitlines(keepends=True))
        left = {OURS, THEIRS} & {line.replace("\r\n", "\n") for line in lines}
        if self.cleaned_data.get("merging") and left:
            self.add_error(
                "body", f"The mark “{min(left).strip()}” still stands in the text."
            )

    def page_text(self) -> dict[str, Any]:
        """Return the arguments of a save."""
        kept = ("title", "body", "tags", "summary", "base_revision")
        return {name: self.cleaned_data[name] for name in kept}


class NewPageForm(PageForm):
    """A page that is not there yet."""

    field_order = ("title", "slug")

    slug = forms.CharField(
        label="Address",
        required=False,
        max_length=2 * slugs.MAX_SLUG,
        help_text="Such as ops/runbooks/restart. Left empty, it is made from the"
        " title.",
        widget=forms.TextInput(attrs=PLAIN),
    )
    under = forms.CharField(required=False, widget=forms.HiddenInput)

    def address(self) -> str:
        """Return the slug that was typed, or one made from the title."""
        wanted: str = self.cleaned_data["slug"].strip("/ ")
        if wanted:
            return wanted
        section = self.cleaned_data["under"].strip("/ ")
        name = slugs.from_title(self.cleaned_data["title"])
        return f"{section}/{name}" if section else name


class MoveForm(forms.Form):
    """Where a page, with all below it, moves."""

    to = forms.CharField(
        label="New address",
        max_length=2 * slugs.MAX_SLUG,
        widget=forms.TextInput(attrs=PLAIN),
    )


class UndeleteForm(forms.Form):
    """Where a deleted page comes back: at its old slug when left empty."""

    to = forms.CharField(
        label="Another address",
        required=False,
        max_length=2 * slugs.MAX_SLUG,
        widget=forms.TextInput(attrs=PLAIN),
    )


class NamesField(forms.CharField):
    """User names and groups, one a line or with commas between, cleaned to a list."""

    def clean(self, value: Any) -> list[str]:
        """Return the names in order, each once; the service knows who exists."""
        text = super().clean(value).replace(",", "\n")
        names = (name.strip() for name in text.split("\n"))
        return [name for name in dict.fromkeys(names) if name]

    def prepare_value(self, value: Any) -> Any:
        """Show a list one name a line."""
        return "\n".join(value) if isinstance(value, list | tuple) else value


class RestrictForm(forms.Form):
    """Who reads and who writes a section."""

    readers = NamesField(
        required=False, widget=forms.Textarea(attrs={"rows": 4, **PLAIN})
    )
    writers = NamesField(
        required=False, widget=forms.Textarea(attrs={"rows": 4, **PLAIN})
    )


class FileForm(forms.Form):
    """A file for a page."""

    file = forms.FileField(max_length=1000)
    description = forms.CharField(required=False, max_length=MAX_DESCRIPTION)


class WikiSearchForm(forms.Form):
    """A question to the wiki, all of it in the address."""

    q = forms.CharField(required=False, max_length=1000)
    under = forms.CharField(required=False, max_length=slugs.MAX_SLUG)
    tag = forms.CharField(required=False, max_length=64)
