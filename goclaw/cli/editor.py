"""Have a person change a text in their own editor."""

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from goclaw.cli.failures import CommandFailed, Exit


def edited(text: str) -> str:
    """Return what a person makes of the text; as it was when they leave it alone."""
    if not sys.stdin.isatty():
        raise CommandFailed(
            "There is no terminal for an editor.",
            exit_code=Exit.BAD_INPUT,
            remedy="Give the text with --file, or --file - for standard input.",
        )
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    with tempfile.TemporaryDirectory(prefix="goclaw-") as folder:
        path = Path(folder) / "page.md"
        path.write_text(text, encoding="utf-8")
        try:
            subprocess.run([*shlex.split(editor), str(path)], check=True)  # noqa: S603
        except (OSError, ValueError, subprocess.CalledProcessError) as error:
            raise CommandFailed(
                f"The editor {editor} did not do it: {error}.",
                remedy="Set EDITOR to another one.",
            ) from None
        return path.read_text(encoding="utf-8")
