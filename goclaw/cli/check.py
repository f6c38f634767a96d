"""`goclaw check`: whether everything fits together, and mending what does not."""

from dataclasses import asdict
from typing import Annotated

import typer

from goclaw.cli.failures import CommandFailed
from goclaw.cli.local import project
from goclaw.cli.output import Json, print_json, progress, say, table


def check(
    repair: Annotated[
        bool, typer.Option("--repair", help="Mend what can be mended.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Compare index, records, replacements, copies and files with each other.

    It opens the database itself; the server may run. Ends with 1 if something is wrong
    that was not mended.

    \b
    Examples:
      goclaw check
      goclaw check --repair
    """
    with project(), progress("checks") as move:
        from memory import checking

        names: list[str] = []

        def seen(name: str) -> None:
            names.append(name)
            move(len(names), text=name)

        findings = list(checking.run(repair=repair, seen=seen))
    wrong = [finding for finding in findings if finding.count]
    left = sum(finding.left for finding in findings)
    if as_json:
        shown = [asdict(one) | {"repaired": one.repaired} for one in findings]
        print_json({"checks": len(findings), "left": left, "findings": shown})
    elif not wrong:
        say(f"{len(findings)} checks, nothing wrong.")
    else:
        rows = [asdict(one) | {"repaired": one.repaired} for one in wrong]
        columns = {
            "count": "found",
            "problem": "what",
            "repaired": "mended",
            "examples": "such as",
            "advice": "what to do",
        }
        table(rows, columns)
    if left:
        raise CommandFailed(
            f"{left} things are wrong.",
            remedy=""
            if repair
            else "`goclaw check --repair` mends what can be mended.",
            code="check_failed",
        )
