"""`python -m bench`: run the parts, print figures with targets, write them as JSON."""

import argparse
import signal
import sys
import time
from pathlib import Path

from bench import (
    context,
    crash,
    indexing,
    learning,
    relevance,
    retrieval,
    review,
    speed,
    switch,
    wiki,
)
from bench.engines import ENGINES, POSTGRESQL, databases
from bench.options import Options, Part
from bench.report import Report, print_verdicts, save

PARTS: dict[str, Part] = {
    "speed": speed.run,
    "indexing": indexing.run,
    "retrieval": retrieval.run,
    "relevance": relevance.run,
    "context": context.run,
    "learning": learning.run,
    "crash": crash.run,
    "switch": switch.run,
    "wiki": wiki.run,
    "review": review.run,
}


def main() -> None:
    """Run what the command line asks for."""
    arguments = _parser().parse_args()
    # So that servers are stopped on the way out.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    start, report = time.monotonic(), Report()
    with databases(with_postgresql=POSTGRESQL in arguments.engines) as make:
        options = Options(
            quick=arguments.quick,
            data=arguments.data,
            engines=tuple(arguments.engines),
            databases=make,
        )
        for name in arguments.parts:
            PARTS[name](options, report)
    seconds = time.monotonic() - start
    print_verdicts(report.figures)
    path = save(report.figures, quick=arguments.quick, seconds=seconds)
    print(f"\n{seconds / 60:.1f} minutes; {path}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, 5 minutes")
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=list(ENGINES))
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument(
        "--data",
        type=Path,
        help="conversations with questions in the form of LoCoMo, for `retrieval`;"
        " it is not part of the project",
    )
    return parser


if __name__ == "__main__":
    main()
