"""A job of learning in a process of its own, which kills itself where it is told to.

The model in it repeats what it is shown: the first note of each group, message or note.
"""

import os
import re
import signal
import sys
from collections.abc import Callable
from typing import Any

POINTS = {
    "extract": (
        "before anything",
        "a fact stored, not committed",
        "the position noted, not committed",
        "a part stored",
    ),
    "consolidate": (
        "before anything",
        "a source retired, not committed",
        "a merge done, not marked",
        "a question done",
    ),
    "curate": (
        "before anything",
        "the plan noted",
        "the file written aside",
        "the file in its place",
        "the records in the bin",
        "the files moved",
    ),
}


class Repeating:
    """A model that answers every question from what it is shown."""

    name = "repeating"

    def complete(self, *, system: str, prompt: str, schema: Any) -> Any:
        """Return an answer by the schema that the checks let through."""
        match schema.__name__:
            case "ExtractionReply":
                facts = [
                    {"text": text, "kind": "fact", "message": int(number)}
                    for number, text in _bodies(prompt)
                ]
                return schema(facts=facts)
            case "CurationReply":
                found = [
                    {"text": text, "notes": [int(n)]} for n, text in _bodies(prompt)
                ]
                return schema(facts=found)
            case "ConsolidationReply":
                return schema(merges=_merges(prompt))
        return schema()


def _bodies(prompt: str) -> list[tuple[str, str]]:
    return re.findall(r"^\[(\d+)\] [^\n]*\n([^\n]+)", prompt, re.MULTILINE)


def _merges(prompt: str) -> list[dict[str, Any]]:
    merges = []
    for group in prompt.split("Group ")[1:]:
        notes = re.findall(r"^\[(\d+)\] ([^\n]+)", group, re.MULTILINE)
        longest = max((text for _, text in notes), key=len)
        merges.append({"notes": [int(n) for n, _ in notes], "text": longest})
    return merges


def main() -> None:
    """Run the job of the command line up to a point, or to its end without one."""
    import django

    django.setup()

    from memory import llm, runner

    llm.get_model = Repeating
    job, point = int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""
    _die_at(point)
    runner.run(job)


def _die_at(point: str) -> None:
    from goclaw.lib import files
    from memory import memory_file
    from memory.lifecycle import consolidation, curation, deciding, extraction
    from memory.sessions import extracting

    match point:
        case "before anything":
            Repeating.complete = die
        case "a fact stored, not committed":
            extraction.learn = after(extraction.learn)
        case "the position noted, not committed":
            extracting.Session.save = after(extracting.Session.save)
        case "a part stored":
            extracting._keep = after(extracting._keep)
        case "a source retired, not committed":
            deciding._retired = after(deciding._retired)
        case "a merge done, not marked":
            consolidation._merge = after(consolidation._merge)
        case "a question done":
            consolidation._apply = after(consolidation._apply)
        case "the plan noted":
            memory_file.rewrite = die
        case "the file written aside":
            files.os.fsync = die
        case "the file in its place":
            memory_file.rewrite = after(memory_file.rewrite)
        case "the records in the bin":
            curation._forget = after(curation._forget)
        case "the files moved":
            curation._move = after(curation._move)


def die(*args: object, **kwargs: object) -> None:
    """Be gone at once, as by kill -9."""
    os.kill(os.getpid(), signal.SIGKILL)


def after(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that does what the given one does, and then is gone."""

    def once(*args: object, **kwargs: object) -> None:
        function(*args, **kwargs)
        die()

    return once


if __name__ == "__main__":
    main()
