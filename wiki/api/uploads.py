"""How files are received: a limit while they stream, one file to a request."""

from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import (
    FileUploadHandler,
    MemoryFileUploadHandler,
    TemporaryFileUploadHandler,
)
from rest_framework.parsers import DataAndFiles, MultiPartParser
from rest_framework.request import Request

from goclaw.lib.config import wiki_config
from goclaw.lib.errors import BadInput, TooLarge

OVERHEAD = 64 * 1024
"""Bytes of a request around its file: boundaries and other fields."""


class _Limit(FileUploadHandler):
    """Stops the request as soon as its file is too large."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = self._left = limit

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        """Pass the bytes on, as long as there is room."""
        self._left -= len(raw_data)
        if self._left < 0:
            raise too_large(self._limit)
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """Leave the file to the handlers that follow."""


class LimitedMultiPartParser(MultiPartParser):
    """Multipart forms whose file is not larger than a setting says."""

    def limit(self) -> int:
        """Return the most bytes that a file may have."""
        return wiki_config().max_file_bytes

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Any = None,
    ) -> "DataAndFiles[Any, Any]":
        """Return fields and files; raises TooLarge."""
        limit = self.limit()
        request: Request = parser_context["request"]
        if int(request.META.get("CONTENT_LENGTH") or 0) > limit + OVERHEAD:
            raise too_large(limit)
        request.upload_handlers = [
            _Limit(limit),
            MemoryFileUploadHandler(),
            TemporaryFileUploadHandler(),
        ]
        return super().parse(stream, media_type, parser_context)


class ImportParser(LimitedMultiPartParser):
    """Multipart forms with a zip to import."""

    def limit(self) -> int:
        """Return the most bytes that a zip may have."""
        return wiki_config().max_import_bytes


def too_large(limit: int) -> TooLarge:
    """Return the refusal, with the limit in bytes."""
    return TooLarge(
        f"The file is larger than {limit / 1024**2:g} MB.",
        code="file_too_large",
        field="file",
        remedy="An administrator can raise the limit.",
    )


def one_file(request: Request) -> "UploadedFile[Any]":
    """Return the file of the request; raises BadInput unless there is exactly one."""
    files = [file for name in request.FILES for file in request.FILES.getlist(name)]
    if len(files) != 1 or "file" not in request.FILES:
        raise BadInput(
            "Send one file, in the field 'file' of a multipart form.", field="file"
        )
    found: UploadedFile[Any] = files[0]
    return found
