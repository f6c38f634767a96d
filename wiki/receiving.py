"""How files are received at any door: no more than a limit, while they come."""

from collections.abc import Mapping
from typing import Any

from django.core.files.uploadhandler import (
    FileUploadHandler,
    MemoryFileUploadHandler,
    TemporaryFileUploadHandler,
)

from goclaw.lib.errors import TooLarge

OVERHEAD = 64 * 1024
"""Bytes of a request around its file: boundaries and other fields."""


def limited_handlers(meta: Mapping[str, Any], limit: int) -> list[FileUploadHandler]:
    """Return what receives files of up to `limit` bytes; raises TooLarge."""
    if int(meta.get("CONTENT_LENGTH") or 0) > limit + OVERHEAD:
        raise too_large(limit)
    return [_Limit(limit), MemoryFileUploadHandler(), TemporaryFileUploadHandler()]


def too_large(limit: int) -> TooLarge:
    """Return the refusal, with the limit in bytes."""
    return TooLarge(
        f"The file is larger than {limit / 1024**2:g} MB.",
        code="file_too_large",
        field="file",
        remedy="An administrator can raise the limit.",
    )


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
