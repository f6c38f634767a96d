"""Read typed settings from the environment and refuse bad values by name.

One naming rule for everything: the dotted name `memory.search.min_score` is the
environment variable `GOCLAW_MEMORY_SEARCH_MIN_SCORE`. Callers pass the dotted name.
"""

import os
from collections.abc import Iterable
from pathlib import Path


class BadSetting(Exception):
    """A setting in the environment cannot be used; the message names it."""


def variable(name: str) -> str:
    """Return the environment variable of a dotted setting name."""
    return "GOCLAW_" + name.upper().replace(".", "_")


def env_str(name: str, default: str = "") -> str:
    """Return the text of a setting, or the default when it is unset."""
    return os.environ.get(variable(name), default)


def env_bool(name: str, *, default: bool) -> bool:
    """Return a switch: `true`/`1`/`yes`/`on` or `false`/`0`/`no`/`off`."""
    text = env_str(name).strip().lower()
    if not text:
        return default
    if text in {"true", "1", "yes", "on"}:
        return True
    if text in {"false", "0", "no", "off"}:
        return False
    raise BadSetting(f"{variable(name)} must be true or false, not {text!r}")


def env_int(
    name: str, default: int, *, low: int | None = None, high: int | None = None
) -> int:
    """Return a whole number within [low, high]."""
    text = env_str(name).strip()
    try:
        value = int(text) if text else default
    except ValueError:
        raise BadSetting(
            f"{variable(name)} must be a whole number, not {text!r}"
        ) from None
    _check_range(name, value, low, high)
    return value


def env_float(
    name: str, default: float, *, low: float | None = None, high: float | None = None
) -> float:
    """Return a number within [low, high]."""
    value = env_optional_float(name, low=low, high=high)
    return default if value is None else value


def env_optional_float(
    name: str, *, low: float | None = None, high: float | None = None
) -> float | None:
    """Return a number within [low, high], or None when the setting is unset."""
    text = env_str(name).strip()
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        raise BadSetting(f"{variable(name)} must be a number, not {text!r}") from None
    _check_range(name, value, low, high)
    return value


def env_choice(name: str, default: str, choices: Iterable[str]) -> str:
    """Return one of the choices."""
    value = env_str(name, default).strip() or default
    allowed = list(choices)
    if value not in allowed:
        raise BadSetting(
            f"{variable(name)} must be one of {', '.join(allowed)}, not {value!r}"
        )
    return value


def env_list(name: str, default: Iterable[str] = ()) -> list[str]:
    """Return a comma-separated list without empty entries."""
    text = env_str(name)
    if not text.strip():
        return list(default)
    return [part.strip() for part in text.split(",") if part.strip()]


def env_path(name: str, default: Path) -> Path:
    """Return an absolute path; `~` is the home directory."""
    text = env_str(name).strip()
    return (Path(text) if text else default).expanduser().absolute()


def env_secret(name: str, default: str = "") -> str:
    """Return a secret from the variable, or from the file `<VARIABLE>_FILE` names."""
    file_name = os.environ.get(variable(name) + "_FILE", "").strip()
    if not file_name:
        return env_str(name, default)
    try:
        return Path(file_name).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise BadSetting(
            f"{variable(name)}_FILE cannot be read: {error.strerror}"
        ) from None


def as_table(
    name: str, entries: Iterable[str], values: Iterable[str]
) -> tuple[tuple[str, str], ...]:
    """Return (key, value) pairs of the entries `key=value` of a setting, in order."""
    allowed = list(values)
    table = []
    for entry in entries:
        key, _, value = (part.strip() for part in entry.partition("="))
        if not key or value not in allowed:
            raise BadSetting(
                f"{variable(name)} takes pattern={'|'.join(allowed)}, not {entry!r}"
            )
        table.append((key, value))
    return tuple(table)


def _check_range(
    name: str, value: float, low: float | None, high: float | None
) -> None:
    if low is not None and value < low:
        raise BadSetting(f"{variable(name)} must be at least {low}, not {value}")
    if high is not None and value > high:
        raise BadSetting(f"{variable(name)} must be at most {high}, not {value}")
