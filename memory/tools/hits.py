"""How the hits of a search are told to a model, and that there could be no search."""

from typing import Any

from goclaw.lib.errors import Unavailable
from memory.search import SearchAnswer, SearchHit
from memory.tools.base import ToolResult


def told(answer: SearchAnswer, *, more: str) -> ToolResult:
    """Return hits as a numbered list with ids and citations, and as data.

    `more` is the tool that reads on. What is missing from the answer is said in it: an
    agent must not take "not indexed yet" for "not known".
    """
    notes = _notes(answer)
    if answer.hits:
        count = len(answer.hits)
        head = f"{count} result{'s' if count > 1 else ''}, best first. {more}"
    else:
        head = "Nothing was found."
    hits = [_text(number, hit) for number, hit in enumerate(answer.hits, 1)]
    degraded = answer.degraded
    return ToolResult(
        text="\n".join([head, *hits, *notes]),
        data={
            "results": [_data(hit) for hit in answer.hits],
            "mode": answer.mode,
            "pending": answer.pending,
            "degraded": degraded
            and {"reason": degraded.reason, "action": degraded.action},
        },
    )


def unavailable(error: Unavailable) -> ToolResult:
    """Return the answer where nothing could be searched: never a plain "nothing"."""
    action = error.remedy or "Try again later."
    return ToolResult(
        text=f"The memory could not be searched: {error.message} This does not mean"
        f" that nothing is known. {action}",
        data={
            "results": [],
            "disabled": True,
            "unavailable": True,
            "error": error.message,
            "warning": "Nothing was searched; do not conclude that nothing is known.",
            "action": action,
        },
        failed=error,
    )


def _notes(answer: SearchAnswer) -> list[str]:
    notes = []
    if answer.degraded:
        notes.append(
            f"Note: these are found by words only. {answer.degraded.reason}"
            f" {answer.degraded.action}"
        )
    if answer.pending:
        notes.append(
            f"Note: {answer.pending} records are so new that they are found by words"
            " only."
        )
    return notes


def _text(number: int, hit: SearchHit) -> str:
    about = [hit.scope, hit.kind, *([hit.domain] if hit.domain else [])]
    about.append(f"{hit.age_days:.0f} days old")
    if hit.tags:
        about.append(f"tags: {', '.join(hit.tags)}")
    if hit.superseded_by:
        about.append(f"replaced by {hit.superseded_by}")
    lines = [f"{number}. [{hit.score:.2f}] {hit.citation} ({'; '.join(about)})"]
    if hit.path:
        lines.append(f"   id {hit.id}")
    if hit.title and hit.title not in hit.snippet:
        lines.append(f"   {hit.title}")
    lines += [f"   {line}" for line in hit.snippet.splitlines()]
    return "\n".join(lines)


def _data(hit: SearchHit) -> dict[str, Any]:
    return {
        "id": str(hit.id),
        "citation": hit.citation,
        "scope": hit.scope,
        "kind": hit.kind,
        "domain": hit.domain,
        "tags": list(hit.tags),
        "title": hit.title,
        "path": hit.path,
        "line_start": hit.line_start,
        "line_end": hit.line_end,
        "snippet": hit.snippet,
        "score": hit.score,
        "age_days": hit.age_days,
        "superseded": hit.superseded,
        "superseded_by": hit.superseded_by and str(hit.superseded_by),
        # The same under the names that other file searches use.
        "file": hit.path or str(hit.id),
        "content": hit.snippet,
    }
