"""Embed all windows of a database in one call, alone: `python -m bench.bare_model`.

What the model itself can do; run it with a server's environment and one thread.
"""

import json
import time


def main() -> None:
    """Print the number of windows and the seconds as JSON."""
    import django

    django.setup()

    from goclaw.lib.config import chunk_config
    from memory.chunking import windows
    from memory.embeddings import get_provider
    from memory.models import Chunk

    size = chunk_config().window
    texts = [
        text
        for chunk in Chunk.objects.select_related("memory").order_by("id")
        for text in windows(chunk.text, f"{chunk.memory.observed_at:%d %B %Y}", size)
    ]
    provider = get_provider()
    if provider is None:
        raise SystemExit("there is no embedding model")
    provider.embed_documents(texts[:8])
    start = time.perf_counter()
    provider.embed_documents(texts)
    seconds = time.perf_counter() - start
    print(json.dumps({"windows": len(texts), "seconds": seconds}))


if __name__ == "__main__":
    main()
