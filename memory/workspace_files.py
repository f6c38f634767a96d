"""Which files of an agent's folder are indexed, and how a path to one is checked.

A path is compared by component after resolving, never by prefix of its text; a symbolic
link may point anywhere within the folder and nowhere else.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from django.conf import settings

from goclaw.lib.errors import BadInput
from memory.models import Agent
from memory.scopes import SLUG

PATTERNS = (
    "Memory.md",
    "MEMORY.md",
    "AGENTS.md",
    "IDENTITY.md",
    "SOUL.md",
    "memory/**/*.md",
    "skills/*/SKILL.md",
    "docs/**/*.md",
)
NEVER = (PurePosixPath("memory/archive"), PurePosixPath("memory/archived"))
EXTRA_SUFFIXES = frozenset({".md", ".txt"})
MAX_FILE_BYTES = 20 * 1024 * 1024

_DATED = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)")


@dataclass(frozen=True, slots=True)
class WorkspaceFile:
    """A file to index: its path as cited, and where it lies."""

    path: str
    location: Path


@dataclass(frozen=True, slots=True)
class Refused:
    """A file that is not indexed, with the reason."""

    path: str
    reason: str


def root_of(agent: Agent) -> Path:
    """Return the agent's folder."""
    state = Path(settings.GOCLAW_STATE_DIR)
    if agent.default:
        return state / "workspace"
    return state / "agents" / agent.slug / "workspace"


def agent_folders() -> list[str]:
    """Return the slugs that have a folder `agents/<slug>/workspace/`."""
    folders = (Path(settings.GOCLAW_STATE_DIR) / "agents").glob("*/workspace")
    names = (folder.parent.name for folder in folders)
    return sorted(name for name in names if SLUG.fullmatch(name))


def files_of(agent: Agent) -> list[WorkspaceFile | Refused]:
    """Return the files to index in order of their paths, and the refused ones."""
    found: dict[str, WorkspaceFile | Refused] = {}
    for base, pattern, prefix in _places(agent):
        for location in base.glob(pattern):
            path = prefix + location.relative_to(base).as_posix()
            if not _is_left_out(path) and location.is_file():
                found[path] = _checked(path, location, base)
    return [found[path] for path in sorted(found)]


def locate(agent: Agent, path: str) -> WorkspaceFile:
    """Return the file of a path as cited, whether it exists or not.

    Raises BadInput for a path that is absolute, leads out, or is of no indexed kind.
    """
    parts = PurePosixPath(path)
    if not path or "\0" in path or "\\" in path or len(path) > 512:
        raise _refusal("This is no path.")
    if parts.is_absolute() or ".." in path.split("/"):
        raise _refusal("The path must stay within the workspace.")
    clean = parts.as_posix()
    for base, pattern, prefix in _places(agent):
        inner = clean.removeprefix(prefix)
        if not clean.startswith(prefix) or not _matches(inner, pattern):
            continue
        checked = _checked(clean, base / inner, base)
        if isinstance(checked, Refused):
            raise _refusal(checked.reason)
        if not _is_left_out(clean):
            return checked
    raise _refusal("Only files that are indexed can be read.")


def date_of(path: str, location: Path) -> tuple[datetime, bool]:
    """Return when the file's content was true, and whether its name says so."""
    for text in reversed(_DATED.findall(path)):
        try:
            year, month, day = map(int, text)
            return datetime(year, month, day, tzinfo=UTC), True
        except ValueError:
            continue  # 2026-02-30 is a name, not a date
    return datetime.fromtimestamp(location.stat().st_mtime, UTC), False


def _places(agent: Agent) -> Iterator[tuple[Path, str, str]]:
    """Yield (folder, pattern, prefix of the cited path) of everything indexed."""
    root = root_of(agent)
    for pattern in PATTERNS:
        yield root, pattern, ""
    for extra in settings.GOCLAW_WORKSPACE_PATHS:
        place = Path(extra).expanduser()
        if not place.is_absolute():
            for suffix in sorted(EXTRA_SUFFIXES):
                yield root, f"{PurePosixPath(extra)}/**/*{suffix}", ""
        elif agent.default:
            for suffix in sorted(EXTRA_SUFFIXES):
                yield place, f"**/*{suffix}", f"paths/{place.name}/"


def _matches(path: str, pattern: str) -> bool:
    if "**/" not in pattern:
        return PurePosixPath(path).match(pattern) and path.count("/") == (
            pattern.count("/")
        )
    folder, _, name = pattern.rpartition("**/")
    return path.startswith(folder) and PurePosixPath(path).match(name)


def _is_left_out(path: str) -> bool:
    parts = PurePosixPath(path)
    hidden = any(part.startswith(".") for part in parts.parts)
    return hidden or any(parts.is_relative_to(folder) for folder in NEVER)


def _checked(path: str, location: Path, base: Path) -> WorkspaceFile | Refused:
    if not location.resolve().is_relative_to(base.resolve()):
        return Refused(path, "The link leads out of the workspace.")
    return WorkspaceFile(path, location)


def _refusal(message: str) -> BadInput:
    return BadInput(
        message,
        code="path_refused",
        field="path",
        remedy="Give a path as search cites it, such as memory/2026-03-27.md.",
    )
