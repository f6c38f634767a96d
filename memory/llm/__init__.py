"""The background model: asked in prose, answers by a schema. It need not be there.

Without one everything that needs none goes on; `get_model` says so by its error, which
who can do without catches.
"""

from functools import cache

from goclaw.lib.config import model_config
from memory.llm.base import AnswerNotValid, Model, ModelFailed, ModelNotConfigured
from memory.llm.remote import RemoteModel

__all__ = [
    "AnswerNotValid",
    "Model",
    "ModelFailed",
    "ModelNotConfigured",
    "get_model",
    "reset",
]


def get_model() -> Model:
    """Return the configured model. Raises ModelNotConfigured where there is none."""
    if not model_config().name:
        raise ModelNotConfigured(
            "No background model is configured.",
            remedy="Set GOCLAW_MODEL_NAME and GOCLAW_MODEL_BASE_URL.",
        )
    return _connected()


@cache
def _connected() -> RemoteModel:
    return RemoteModel(model_config())


def reset() -> None:
    """Forget the connection, after tests have changed a setting."""
    _connected.cache_clear()
