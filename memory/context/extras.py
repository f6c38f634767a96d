"""What the gateway adds to the prompt's memory, as texts. Pure."""

import json
from typing import Any

from memory.context.types import Extra


def text_of(extra: Extra) -> str:
    """Return a text as it is, an object as a line for each of its fields."""
    if isinstance(extra, str):
        return extra
    lines = [f"{name}: {_value(value)}" for name, value in extra.items()]
    return "\n".join(lines)


def has_worked(query: Extra) -> bool:
    """Say whether a query ran without error, by what its fields say."""
    if isinstance(query, str):
        return bool(query.strip())
    return not query.get("error") and query.get("ok", True) is not False


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
