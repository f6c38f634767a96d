"""Reads a PDF from standard input, writes its text as JSON.

`python -m wiki.pdf_reader`: a process of its own, with little memory and time, since
PDFs come from anywhere.
"""

import io
import json
import logging
import resource
import signal
import sys

from pypdf import PdfReader

MAX_MEMORY = 1024**3
ALARM_S = 20


def main() -> None:
    """Write the text, up to the number of characters given as argument."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(ALARM_S)
    logging.disable()
    most = int(sys.argv[1])
    pages: list[str] = []
    for page in PdfReader(io.BytesIO(sys.stdin.buffer.read())).pages:
        pages.append(page.extract_text())
        if sum(map(len, pages)) > most:
            break
    sys.stdout.write(json.dumps("\n\n".join(pages)[:most]))


if __name__ == "__main__":
    main()
