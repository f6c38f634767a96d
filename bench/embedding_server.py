"""A tiny OpenAI-compatible embedding endpoint whose model turns another model around.

Its vectors are those of the hashing model, rotated into more dimensions: every cosine
between two of its vectors is the same as before, every cosine across the models is
chance. So a search that mixes models gives itself away.
"""

import contextlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np

from bench.servers import free_port
from memory.embeddings.hashing import DIMENSION, HashingProvider

WIDER = DIMENSION + 64


class RotatedModel:
    """The hashing model in another basis; remembers which texts it was asked for."""

    def __init__(self) -> None:
        random = np.random.default_rng(5)
        self._places = random.permutation(WIDER)[:DIMENSION]
        self._signs = random.choice([-1.0, 1.0], size=DIMENSION)
        self._model = HashingProvider("rotated")
        self.seen: set[str] = set()

    def embed(self, texts: list[str]) -> list[list[float]]:
        """Return one vector per text."""
        self.seen.update(texts)
        rows = np.zeros((len(texts), WIDER))
        rows[:, self._places] = self._model.embed_documents(texts) * self._signs
        return rows.tolist()


@contextlib.contextmanager
def serving(model: RotatedModel) -> Iterator[str]:
    """Yield the base URL at which the model answers."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            asked = json.loads(self.rfile.read(length))["input"]
            texts = [asked] if isinstance(asked, str) else asked
            data = [
                {"object": "embedding", "index": index, "embedding": row}
                for index, row in enumerate(model.embed(texts))
            ]
            usage = {"prompt_tokens": 0, "total_tokens": 0}
            answer = {
                "object": "list",
                "data": data,
                "model": "rotated",
                "usage": usage,
            }
            body = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", free_port()), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
