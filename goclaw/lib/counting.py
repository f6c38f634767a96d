"""Have several processes count for Prometheus as one; before its library is loaded."""

import os
import shutil
from pathlib import Path

_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"


def count_together(folder: Path) -> None:
    """Have this process and all it forks count in files of the folder, from zero."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    os.environ[_VARIABLE] = str(folder)


def counts_together() -> bool:
    """Say whether the figures of this process are only a part."""
    return _VARIABLE in os.environ
