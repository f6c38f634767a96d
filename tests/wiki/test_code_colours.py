"""Coloured code can be read in both themes, and its classes are those of Pygments."""

import re
from pathlib import Path

from pygments.token import STANDARD_TYPES

STYLES = Path(__file__).resolve().parents[2] / "static" / "css"
RULES = re.findall(
    r"\.prose pre ([^{]*\.[^{]*) \{([^}]*)\}",
    (STYLES / "wiki-text.css").read_text(encoding="utf-8"),
)
"""(selector, declarations) of every rule for a class of code."""
PAIR = r"light-dark\((#\w{6}, #\w{6})\)"
TOKENS = dict(
    re.findall(
        rf"(--[\w-]+): {PAIR}", (STYLES / "tokens.css").read_text(encoding="utf-8")
    )
)


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_every_colour_of_code_has_enough_contrast_in_both_themes() -> None:
    declared = " ".join(body for _, body in RULES)
    named = re.findall(r"color: var\((--[\w-]+)\)", declared)
    used = {TOKENS[name] for name in named} | set(re.findall(PAIR, declared))
    assert len(used) > 5
    for inks in used:
        pairs = zip(inks.split(", "), TOKENS["--sunken"].split(", "), strict=True)
        for ink, paper in pairs:
            light, dark = sorted((luminance(ink), luminance(paper)), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, (ink, paper)


def test_every_class_is_one_that_pygments_gives() -> None:
    classes = {name for rule, _ in RULES for name in re.findall(r"\.(\w+)", rule)}

    assert len(classes) > 20
    assert classes <= set(STANDARD_TYPES.values())
