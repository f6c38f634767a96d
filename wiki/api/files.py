"""`/api/files` and the files of pages: add, find, describe, remove."""

from typing import Any
from uuid import UUID

from django.db.models import Q
from django.http import QueryDict
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import query_of
from accounts.http import ApiRequest
from goclaw.lib.drf import Paged, StrictSerializer, paged, parse, render
from memory.api.fields import ErrorOutput
from memory.api.idempotency import KEY, idempotent
from memory.scopes import WRITABLE_SCOPES, Scope
from wiki.api.requests import ERRORS, Asked, ReadsWiki
from wiki.api.uploads import LimitedMultiPartParser, one_file
from wiki.attachments import Upload, add_file, attach, find_file, remove
from wiki.finding import find_page
from wiki.models import MAX_DESCRIPTION, Attachment
from wiki.models.attachments import AttachmentQuerySet


class FileOutput(serializers.Serializer[Attachment]):
    """What is known of a file."""

    id = serializers.UUIDField(source="uid")
    name = serializers.CharField()
    media_type = serializers.CharField()
    size = serializers.IntegerField(help_text="Bytes.")
    sha256 = serializers.CharField()
    width = serializers.SerializerMethodField(help_text="Pixels of an image.")
    height = serializers.SerializerMethodField()
    description = serializers.CharField()
    tags = serializers.ListField(child=serializers.CharField())
    page = serializers.SerializerMethodField(help_text="Slug of the page it is on.")
    scope = serializers.SerializerMethodField(help_text="Of a file without a page.")
    uploaded_by = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField()
    url = serializers.SerializerMethodField()
    markdown = serializers.SerializerMethodField(help_text="To put it into a page.")

    def get_width(self, file: Attachment) -> int | None:
        """Return the width, null for what is no image."""
        return file.width or None

    def get_height(self, file: Attachment) -> int | None:
        """Return the height, null for what is no image."""
        return file.height or None

    def get_page(self, file: Attachment) -> str | None:
        """Return the slug of its page."""
        return file.page.slug if file.page else None

    def get_scope(self, file: Attachment) -> str | None:
        """Return its scope, when it has no page."""
        return file.space.kind if file.space else None

    def get_uploaded_by(self, file: Attachment) -> str | None:
        """Return the name of who sent it."""
        return file.uploaded_by.username if file.uploaded_by else None

    def get_url(self, file: Attachment) -> str:
        """Return where its bytes are."""
        return reverse("wiki-media", args=[file.uid])

    def get_markdown(self, file: Attachment) -> str:
        """Return the link to it, for an image the image."""
        label = file.name.replace("[", "(").replace("]", ")")
        shown = "!" if file.media_type.startswith("image/") and file.width else ""
        return f"{shown}[{label}]({self.get_url(file)})"


class FileInput(StrictSerializer):
    """A multipart form."""

    file = serializers.FileField(required=False)
    name = serializers.CharField(
        required=False, max_length=1000, help_text="Instead of the file's own."
    )
    description = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=MAX_DESCRIPTION
    )
    tags = serializers.CharField(
        required=False, default="", allow_blank=True, help_text="With commas between."
    )


class OwnFileInput(FileInput):
    """A file that belongs to no page."""

    scope = serializers.ChoiceField(
        WRITABLE_SCOPES, required=False, default=Scope.PERSONAL
    )


class FileFilters(Paged):
    """Which files to list."""

    q = serializers.CharField(
        required=False, max_length=200, help_text="Part of name or description."
    )
    media_type = serializers.CharField(
        required=False, max_length=64, help_text="Such as image/png, or image/."
    )
    tag = serializers.CharField(required=False, max_length=64)
    scope = serializers.ChoiceField(WRITABLE_SCOPES, required=False)


class PageFilesFilters(Paged, Asked):
    """The files of which page."""


class FilesView(APIView):
    """All files one may read, those of pages included."""

    parser_classes = (LimitedMultiPartParser,)

    @extend_schema(
        operation_id="files_list",
        parameters=[FileFilters],
        responses={200: FileOutput(many=True), 400: ErrorOutput},
    )
    def get(self, request: ApiRequest) -> Response:
        """List files, newest first, a page at a time."""
        filters = query_of(request, FileFilters)
        found = Attachment.objects.readable_by(request.actor)
        return paged(request, _shown(_filtered(found, filters)), FileOutput)

    @extend_schema(
        operation_id="files_add",
        parameters=[KEY],
        request=OwnFileInput,
        responses={201: FileOutput, 413: ErrorOutput, **ERRORS},
    )
    @idempotent
    def post(self, request: ApiRequest) -> Response:
        """Add a file of one's own, or for all who read the scope."""
        data, upload = _upload(request, OwnFileInput)
        file = add_file(actor=request.actor, scope=data["scope"], upload=upload)
        return _created(request, file)


class FileView(APIView):
    """One file."""

    permission_classes = (ReadsWiki,)

    @extend_schema(operation_id="files_read", responses={200: FileOutput, **ERRORS})
    def get(self, request: ApiRequest, uid: UUID) -> Response:
        """Describe a file; its bytes are at `url`."""
        return Response(render(FileOutput, find_file(request.actor, uid)))

    @extend_schema(operation_id="files_remove", responses={204: None, **ERRORS})
    def delete(self, request: ApiRequest, uid: UUID) -> Response:
        """Delete a file for good, with what the search knows of it."""
        remove(actor=request.actor, uid=uid)
        return Response(status=status.HTTP_204_NO_CONTENT)


class PageFilesView(APIView):
    """The files of one page."""

    permission_classes = (ReadsWiki,)
    parser_classes = (LimitedMultiPartParser,)

    @extend_schema(
        operation_id="wiki_attachments",
        parameters=[PageFilesFilters],
        responses={200: FileOutput(many=True), **ERRORS},
    )
    def get(self, request: ApiRequest) -> Response:
        """List the files of a page, newest first."""
        data = query_of(request, PageFilesFilters)
        page = find_page(request.actor, data["slug"]).page
        found = Attachment.objects.readable_by(request.actor).filter(page=page)
        return paged(request, _shown(found), FileOutput)

    @extend_schema(
        operation_id="wiki_attach",
        parameters=[Asked, KEY],
        request=FileInput,
        responses={201: FileOutput, 413: ErrorOutput, **ERRORS},
    )
    @idempotent
    def post(self, request: ApiRequest) -> Response:
        """Add a file to a page."""
        asked = query_of(request, Asked)
        _, upload = _upload(request, FileInput)
        file = attach(actor=request.actor, slug=asked["slug"], upload=upload)
        return _created(request, file)


def _upload(
    request: ApiRequest, form: type[FileInput]
) -> tuple[dict[str, Any], Upload]:
    fields = request.data.dict() if isinstance(request.data, QueryDict) else {}
    fields.pop("file", None)
    data = parse(form, fields, timezone=request.actor.timezone)
    file = one_file(request)
    return data, Upload(
        file=file,
        name=data.get("name") or file.name or "",
        description=data["description"],
        tags=[tag.strip() for tag in data["tags"].split(",") if tag.strip()],
    )


def _created(request: ApiRequest, file: Attachment) -> Response:
    found = find_file(request.actor, file.uid)
    return Response(
        render(FileOutput, found),
        status=status.HTTP_201_CREATED,
        headers={"Location": reverse("wiki-media", args=[file.uid])},
    )


def _filtered(found: AttachmentQuerySet, filters: dict[str, Any]) -> AttachmentQuerySet:
    if "q" in filters:
        found = found.filter(
            Q(name__icontains=filters["q"]) | Q(description__icontains=filters["q"])
        )
    if "media_type" in filters:
        found = found.filter(media_type__startswith=filters["media_type"])
    if "tag" in filters:
        found = found.filter(memory__tags__name=filters["tag"])
    if "scope" in filters:
        found = found.filter(space__kind=filters["scope"])
    return found


def _shown(found: AttachmentQuerySet) -> AttachmentQuerySet:
    return found.select_related("page", "space", "uploaded_by").defer("text")
