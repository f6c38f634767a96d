"""A hint for the turn in which a tool failed: from known errors, nothing is stored."""

import logging
from dataclasses import dataclass

from memory.lifecycle.hint_patterns import PATTERNS, TOOLS, Pattern

log = logging.getLogger(__name__)

LOOKED_AT = 4000
"""Characters of an error; what it is stands at its beginning or its end."""


@dataclass(frozen=True, slots=True)
class Hint:
    """What to tell the agent, and which known error it was; both may be none.

    An error that the agent cannot mend has a name and no text.
    """

    text: str | None = None
    pattern: str | None = None


def hint_for(*, tool: str, error: str) -> Hint:
    """Return a hint for a failed tool. Which errors are met is logged, not their text.

    A fault of the network or of a login counts before everything else: it says nothing
    of what the agent asked for.
    """
    if tool not in TOOLS:
        return Hint()
    text = error
    if len(text) > LOOKED_AT:
        text = f"{text[: LOOKED_AT // 2]}\n{text[-LOOKED_AT // 2 :]}"
    for pattern in PATTERNS:
        if pattern.tools and tool not in pattern.tools:
            continue
        if hint := _applied(pattern, text):
            log.info("%s failed: %s", tool, pattern.name)
            return hint
    return Hint()


def _applied(pattern: Pattern, error: str) -> Hint | None:
    found = pattern.error.search(error)
    if found is None:
        return None
    if not pattern.hint:
        return Hint(pattern=pattern.name)
    names = [found[group] for group in sorted(found.groupdict()) if found[group]]
    name = f"`{names[0]}`" if names else "of this name"
    return Hint(pattern.hint.format(name=name), pattern.name)
