"""The process of the local embedding model: `python -m goclaw.embedder SOCKET`.

The web processes ask it for the vectors of questions, so that they need neither torch
nor the model's memory, and questions of all of them are computed together.
"""

import argparse
import gc
import logging
import os
import threading
from pathlib import Path

from goclaw.lib.processes import switch_threads_often

logger = logging.getLogger(__name__)


def main() -> None:
    """Answer at the socket until the process ends; load the model meanwhile."""
    parser = argparse.ArgumentParser(prog="python -m goclaw.embedder")
    parser.add_argument("socket")
    address = parser.parse_args().socket
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "goclaw.settings")
    switch_threads_often()

    from memory.embeddings.serving import serve

    Path(address).unlink(missing_ok=True)  # of a process that was killed
    threading.Thread(target=_load, name="load", daemon=True).start()
    serve(address)


def _load() -> None:
    from memory.embeddings import EmbeddingError, get_provider

    provider = get_provider()
    try:
        if provider is not None:
            provider.embed_query("warm up")
    except EmbeddingError:
        logger.exception("Loading the model ahead failed; the first question will try")
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    main()
