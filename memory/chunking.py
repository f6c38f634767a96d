"""Text to chunks (what search ranks) and windows (what a model embeds). Pure.

A text is first cut into pieces that are better left whole (a line, a fenced block, a
table, a sentence of an oversized line), then neighbouring pieces are packed into
chunks. Sizes are in characters of Latin text; a character of a script that costs a
model a whole token counts four.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from goclaw.lib.config import ChunkConfig
from memory.pieces import CHARS_PER_TOKEN, Break, Costs, Piece, cut_into_pieces


@dataclass(frozen=True, slots=True)
class Span:
    """A chunk: `text[start:end]`, its lines from 1, and the headings above it."""

    start: int
    end: int
    line_start: int
    line_end: int
    heading: str


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a text is: four Latin characters are one."""
    return -(-Costs(text).of(0, len(text)) // CHARS_PER_TOKEN)


def split(text: str, config: ChunkConfig) -> list[Span]:
    """Return the chunks of a text in order; none for a blank text.

    Every character is in a chunk, and each chunk starts at or before the end of the one
    before it, so that without the overlaps they join to the text.
    """
    costs = Costs(text)
    pieces = list(cut_into_pieces(text, costs, config))
    spans = []
    line, counted = 1, 0
    for overlap, first, last in _pack(pieces, costs, config):
        start, end = pieces[overlap].start, pieces[last].end
        line += text.count("\n", counted, start) - text.count("\n", start, counted)
        counted = start
        body = (p for p in pieces[first : last + 1] if not p.is_heading)
        spans.append(
            Span(
                start=start,
                end=end,
                line_start=line,
                line_end=line + text.count("\n", start, end - 1),
                heading=next(body, pieces[last]).heading,
            )
        )
    return spans


def windows(chunk_text: str, prefix: str, size: int) -> list[str]:
    """Return the texts to embed for a chunk: parts of about `size` after the prefix.

    A last part of less than a third of the size goes with the one before it.
    """
    parts = split(chunk_text, ChunkConfig(size=size, overlap=0, window=size))
    if not parts:
        return []
    cuts = [part.start for part in parts] + [len(chunk_text)]
    costs = Costs(chunk_text)
    if len(parts) > 1 and costs.of(cuts[-2], cuts[-1]) < size // 3:
        del cuts[-2]
    head = f"{prefix}\n" if prefix else ""
    return [head + chunk_text[start:end].strip() for start, end in pairwise(cuts)]


# --- packing -------------------------------------------------------------------------


def _pack(
    pieces: list[Piece], costs: Costs, config: ChunkConfig
) -> Iterator[tuple[int, int, int]]:
    """Yield (first piece with overlap, first piece, last piece) of each chunk."""
    first, overlap = 0, 0
    while first < len(pieces):
        if costs.of(pieces[overlap].start, pieces[first].end) > config.size:
            overlap = first
        following = _end_of_chunk(pieces, costs, overlap, first, config.size)
        yield overlap, first, following - 1
        overlap = _overlap(pieces, costs, first, following, config.overlap)
        first = following


def _end_of_chunk(
    pieces: list[Piece], costs: Costs, overlap: int, first: int, size: int
) -> int:
    """Return the piece after the chunk: the best cut in the last half of what fits."""
    start, origin = pieces[first].start, pieces[overlap].start
    end = first + 1
    while end < len(pieces) and costs.of(origin, pieces[end].end) <= size:
        if pieces[end].before is Break.HEADING and (
            costs.of(start, pieces[end].start) >= size // 4
        ):
            return end
        end += 1
    if end == len(pieces):
        return end
    least = costs.of(start, pieces[end].start) // 2
    best = end
    for cut in range(end - 1, first, -1):
        if costs.of(start, pieces[cut].start) < least:
            break
        if pieces[cut].before > pieces[best].before:
            best = cut
    return best


def _overlap(
    pieces: list[Piece], costs: Costs, first: int, following: int, budget: int
) -> int:
    """Return the piece from which the next chunk repeats the end of this one."""
    if following == len(pieces) or pieces[following].before is Break.HEADING:
        return following
    overlap = following
    while overlap - 1 > first:
        candidate = pieces[overlap - 1]
        if costs.of(candidate.start, pieces[following].start) > budget:
            break
        overlap -= 1
        if candidate.before is Break.HEADING:
            break
    return overlap
