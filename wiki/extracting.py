"""The text of a file, for the search."""

import json
import subprocess
import sys
from pathlib import Path
from typing import IO

MAX_TEXT = 500_000
"""Characters of a file that can be found."""
PDF_LIMIT_S = 15
_ROOT = Path(__file__).resolve().parents[1]


def text_of(file: IO[bytes], media_type: str) -> str:
    """Return the text of plain texts and PDFs; "" for all else, and when it fails."""
    if media_type == "application/pdf":
        return _pdf_text(file)
    if media_type != "text/plain":
        return ""
    file.seek(0)
    text = file.read(4 * MAX_TEXT).decode("utf-8-sig", errors="ignore")
    return _usable(text)


def _pdf_text(file: IO[bytes]) -> str:
    """Read a PDF in a process of its own: some take for ever, or all memory."""
    file.seek(0)
    try:
        done = subprocess.run(  # noqa: S603 - our own module
            [sys.executable, "-m", "wiki.pdf_reader", str(MAX_TEXT)],
            input=file.read(),
            capture_output=True,
            timeout=PDF_LIMIT_S,
            check=True,
            env={"PYTHONPATH": str(_ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        )
        return _usable(str(json.loads(done.stdout)))
    except (subprocess.SubprocessError, ValueError, OSError):
        return ""


def _usable(text: str) -> str:
    clean = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    return clean[:MAX_TEXT].encode("utf-8", "ignore").decode()
