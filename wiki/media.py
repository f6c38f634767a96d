"""`/media/<id>`: the bytes of a file, for whoever may read what it belongs to."""

from collections.abc import Iterator
from uuid import UUID

from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.http import content_disposition_header
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.http import ApiRequest
from goclaw.lib.errors import NotFound
from wiki import storing
from wiki.attachments import find_file
from wiki.models import Attachment
from wiki.ranges import Span, matches, wanted
from wiki.sniffing import INLINE, UNKNOWN

POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; media-src 'self'"
"""Whatever a file holds, it runs nothing, loads nothing and belongs to no origin."""


@extend_schema(exclude=True)
class MediaView(APIView):
    """One file. Who may not read it gets the answer of one that never was."""

    permission_classes = (AllowAny,)

    def perform_content_negotiation(
        self, request: Request, force: bool = False
    ) -> tuple[BaseRenderer, str]:
        """Answer with what the file is, whatever was asked for."""
        renderer = self.get_renderers()[0]
        return renderer, renderer.media_type or ""

    def get(self, request: ApiRequest, uid: UUID) -> HttpResponseBase | Response:
        """Send the file, or the part of it that is asked for."""
        attachment = find_file(request.actor, uid)
        tag = f'"{attachment.sha256}"'
        if matches(request.headers.get("If-None-Match", ""), tag):
            return _described(HttpResponse(status=304), attachment, tag)
        try:
            span = _span(request, attachment, tag)
        except ValueError:
            refused = HttpResponse(status=416)
            refused["Content-Range"] = f"bytes */{attachment.size}"
            return _described(refused, attachment, tag)
        whole = Span(0, attachment.size)
        start, end = (span or whole).start, (span or whole).end
        response: HttpResponseBase
        if request.method == "HEAD":
            response = HttpResponse()
        else:
            response = StreamingHttpResponse(_bytes(attachment, start, end))
        if span:
            response.status_code = 206
            response["Content-Range"] = f"bytes {start}-{end - 1}/{attachment.size}"
        response["Content-Length"] = str(end - start)
        return _described(response, attachment, tag)


def _span(request: ApiRequest, attachment: Attachment, tag: str) -> Span | None:
    header = request.headers.get("Range")
    condition = request.headers.get("If-Range")
    if not header or (condition is not None and condition != tag):
        return None
    return wanted(header, attachment.size)


def _bytes(attachment: Attachment, start: int, end: int) -> Iterator[bytes]:
    try:
        return storing.read(attachment.key, start, end)
    except FileNotFoundError:
        raise NotFound("The bytes of this file are not there.") from None


def _described(
    response: HttpResponseBase, attachment: Attachment, tag: str
) -> HttpResponseBase:
    inline = attachment.media_type in INLINE
    response["Content-Type"] = attachment.media_type if inline else UNKNOWN
    disposition = content_disposition_header(not inline, attachment.name)
    response["Content-Disposition"] = disposition or "attachment"
    response["Content-Security-Policy"] = POLICY
    response["X-Content-Type-Options"] = "nosniff"
    response["Cross-Origin-Resource-Policy"] = "same-origin"
    response["Accept-Ranges"] = "bytes"
    response["ETag"] = tag
    response["Cache-Control"] = "private, no-cache"
    return response
