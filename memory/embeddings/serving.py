"""Serve local models to other processes of this machine, at a Unix socket.

Only who may write to the socket's directory can connect. Each connection has a thread;
questions of all of them are computed together where they come at the same time.
"""

import json
import logging
import threading
from multiprocessing.connection import Connection, Listener
from typing import Any

import numpy as np

from memory.embeddings import provider_for
from memory.embeddings.base import EmbeddingError, Vector
from memory.embeddings.local import LocalProvider
from memory.embeddings.shared import FAMILY

logger = logging.getLogger(__name__)

BACKLOG = 64


def serve(address: str) -> None:
    """Answer until the process ends."""
    with Listener(address, FAMILY, backlog=BACKLOG) as listener:
        while True:
            connection = listener.accept()
            threading.Thread(target=_converse, args=[connection], daemon=True).start()


def _converse(connection: "Connection[Any, Any]") -> None:
    with connection:
        while True:
            try:
                request = json.loads(connection.recv_bytes())
                _answer(connection, request)
            except (EOFError, OSError):
                return


def _answer(connection: "Connection[Any, Any]", request: dict[str, Any]) -> None:
    try:
        sheets = _computed(request)
    except EmbeddingError as error:
        _refuse(connection, str(error), permanent=error.permanent)
        return
    except Exception:
        logger.exception("The process of the model has a fault")
        _refuse(connection, "The process of the model has a fault.", permanent=False)
        return
    shapes = [sheet.shape for sheet in sheets]
    connection.send_bytes(json.dumps({"shapes": shapes}).encode())
    connection.send_bytes(np.concatenate(sheets).tobytes())


def _refuse(
    connection: "Connection[Any, Any]", reason: str, *, permanent: bool
) -> None:
    refusal = {"error": reason, "permanent": permanent}
    connection.send_bytes(json.dumps(refusal).encode())


def _computed(request: dict[str, Any]) -> list[Vector]:
    provider = provider_for("local", request["model"], "")
    assert isinstance(provider, LocalProvider)  # noqa: S101 - for the type checker
    if request["ask"] == "query":
        return [provider.embed_query_words(text) for text in request["texts"]]
    return provider.embed_document_words(request["texts"])
