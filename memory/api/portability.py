"""`/api/memory/export` and `…/import`: the catalogue as lines of JSON."""

import io
import json
from collections.abc import Iterator
from typing import IO, Any

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import BaseParser
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.http import ApiRequest
from goclaw.lib.drf import StrictSerializer, parse
from goclaw.lib.errors import BadInput, GoClawError, TooLarge
from memory import access
from memory.api.destruction import copy_json
from memory.api.fields import ErrorOutput, RecordInput, draft_of
from memory.backups.copying import safety_copy
from memory.portability.exporting import FORMAT, VERSION, export_catalogue
from memory.portability.importing import Item, import_catalogue

LINES = "application/x-ndjson"
MAX_LINE = 1024 * 1024
AT_ONCE = 64 * 1024
ERRORS = {400: ErrorOutput, 403: ErrorOutput, 409: ErrorOutput, 413: ErrorOutput}


class LinesParser(BaseParser):
    """Lines that are read while they come."""

    media_type = LINES

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Any = None
    ) -> Any:
        """Return the stream itself."""
        return stream


class CatalogueRecord(RecordInput):
    """A record of a catalogue."""

    id = serializers.UUIDField(required=False, allow_null=True, default=None)


class ImportFilters(StrictSerializer):
    """Whether for good, and whether its operator has made a copy."""

    dry_run = serializers.BooleanField(
        required=False, default=False, help_text="Write nothing, say what would happen."
    )
    backed_up = serializers.BooleanField(
        required=False, default=False, help_text="PostgreSQL: a copy has been made."
    )


class ExportView(APIView):
    """The catalogue, to take away."""

    @extend_schema(
        operation_id="memory_export",
        responses={(200, LINES): OpenApiTypes.STR, 403: ErrorOutput},
    )
    def get(self, request: ApiRequest) -> StreamingHttpResponse:
        """Send agent_notes and agent_config, a record a line (administrators)."""
        response = StreamingHttpResponse(
            export_catalogue(actor=request.actor), content_type=LINES
        )
        response["Content-Disposition"] = 'attachment; filename="catalogue.jsonl"'
        return response


class ImportView(APIView):
    """A catalogue, to be taken in."""

    parser_classes = (LinesParser,)

    @extend_schema(
        operation_id="memory_import",
        parameters=[ImportFilters],
        request={LINES: OpenApiTypes.STR},
        responses={200: dict, **ERRORS},
    )
    def post(self, request: ApiRequest) -> Response:
        """Create and update records; what is there already stays once."""
        actor = request.actor
        filters = parse(ImportFilters, request.query_params, timezone=actor.timezone)
        access.can_administrate(actor).require()
        stream: Any = request.data or io.BytesIO()  # as LinesParser leaves it
        items = _items(stream, actor.timezone)
        dry_run = filters["dry_run"]
        copy = None if dry_run else safety_copy(backed_up=filters["backed_up"])
        report = import_catalogue(actor=actor, items=items, dry_run=dry_run)
        refused = [
            {"line": item.line, "error": item.error.as_dict()}
            for item in report.refused
            if item.error
        ]
        body = {"dry_run": dry_run, "counts": report.counts, "refused": refused}
        return Response(body | copy_json(copy))


def _items(stream: IO[bytes], timezone: str) -> Iterator[Item]:
    """Check the header, and return the lines after it; raises BadInput."""
    lines = _lines(stream)
    _check_header(next(lines, b""))
    return (
        _item(number, line, timezone)
        for number, line in enumerate(lines, start=2)
        if line.strip()
    )


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a body, without their ends.

    By `read` alone: the `readline` of some servers gives up where a part of the body
    has not come yet.
    """
    rest = b""
    while block := stream.read(AT_ONCE):
        *lines, rest = (rest + block).split(b"\n")
        yield from lines
        if len(rest) > MAX_LINE:
            raise TooLarge("A line is longer than a megabyte.")
    if rest:
        yield rest


def _check_header(line: bytes) -> None:
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise BadInput(
            "This is no catalogue.",
            code="not_a_catalogue",
            remedy="Send what GET /api/memory/export gives.",
        )
    if header.get("version") != VERSION:
        raise BadInput(
            f"This catalogue has the version {header.get('version')!r}.",
            code="newer_format",
            remedy=f"Here version {VERSION} is understood.",
        )


def _item(number: int, line: bytes, timezone: str) -> Item:
    try:
        data = json.loads(line)
        fields = parse(CatalogueRecord, data, timezone=timezone)
        uid = fields.pop("id")
        return Item(number, draft=draft_of(fields | {"uid": uid, "force": True}))
    except (ValueError, RecursionError):
        error: GoClawError = BadInput("The line is no JSON.", code="malformed_json")
    except GoClawError as refusal:
        error = refusal
    return Item(number, error=error)
