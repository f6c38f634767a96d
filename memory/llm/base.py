"""What a background model does, and how it fails."""

from typing import Any, ClassVar, Protocol, TypeVar

from pydantic import BaseModel

from goclaw.lib.errors import Unavailable

Reply = TypeVar("Reply", bound=BaseModel)


class ModelNotConfigured(Unavailable):
    """There is no background model, which is a normal state.

    A job that can do nothing without one fails at once, and is repeated by whoever has
    set one up.
    """

    default_code: ClassVar[str] = "model_not_configured"
    permanent: ClassVar[bool] = True


class ModelFailed(Unavailable):
    """The model cannot be reached, or answered nothing of use.

    `permanent` says that asking the same again is useless. The message has no text
    from people in it.
    """

    default_code: ClassVar[str] = "model_failed"

    def __init__(self, message: str, *, permanent: bool, **more: Any) -> None:
        super().__init__(message, **more)
        self.permanent = permanent


class AnswerNotValid(ModelFailed):
    """It answered, twice, and not by the schema: there is nothing to wait for."""


class Model(Protocol):
    """Anything that answers a prompt by a schema."""

    @property
    def name(self) -> str:
        """Return what it is called, for the record."""

    def complete(self, *, system: str, prompt: str, schema: type[Reply]) -> Reply:
        """Return the answer, valid by the schema. Raises ModelFailed."""


def fence(name: str, text: str) -> str:
    """Return a text from people as data: between tags that it cannot close itself."""
    inner = text.replace(f"</{name}", f"&lt;/{name}")
    return f"<{name}>\n{inner}\n</{name}>"
