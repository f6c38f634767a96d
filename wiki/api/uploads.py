"""How the API receives files: multipart forms within a limit, one file to each."""

from typing import Any

from django.core.files.uploadedfile import UploadedFile
from rest_framework.parsers import DataAndFiles, MultiPartParser
from rest_framework.request import Request

from goclaw.lib.config import wiki_config
from goclaw.lib.errors import BadInput
from wiki.receiving import limited_handlers


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
        request: Request = parser_context["request"]
        request.upload_handlers = limited_handlers(request.META, self.limit())
        return super().parse(stream, media_type, parser_context)


class ImportParser(LimitedMultiPartParser):
    """Multipart forms with a zip to import."""

    def limit(self) -> int:
        """Return the most bytes that a zip may have."""
        return wiki_config().max_import_bytes


def one_file(request: Request) -> "UploadedFile[Any]":
    """Return the file of the request; raises BadInput unless there is exactly one."""
    files = [file for name in request.FILES for file in request.FILES.getlist(name)]
    if len(files) != 1 or "file" not in request.FILES:
        raise BadInput(
            "Send one file, in the field 'file' of a multipart form.", field="file"
        )
    found: UploadedFile[Any] = files[0]
    return found
