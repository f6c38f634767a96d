"""A model behind an OpenAI-compatible chat endpoint: Ollama, llama.cpp, vLLM, ...

The schema goes along twice, as `response_format` and in words: some servers take it and
then ignore it, others refuse it. What comes back is validated in any case.
"""

import json
import logging
import re
import threading
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from goclaw.lib.config import ModelConfig
from memory.llm.base import AnswerNotValid, ModelFailed, Reply

if TYPE_CHECKING:
    from openai import OpenAI

log = logging.getLogger(__name__)

RETRIES = 1
"""Of what may pass: the SDK waits before it, longer if the server says so."""
MAX_REPLY_TOKENS = 2000
REFUSED = frozenset({400, 413, 422})
"""Statuses that blame the prompt; a wrong key or a broken server do not."""

_THOUGHTS = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_ASK = "Answer with one JSON object that is valid by this schema, and nothing else:\n"

Turns = list[dict[str, str]]


class RemoteModel:
    """Asks over HTTP; connects when it is first asked."""

    def __init__(self, config: ModelConfig) -> None:
        self._config = config
        self._connecting = threading.Lock()
        self._client: OpenAI | None = None
        self._takes_schema = True

    @property
    def name(self) -> str:
        """Return the name of the settings."""
        return self._config.name

    def complete(self, *, system: str, prompt: str, schema: type[Reply]) -> Reply:
        """Return the model's answer; one that is not valid is sent back once."""
        shape = json.dumps(schema.model_json_schema(), ensure_ascii=False)
        turns: Turns = [
            {"role": "system", "content": f"{system}\n\n{_ASK}{shape}"},
            {"role": "user", "content": prompt},
        ]
        said = self._ask(turns, schema)
        try:
            return schema.model_validate_json(_json_of(said))
        except ValidationError as error:
            problem = _in_short(error)
        log.warning("the model's answer is not valid: %s", problem)
        turns += [
            {"role": "assistant", "content": said[:4000]},
            {"role": "user", "content": f"That is not valid: {problem}. {_ASK}{shape}"},
        ]
        try:
            return schema.model_validate_json(_json_of(self._ask(turns, schema)))
        except ValidationError as error:
            problem = _in_short(error)
        raise AnswerNotValid(
            f"{self.name} did not answer by the schema: {problem}", permanent=True
        )

    def _ask(self, turns: Turns, schema: type[BaseModel]) -> str:
        """Return what the model says. Raises ModelFailed."""
        import openai

        try:
            return self._send(turns, schema)
        except openai.APIStatusError as error:
            raise ModelFailed(
                f"{self._place} answered {error.status_code}",
                permanent=error.status_code in REFUSED,
            ) from error
        except openai.APITimeoutError as error:
            raise ModelFailed(
                f"{self._place} did not answer within {self._config.timeout_s:g} s",
                permanent=False,
            ) from error
        except openai.OpenAIError as error:
            raise ModelFailed(
                f"{self._place} cannot be asked: {type(error).__name__}",
                permanent=False,
            ) from error
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            raise ModelFailed(
                f"{self._place} did not answer as a chat endpoint does", permanent=False
            ) from error

    def _send(self, turns: Turns, schema: type[BaseModel]) -> str:
        import openai

        try:
            return self._create(turns, _format(schema) if self._takes_schema else {})
        except openai.BadRequestError:
            if not self._takes_schema:
                raise
        # It may be the schema that the server does not take: in words it is there too.
        said = self._create(turns, {})
        self._takes_schema = False
        return said

    def _create(self, turns: Turns, extra: dict[str, Any]) -> str:
        answer = self._connected().chat.completions.create(
            model=self.name,
            messages=turns,  # type: ignore[arg-type]
            temperature=0,
            max_tokens=MAX_REPLY_TOKENS,
            **extra,
        )
        return str(answer.choices[0].message.content or "")

    @property
    def _place(self) -> str:
        return self._config.base_url or "The model"

    def _connected(self) -> "OpenAI":
        with self._connecting:
            if self._client is None:
                from openai import OpenAI

                self._client = OpenAI(
                    base_url=self._config.base_url or None,
                    api_key=self._config.key or "unused",
                    timeout=self._config.timeout_s,
                    max_retries=RETRIES,
                )
            return self._client


def _format(schema: type[BaseModel]) -> dict[str, Any]:
    described = {
        "name": schema.__name__,
        "strict": True,
        "schema": schema.model_json_schema(),
    }
    return {"response_format": {"type": "json_schema", "json_schema": described}}


def _json_of(said: str) -> str:
    """Return what stands between the outer braces, without thoughts around it."""
    text = _THOUGHTS.sub("", said)
    return text[text.find("{") : text.rfind("}") + 1]


def _in_short(error: ValidationError) -> str:
    """Return the first problem, without the value that has it."""
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(map(str, first["loc"])) or "the whole"
    return f"{where}: {first['type']}"
