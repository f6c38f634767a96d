"""Keep what matters of what is too long: both ends of a file, the newest. Pure.

Sizes are in characters of the quoted text.
"""

from collections.abc import Sequence
from dataclasses import replace

from memory.context.blocks import Item

HEAD_SHARE = 0.7
"""Of a file that is too long, the share of its beginning in what is kept."""
_CUT = " [cut]"


def head_and_tail(text: str, limit: int) -> str:
    """Return the beginning and the end of a text that is too long, a marker between.

    For 20,000 characters these are the first 14,000 and the last 6,000.
    """
    if len(text) <= limit:
        return text
    head = int(limit * HEAD_SHARE)
    tail = limit - head
    gone = len(text) - head - tail
    end = text[-tail:] if tail else ""
    return f"{text[:head]}\n[{gone:,} characters are left out here]\n{end}"


def shortened(text: str, limit: int) -> str:
    """Return the beginning of a text that is too long, marked; "" if nothing fits."""
    if len(text) <= limit:
        return text
    room = limit - len(_CUT)
    return text[:room] + _CUT if room > 0 else ""


def first_within(items: Sequence[Item], limit: int) -> tuple[tuple[Item, ...], int]:
    """Return the first items that fit, and the characters that do not.

    The one that fits only in part is cut when it is the very first.
    """
    kept: list[Item] = []
    left = limit
    for item in items:
        if len(item.text) > left:
            break
        kept.append(item)
        left -= len(item.text)
    if not kept and items and (start := shortened(items[0].text, limit)):
        kept.append(replace(items[0], text=start))
    offered = sum(len(item.text) for item in items)
    return tuple(kept), max(0, offered - sum(len(item.text) for item in kept))


def last_within(items: Sequence[Item], limit: int) -> tuple[tuple[Item, ...], int]:
    """Return the last items that fit, in order, and the characters that do not."""
    kept, left_out = first_within(items[::-1], limit)
    return kept[::-1], left_out
