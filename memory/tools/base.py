"""What a tool is, how its arguments are checked, and what it answers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from accounts.actors import Actor
from goclaw.lib.errors import BadInput, GoClawError
from memory.access import YES, Verdict

Schema = dict[str, Any]


class Arguments(BaseModel):
    """What a model fills in. Unknown names are refused, null means left out."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_by_name=True)


A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """An answer twice: as text for the model, and as data for the program around it.

    `failed` is the refusal of a tool whose answer is worth something all the same, such
    as a search that could not be made: `data` then says so in its own words.
    """

    text: str
    data: dict[str, Any]
    failed: GoClawError | None = None


def anybody(actor: Actor) -> Verdict:
    """Judge tools that only show what their actor may read."""
    return YES


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool(Generic[A]):
    """Something a model can do, described for a small one.

    `description` says what it does and when to use it; `example` are arguments that
    work, shown in the description and in the remedy of malformed ones. `allowed` says
    whether the tool is for the actor at all. `schema` may narrow the JSON schema of the
    arguments to what this actor can use.
    """

    name: str
    description: str
    example: str
    arguments: type[A]
    run: Callable[[Actor, A], ToolResult]
    allowed: Callable[[Actor], Verdict] = anybody
    narrowed: Callable[[Actor, Schema], Schema] | None = None
    reads_only: bool = True

    def described(self) -> str:
        """Return the description with the example, as a model reads it."""
        return f"{self.description} Example: {self.example}"

    def schema(self, actor: Actor) -> Schema:
        """Return the JSON schema of the arguments, plain enough for any model."""
        plain = _plain(self.arguments.model_json_schema(by_alias=True))
        return self.narrowed(actor, plain) if self.narrowed else plain

    def checked(self, given: object) -> A:
        """Return the arguments. Raises BadInput for the first that is wrong."""
        if not isinstance(given, dict):
            raise BadInput("The arguments are a JSON object.", remedy=self._remedy())
        known = {name: value for name, value in given.items() if value is not None}
        try:
            return self.arguments.model_validate(known)
        except ValidationError as error:
            raise self._refusal(error) from None

    def _refusal(self, error: ValidationError) -> BadInput:
        first = error.errors(include_url=False, include_input=False)[0]
        name = ".".join(map(str, first["loc"]))
        if first["type"] == "extra_forbidden":
            fields = self.arguments.model_fields
            names = sorted(field.alias or name for name, field in fields.items())
            return BadInput(
                f"{self.name} has no argument {name!r}.",
                code="unknown_field",
                field=name,
                remedy=f"Known are {', '.join(names)}.",
            )
        if first["type"] == "missing":
            message = f"{self.name} needs the argument {name!r}."
        else:
            message = f"{name}: {first['msg'].removeprefix('Value error, ')}."
        return BadInput(message, field=name, remedy=self._remedy())

    def _remedy(self) -> str:
        return f"Call {self.name} with arguments such as {self.example}"


def _plain(schema: Schema) -> Schema:
    """Return a model's schema without titles, and its arguments without "or null"."""
    arguments = {
        name: _argument(part) for name, part in schema.get("properties", {}).items()
    }
    return {
        "type": "object",
        "properties": arguments,
        "required": schema.get("required", []),
        "additionalProperties": False,
    }


def _argument(schema: Schema) -> Schema:
    options = [part for part in schema.get("anyOf", []) if part != {"type": "null"}]
    left_out = {"title", "anyOf"} if len(options) == 1 else {"title"}
    if schema.get("default", ...) is None:
        left_out.add("default")
    kept = {name: value for name, value in schema.items() if name not in left_out}
    return options[0] | kept if len(options) == 1 else kept
