"""Whether each language's own records come first for questions in that language."""

from typing import Any

from bench.client import Client
from bench.pairs import PAIRS
from bench.report import Section


def records() -> list[dict[str, Any]]:
    """Return the records of all languages."""
    return [
        {"scope": "agent_notes", "content": content}
        for pairs in PAIRS.values()
        for content, _ in pairs
    ]


def report(section: Section, client: Client) -> None:
    """Ask every question, and report how many found their record first."""
    for language, pairs in PAIRS.items():
        missed = [
            question
            for content, question in pairs
            if not _is_first(client, question, content)
        ]
        section.add(
            f"{language}, found first of {len(pairs)}",
            len(pairs) - len(missed),
            at_least=len(pairs),
            note="; ".join(missed),
        )


def _is_first(client: Client, question: str, content: str) -> bool:
    hits = client.search(question)["results"]
    return bool(hits) and hits[0]["snippet"].strip() == content
