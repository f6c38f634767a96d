"""THE permission module: who reads which records, and who may do what.

Reads are a `Q` on the spaces an actor may read; all else is a verdict, yes or no with a
reason.
"""

from memory.access.reading import (
    in_spaces,
    live,
    readable,
    readable_session_kinds,
    readable_space_ids,
    reads_personal,
)
from memory.access.verdicts import (
    YES,
    Verdict,
    can_administrate,
    can_append,
    can_command,
    can_consolidate,
    can_purge,
    can_teach,
)
from memory.access.writing import (
    can_change,
    can_set_tags,
    can_take_back,
    can_write,
    can_write_daily_notes,
    is_listed,
)

__all__ = [
    "YES",
    "Verdict",
    "can_administrate",
    "can_append",
    "can_change",
    "can_command",
    "can_consolidate",
    "can_purge",
    "can_set_tags",
    "can_take_back",
    "can_teach",
    "can_write",
    "can_write_daily_notes",
    "in_spaces",
    "is_listed",
    "live",
    "readable",
    "readable_session_kinds",
    "readable_space_ids",
    "reads_personal",
]
