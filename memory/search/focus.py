"""Find the question in a long prompt. Pure."""

import re

SHORT = 700
"""Characters up to which a text is a question as a whole."""

_SENTENCES = re.compile(r"[^.!?。！？\n]*[.!?。！？\n]+|[^.!?。！？\n]+$")


def focus(text: str, limit: int = SHORT) -> str:
    """Return what to ask the embedding model, which sees about 256 tokens of a text.

    Of a long prompt these are its questions and its end, in the order of the text;
    cutting it at the front would lose the question, which mostly comes last.
    """
    text = text.strip()
    if len(text) <= limit:
        return text
    sentences = [part for part in _SENTENCES.findall(text) if part.strip()]
    asked = [n for n, part in enumerate(sentences) if part.rstrip()[-1] in "?？"]
    wanted = [len(sentences) - 1, *reversed(asked), *reversed(range(len(sentences)))]
    chosen: dict[int, str] = {}
    room = limit
    for number in wanted:
        sentence = sentences[number].strip()[-limit:]
        if number in chosen:
            continue
        if len(sentence) > room:
            break
        chosen[number] = sentence
        room -= len(sentence) + 1
    return " ".join(chosen[number] for number in sorted(chosen))
