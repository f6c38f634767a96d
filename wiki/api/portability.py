"""`/api/memory/wiki/export` and `…/import`: the wiki as a zip of Markdown files."""

from typing import Any

from django.http import StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import query_of
from accounts.http import ApiRequest
from goclaw.lib.drf import StrictSerializer
from memory.api.fields import ErrorOutput
from memory.api.idempotency import KEY, idempotent
from memory.api.jobs import JobOutput, queued
from wiki import slugs
from wiki.api.requests import ERRORS, ReadsWiki
from wiki.api.uploads import ImportParser, one_file
from wiki.exporting import export_zip
from wiki.importing import begin


class ExportFilters(StrictSerializer):
    """How much to send."""

    under = serializers.CharField(
        required=False, max_length=200, help_text="Only this section."
    )


class ImportFilters(ExportFilters):
    """Where to, and whether for good."""

    dry_run = serializers.BooleanField(
        required=False, default=True, help_text="Write nothing, report what would."
    )


class ExportView(APIView):
    """All one may read, to take away."""

    permission_classes = (ReadsWiki,)

    @extend_schema(
        operation_id="wiki_export",
        parameters=[ExportFilters],
        responses={(200, "application/zip"): OpenApiTypes.BINARY, **ERRORS},
    )
    def get(self, request: ApiRequest) -> StreamingHttpResponse:
        """Send a zip of the pages with their files, while it is made."""
        under = _section(query_of(request, ExportFilters))
        response = StreamingHttpResponse(
            export_zip(request.actor, under=under), content_type="application/zip"
        )
        name = f"wiki-{timezone.localdate():%Y-%m-%d}.zip"
        response["Content-Disposition"] = f'attachment; filename="{name}"'
        return response


class ImportView(APIView):
    """A zip of Markdown files, to become pages."""

    parser_classes = (ImportParser,)

    @extend_schema(
        operation_id="wiki_import",
        parameters=[ImportFilters, KEY],
        request={
            "multipart/form-data": {
                "type": "object",
                "properties": {"file": {"type": "string", "format": "binary"}},
            }
        },
        responses={
            202: JobOutput,
            413: ErrorOutput,
            422: ErrorOutput,
            **ERRORS,
        },
    )
    @idempotent
    def post(self, request: ApiRequest) -> Response:
        """Queue a try of a zip, or with `dry_run=false` its import.

        The job counts its entries by what became of them, and reports those that were
        refused or skipped; a try reports all.
        """
        filters = query_of(request, ImportFilters)
        under = _section(filters)
        upload = one_file(request)
        job = begin(
            actor=request.actor,
            file=upload,
            size=upload.size or 0,
            under=under,
            dry_run=filters["dry_run"],
        )
        return queued(job)


def _section(filters: dict[str, Any]) -> str:
    return slugs.parse(filters["under"]) if "under" in filters else ""
