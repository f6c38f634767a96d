"""Counts in words: "1 chunk embedded", "2 chunks embedded". Pure."""

import re

# What counts are called in this project: plain plurals, and what was done to them.
_PLURAL = re.compile(r"(?<!\bby )\b([a-z]+?)(?:(i)es|s)\b")


def number_of(count: int, what: str) -> str:
    """Return the count and what was counted; `what` is said for many."""
    if count == 1:
        what = _PLURAL.sub(lambda found: found[1] + ("y" if found[2] else ""), what)
    return f"{count} {what}"
