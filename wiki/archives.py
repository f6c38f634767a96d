"""Zips from anywhere, read with care: no entry is written by its name, none swells.

A zip is refused at once for the sizes that it says its entries have. What really comes
out is counted as well.
"""

import re
import stat
import zipfile
from collections.abc import Iterator
from typing import IO

from goclaw.lib.errors import BadInput, TooLarge

MAX_ENTRIES = 250_000
MAX_RATIO = 10
"""How many times the size of the upload all entries may have together."""
MAX_PATH = 1000
_CHUNK = 64 * 1024
_DRIVE = re.compile(r"[A-Za-z]:")
_ENCRYPTED = 0x1


class Archive:
    """An uploaded zip. Counts the bytes that really come out of it."""

    def __init__(self, file: IO[bytes], size: int) -> None:
        """Open a zip of that many bytes; raises BadInput or TooLarge."""
        try:
            self._zip = zipfile.ZipFile(file)
            self.entries = self._zip.infolist()
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
            raise BadInput(
                "The file is no zip that can be read.", code="bad_zip", field="file"
            ) from None
        if len(self.entries) > MAX_ENTRIES:
            raise TooLarge(
                f"The zip has more than {MAX_ENTRIES:,} entries.",
                code="zip_too_large",
                field="file",
            )
        self._left = MAX_RATIO * size
        if sum(entry.file_size for entry in self.entries) > self._left:
            raise _swells()

    def read(self, entry: zipfile.ZipInfo, *, most: int) -> bytes:
        """Return an entry; raises BadInput if it is damaged, TooLarge over a limit."""
        return b"".join(self.chunks(entry, most=most))

    def chunks(self, entry: zipfile.ZipInfo, *, most: int) -> Iterator[bytes]:
        """Yield an entry of at most that many bytes, whatever its header says."""
        try:
            with self._zip.open(entry) as source:
                while chunk := source.read(_CHUNK):
                    most -= len(chunk)
                    self._left -= len(chunk)
                    if self._left < 0:
                        raise _swells()
                    if most < 0:
                        raise TooLarge("It is too large.", code="entry_too_large")
                    yield chunk
        except (zipfile.BadZipFile, EOFError, OSError, RuntimeError, ValueError):
            raise BadInput("The entry cannot be read.", code="bad_entry") from None
        except Exception as error:
            if type(error).__module__ in {"zlib", "lzma"}:
                raise BadInput("The entry is damaged.", code="bad_entry") from None
            raise


def _swells() -> TooLarge:
    return TooLarge(
        f"The zip swells to more than {MAX_RATIO} times its size.",
        code="zip_too_large",
        field="file",
    )


def refusal(entry: zipfile.ZipInfo) -> str:
    """Return why the name or kind of an entry is refused; "" when it is fine."""
    name = entry.orig_filename
    if len(name) > MAX_PATH:
        return "Its path is too long."
    if "\\" in name or "\0" in name or name.startswith("/") or _DRIVE.match(name):
        return "Its path is absolute or has signs that no path here has."
    if any(part in {"", ".", ".."} for part in name.rstrip("/").split("/")):
        return "Its path leads out of the zip."
    mode = entry.external_attr >> 16
    if mode and stat.S_IFMT(mode) not in {0, stat.S_IFREG, stat.S_IFDIR}:
        return "It is a link or a device, no file."
    if entry.flag_bits & _ENCRYPTED:
        return "It is encrypted."
    return ""
