"""Load the search ahead of the first question, and say whether that has worked."""

from memory import vectors
from memory.embeddings import EmbeddingError
from memory.search.engines import get_engine

_state: dict[str, tuple[bool, str]] = {"model": (False, "loading")}


def prefetch() -> None:
    """Load the model that searches use and its vectors."""
    try:
        served = vectors.serving_model()
        if served is None:
            _state["model"] = (True, "search is by words only")
            return
        served.provider.embed_query("warm up")
        get_engine().prefetch(served.model.pk)
    except EmbeddingError as error:
        _state["model"] = (False, str(error))
    else:
        _state["model"] = (True, str(served.model))


def model_state() -> tuple[bool, str]:
    """Return whether this process has loaded its model, and a sentence."""
    return _state["model"]
