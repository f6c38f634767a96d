"""Whether tables, index and files agree with each other, and how they are made to.

Each app's `checking.py` (or package) registers its checks.
"""

from memory.checking import index, records, workspaces  # noqa: F401  (register)
from memory.checking.registry import Finding, run

__all__ = ["Finding", "run"]
