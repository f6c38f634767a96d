"""The question to the model: facts by number, and sentences that name them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memory import llm
from memory.llm.base import fence
from memory.llm.portions import portions
from memory.llm.prompts import text_of
from memory.llm.prompts.distill import DistillReply
from memory.models import Memory
from wiki.review.structure import MAX_HEADING, MAX_SENTENCE, one_line

AT_ONCE = 20
"""Facts of one question: the answer has to fit into what a model may say."""
MOST_CHARS = 2000
"""Of one fact."""
MOST_HEADINGS = 50
ELSEWHERE = "General"
"""The heading of what a model gives without one."""


def batches(facts: Sequence[Memory], *, max_chars: int) -> Iterator[list[Memory]]:
    """Yield the facts in parts that a model can take in, and answer about."""
    return portions(facts, _cost, max_chars=max_chars, most=AT_ONCE)


def _cost(fact: Memory) -> int:
    return min(len(fact.content), MOST_CHARS) + 10


def ask(
    model: llm.Model, *, subject: str, headings: Sequence[str], facts: Sequence[Memory]
) -> list[dict[str, Any]]:
    """Return the sections that the model makes of the facts, as plain data.

    A fact is one line, so that none can pass for another. Raises ModelFailed.
    """
    names = {f"F{number}": fact for number, fact in enumerate(facts, start=1)}
    lines = [
        f"{name} | {one_line(fact.content, MOST_CHARS)}" for name, fact in names.items()
    ]
    told = "\n".join(headings[:MOST_HEADINGS])
    reply = model.complete(
        system=text_of("distill"),
        prompt=f"Subject: {subject}\n\n{fence('headings', told)}\n\n"
        f"{fence('facts', chr(10).join(lines))}",
        schema=DistillReply,
    )
    uids = {name: str(fact.uid) for name, fact in names.items()}
    return list(_sections(reply, uids))


def _sections(reply: DistillReply, uids: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yield what the model said, with ids of records; those it made up are dropped."""
    for section in reply.sections:
        sentences = []
        for sentence in section.sentences:
            if text := one_line(sentence.text, MAX_SENTENCE):
                named = (uids.get(name.strip()) for name in sentence.facts)
                facts = list(dict.fromkeys(uid for uid in named if uid))
                sentences.append({"text": text, "facts": facts})
        heading = one_line(section.heading, MAX_HEADING).rstrip("#").strip()
        yield {"heading": heading or ELSEWHERE, "sentences": sentences}
