"""The examples of the documentation, as a reader would paste them into a shell."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

_BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
_SHELLS = frozenset({"sh", "bash", "console"})
_PROMPT = "$ "


@dataclass(frozen=True, slots=True)
class Example:
    """A block of commands, and the JSON that stands right below it, if any."""

    page: str
    line: int
    script: str
    answer: str | None

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def examples(page: Path) -> Iterator[Example]:
    """Yield the blocks that are for a shell, in order."""
    text = page.read_text(encoding="utf-8")
    blocks = list(_BLOCK.finditer(text))
    for number, block in enumerate(blocks):
        if block[2] not in _SHELLS:
            continue
        following = blocks[number + 1] if number + 1 < len(blocks) else None
        is_answer = (
            following is not None
            and following[2] == "json"
            and "\n#" not in text[block.end() : following.start()]
        )
        yield Example(
            page=page.name,
            line=text.count("\n", 0, block.start()) + 1,
            script=_script(block[3], block[2], indent=len(block[1])),
            answer=following[3] if following and is_answer else None,
        )


def _script(body: str, language: str, *, indent: int) -> str:
    lines = [line[indent:] for line in body.splitlines()]
    if language != "console":
        return "\n".join(lines)
    return "\n".join(
        line.removeprefix(_PROMPT) for line in lines if line.startswith(_PROMPT)
    )
