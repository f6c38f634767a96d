"""Serializers of pages and revisions, in and out."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from goclaw.lib.drf import StrictSerializer
from memory.api.fields import Text
from wiki.models import Page, Revision


class PageInput(StrictSerializer):
    """A text to save; what is left out of title and tags stays as it is."""

    body = Text(help_text="Markdown; lines end in LF, nothing else is touched.")
    title = Text(
        required=False, default="", help_text="Made up for a new page without."
    )
    tags = serializers.ListField(
        child=Text(), required=False, allow_null=True, default=None
    )
    summary = Text(required=False, default="", help_text="What was changed, and why.")
    base_revision = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=1,
        max_value=2**31 - 1,
        help_text="The revision that was edited; or send its ETag as If-Match.",
    )


class PageRow(serializers.Serializer[Page]):
    """A page in a list, without its text."""

    id = serializers.UUIDField(source="uid")
    slug = serializers.CharField()
    title = serializers.CharField()
    excerpt = serializers.CharField(help_text="How its plain text begins.")
    tags = serializers.ListField(child=serializers.CharField())
    revision = serializers.IntegerField(source="number", help_text="The newest.")
    size = serializers.IntegerField(help_text="Bytes of its text.")
    restricted = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    updated_by = serializers.CharField(
        source="updated_by.username", default=None, allow_null=True
    )

    @extend_schema_field(str)
    def get_restricted(self, page: Page) -> str | None:
        """Return the section that has readers of its own, null outside of any."""
        return page.space.path or None


class RevisionRow(serializers.Serializer[Revision]):
    """A revision in a list, without its text."""

    id = serializers.UUIDField(source="uid")
    revision = serializers.IntegerField(source="number")
    slug = serializers.CharField(help_text="Of the page at the time.")
    title = serializers.CharField()
    tags = serializers.ListField(child=serializers.CharField())
    summary = serializers.CharField()
    size = serializers.IntegerField()
    origin = serializers.CharField()
    run_kind = serializers.CharField()
    author = serializers.CharField(
        source="author.username", default=None, allow_null=True
    )
    created_at = serializers.DateTimeField()


class ChangeRow(RevisionRow):
    """A revision in the list of recent changes."""

    page = serializers.CharField(source="page.slug", help_text="Where it is now.")


class RevisionOutput(RevisionRow):
    """A revision with its text."""

    body = serializers.CharField()


class TocOutput(serializers.Serializer[Any]):
    """A heading of a page."""

    level = serializers.IntegerField()
    title = serializers.CharField()
    id = serializers.CharField()


class PageOutput(PageRow):
    """A page with its text; with its HTML if that was asked for."""

    body = serializers.CharField(
        source="revision.body",
        help_text="For agents without characters that only hide something.",
    )
    redirected_from = serializers.CharField(
        default=None, allow_null=True, help_text="The old address it was asked by."
    )
    html = serializers.CharField(required=False)
    toc = TocOutput(many=True, required=False)
    render_failed = serializers.CharField(
        required=False, help_text="Why the HTML shows the source."
    )


class SavedOutput(PageOutput):
    """A page as it was just saved."""

    changed = serializers.BooleanField(help_text="False: it said exactly this already.")
    merged = serializers.BooleanField(
        help_text="Changes that others made meanwhile are in it."
    )
    in_trash = serializers.BooleanField(
        help_text="A deleted page of this slug can still be restored, elsewhere."
    )


class RestoreInput(StrictSerializer):
    """Which revision to bring back."""

    revision = serializers.IntegerField(min_value=1, max_value=2**31 - 1)
    base_revision = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=1, max_value=2**31 - 1
    )


class MoveInput(StrictSerializer):
    """The new address."""

    to = Text()


class MovedOutput(serializers.Serializer[Any]):
    """Where it is now, and how many pages moved with it."""

    slug = serializers.CharField()
    pages = serializers.IntegerField()


class DeletedRow(serializers.Serializer[Page]):
    """A page in the trash."""

    id = serializers.UUIDField(source="uid")
    slug = serializers.CharField()
    title = serializers.CharField()
    revision = serializers.IntegerField(source="number")
    deleted_at = serializers.DateTimeField()
    deleted_by = serializers.CharField(
        source="deleted_by.username", default=None, allow_null=True
    )


class UndeleteInput(StrictSerializer):
    """Another slug, if its own is taken."""

    to = Text(required=False, default="")


class BrokenRow(serializers.Serializer[Any]):
    """A link that leads nowhere."""

    page = serializers.CharField(source="page.slug", help_text="Where the link is.")
    title = serializers.CharField(source="page.title")
    slug = serializers.CharField(help_text="What it names.")


class NodeOutput(serializers.Serializer[Any]):
    """A place in the tree; without a title there are only pages below."""

    slug = serializers.CharField()
    name = serializers.CharField()
    title = serializers.CharField(allow_null=True)
    below = serializers.IntegerField()


class LevelOutput(serializers.Serializer[Any]):
    """One level of the tree; `next` is the `after` of the next page of it."""

    nodes = NodeOutput(many=True)
    next = serializers.CharField()


class NamedCount(serializers.Serializer[Any]):
    """A tag and how many readable pages carry it."""

    name = serializers.CharField()
    pages = serializers.IntegerField()


class TagsOutput(serializers.Serializer[Any]):
    """Tags in order; `next` is the `after` of the next page of them."""

    results = NamedCount(many=True)
    next = serializers.CharField()


class SuggestionOutput(serializers.Serializer[Any]):
    """A page that may be meant."""

    slug = serializers.CharField()
    title = serializers.CharField()


class SuggestionsOutput(serializers.Serializer[Any]):
    """Pages that may be meant, best first."""

    results = SuggestionOutput(many=True)


class RestrictionInput(StrictSerializer):
    """User names, and groups with `@` before them."""

    readers = serializers.ListField(child=Text())
    writers = serializers.ListField(child=Text())


class RestrictionOutput(serializers.Serializer[Any]):
    """Who reads and who writes a section; writers read too."""

    path = serializers.CharField()
    readers = serializers.ListField(child=serializers.CharField())
    writers = serializers.ListField(child=serializers.CharField())
