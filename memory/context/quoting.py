"""Make stored text safe to stand between our tags, and readable as what it is. Pure.

It cannot close its block or open another, nor carry words that nobody sees.
"""

import re

from memory.context.blocks import FRAME_TAGS

SECTION_TAGS = (
    "critical_constraints",
    "memory_file",
    "agent_config",
    "note_count",
    "user_notes",
    "recent_memory",
    "previous_context",
    "datasources",
    "memory_files",
    "user_file",
    "user_identity",
    "now",
    "matching_notes",
    "learned_knowledge",
    "personal_memory",
    "hooks",
    "queries",
)
"""The tags of the sections, by number from 1."""

_LIKE_OURS = ("system[-_ ]?reminder", "system", "assistant", "instructions?")

# Controls, zero-width characters, marks and overrides of direction, fillers, separators
# that are no line ends, tags, halves of characters; a second variation selector in a
# row, since one is part of a character and more only carry something unseen.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\ud800-\udfff]"
    "|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]"
)
_LINE_END = re.compile(r"\r\n?")
_WORD_GAP = r"[\s_\-.]*"
_NAMES = "|".join(
    [
        *(name.replace("_", _WORD_GAP) for name in (*FRAME_TAGS, *SECTION_TAGS)),
        *_LIKE_OURS,
        r"[\w-]*[_-](?:context|memory)",
    ]
)
# An angle bracket, or one that looks like it, before a name of ours however spelt; and
# the beginning of what chat formats use as marks of their own, such as <|im_start|>.
_TAG = re.compile(
    r"[<\uff1c\ufe64\u2039\u2329\u27e8\u3008\u276e\u1438]"
    rf"(?=\s*[/\\!?]*\s*(?:{_NAMES})\b|\|\w)",
    re.IGNORECASE,
)


def quoted(text: str) -> str:
    """Return the text with our tags escaped and unseen characters as `[U+200B]`.

    Line ends become "\\n". Quoting twice changes nothing more.
    """
    plain = _LINE_END.sub("\n", text)
    seen = _UNSEEN.sub(lambda found: f"[U+{ord(found[0]):04X}]", plain)
    return _TAG.sub("&lt;", seen)


def listed(text: str, *, note: str = "") -> str:
    """Return the quoted text as an item of a list, which its own lines cannot end."""
    lines = quoted(text).strip("\n").split("\n")
    head = f"({note}) " if note else ""
    return f"- {head}" + "\n  ".join(lines)
