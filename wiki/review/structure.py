"""What a distilled page is made of: sections of sentences, each with its facts. Pure.

A sentence is one item of a list, on one line: what changes between two drafts are then
whole lines, and a line of a page is found again as the sentence it came from.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

MAX_SENTENCE = 1000
MAX_HEADING = 120
BULLET = "- "
LEAST_ALIKE = 0.4
"""Share of common words from which an edited sentence is taken for the same one."""

_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_HEADING = re.compile(r"^##[ \t]+(.+?)[ \t#]*$")
# What would make another block of a list item: a heading, a quotation, an inner list.
_BLOCK = re.compile(r"^(?:(?:[#>|~`=+*-]|\d{1,9}[.)](?=\s))+\s*)+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One statement and the ids of the records it came from.

    `edited` says that a person has written it: it needs no record behind it.
    """

    text: str
    facts: tuple[str, ...] = ()
    edited: bool = False

    @property
    def line(self) -> str:
        """Return it as a line of Markdown."""
        return f"{BULLET}{self.text}\n"

    @property
    def is_unsourced(self) -> bool:
        """Say whether a machine claims it out of nothing."""
        return not self.facts and not self.edited


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, and what is said below it."""

    heading: str
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Structure:
    """A whole draft; `considered` has each record that was looked at, and its hash."""

    sections: tuple[Section, ...] = ()
    considered: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.sections)

    def sentences(self) -> Iterator[Sentence]:
        """Yield all sentences, in order."""
        for section in self.sections:
            yield from section.sentences

    @property
    def cited(self) -> list[str]:
        """Return the ids of the records behind it, each once, in order."""
        return list(dict.fromkeys(uid for s in self.sentences() for uid in s.facts))


def from_json(data: Mapping[str, Any]) -> Structure:
    """Read what `to_json` has written."""
    return Structure(
        sections=tuple(
            Section(
                section["heading"],
                tuple(
                    Sentence(
                        text=sentence["text"],
                        facts=tuple(sentence["facts"]),
                        edited=sentence.get("edited", False),
                    )
                    for sentence in section["sentences"]
                ),
            )
            for section in data.get("sections", ())
        ),
        considered=data.get("considered", {}),
    )


def to_json(structure: Structure) -> dict[str, Any]:
    """Return the structure as plain data, for the draft's row."""
    return {
        "sections": [
            {
                "heading": section.heading,
                "sentences": [_sentence_json(one) for one in section.sentences],
            }
            for section in structure.sections
        ],
        "considered": dict(structure.considered),
    }


def _sentence_json(sentence: Sentence) -> dict[str, Any]:
    found: dict[str, Any] = {"text": sentence.text, "facts": list(sentence.facts)}
    return found | ({"edited": True} if sentence.edited else {})


def one_line(text: str, limit: int) -> str:
    """Return a text as it can stand in one line, never as another block."""
    flat = " ".join(text.replace("\0", "").split())
    flat = _BLOCK.sub("", flat)
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def merged(sections: Iterable[Section]) -> tuple[Section, ...]:
    """Return the sections, those of one heading as one; nothing is said twice."""
    found: dict[str, Section] = {}
    for section in sections:
        name = section.heading.casefold()
        before = found.get(name, replace(section, sentences=()))
        known = {sentence.text.casefold() for sentence in before.sentences}
        new = [s for s in section.sentences if s.text.casefold() not in known]
        new = list({s.text.casefold(): s for s in reversed(new)}.values())[::-1]
        found[name] = replace(before, sentences=(*before.sentences, *new))
    return tuple(section for section in found.values() if section.sentences)


def applied(body: str, *, gone: Iterable[Sentence], new: Sequence[Section]) -> str:
    """Return a page's text without the lines of some sentences, and with new ones.

    Everything else stays as people left it. New sentences go below their heading where
    the page has it, else into a section at the end; a heading with nothing left goes.
    """
    lines = _LINES.findall(body)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    out = {sentence.line for sentence in gone}
    touched = {_section_at(lines, at) for at, line in enumerate(lines) if line in out}
    lines = [line for line in lines if line not in out]
    for section in new:
        _insert(lines, section)
    for heading in filter(None, touched):
        _drop_if_empty(lines, heading)
    return "".join(lines)


def restated(structure: Structure, body: str) -> Structure:
    """Return the structure of a text that a person has edited.

    Lines that stand as they did keep their records. A list item that differs is the
    person's; it has the records of the sentence whose place it took.
    """
    lost = {sentence.text: sentence for sentence in structure.sentences()}
    found: list[tuple[str, list[Sentence]]] = [("", [])]
    for line in body.split("\n"):
        if heading := _HEADING.match(line):
            found.append((heading[1], []))
        elif line.startswith(BULLET) and (text := line.removeprefix(BULLET).strip()):
            found[-1][1].append(lost.pop(text, Sentence(text, edited=True)))
    sections = [
        Section(heading, tuple(_with_facts(one, lost) for one in said))
        for heading, said in found
        if said
    ]
    return replace(structure, sections=tuple(sections))


def _with_facts(sentence: Sentence, lost: dict[str, Sentence]) -> Sentence:
    """Return an edited sentence with the records of the most similar one that went."""
    if not sentence.edited or sentence.facts or not lost:
        return sentence
    best = max(lost, key=lambda text: _alike(text, sentence.text))
    if _alike(best, sentence.text) < LEAST_ALIKE:
        return sentence
    return replace(sentence, facts=lost.pop(best).facts)


def _alike(one: str, other: str) -> float:
    """Return the share of words that two sentences have in common."""
    a, b = set(one.casefold().split()), set(other.casefold().split())
    return 2 * len(a & b) / (len(a) + len(b))


def _block(section: Section) -> str:
    lines = "".join(sentence.line for sentence in section.sentences)
    return f"## {section.heading}\n\n{lines}" if section.heading else lines


def _section_at(lines: Sequence[str], at: int) -> str:
    """Return the heading that a line stands under, "" for none."""
    for line in reversed(lines[:at]):
        if heading := _HEADING.match(line):
            return heading[1].casefold()
    return ""


def _insert(lines: list[str], section: Section) -> None:
    added = [sentence.line for sentence in section.sentences]
    at = _end_of(lines, section.heading)
    if at is None:
        if lines and lines[-1].strip():
            lines.append("\n")
        lines += _LINES.findall(_block(section))
        return
    if not lines[at - 1].startswith(BULLET):
        added.insert(0, "\n")
    lines[at:at] = added


def _end_of(lines: Sequence[str], heading: str) -> int | None:
    """Return where a section takes another sentence: after its last one, or its end."""
    starts = (n for n, line in enumerate(lines) if _is_heading(line, heading))
    start = next(starts, None)
    if start is None:
        return None
    following = range(start + 1, len(lines))
    stop = next((n for n in following if lines[n].startswith("#")), len(lines))
    said = [n for n in range(start, stop) if lines[n].startswith(BULLET)]
    if said:
        return said[-1] + 1
    while not lines[stop - 1].strip():
        stop -= 1
    return stop


def _drop_if_empty(lines: list[str], heading: str) -> None:
    """Take out a heading below which nothing is left."""
    places = (n for n, line in enumerate(lines) if _is_heading(line, heading))
    at = next(places, None)
    if at is None:
        return
    stop = at + 1
    while stop < len(lines) and not lines[stop].strip():
        stop += 1
    if stop == len(lines) or lines[stop].startswith("#"):
        del lines[at:stop]
        while stop >= len(lines) and lines and not lines[-1].strip():
            lines.pop()


def _is_heading(line: str, heading: str) -> bool:
    found = _HEADING.match(line.rstrip("\n"))
    return found is not None and found[1].casefold() == heading.casefold()
