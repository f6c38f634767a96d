"""Who waits for whom while the wiki changes.

Saving a page holds the structure together with other savers, and its page alone.
Whatever changes which pages exist, where they are, or who reads them holds the
structure alone: links, redirects, counts and spaces then agree with the pages.
"""

from memory.locks import lock

_STRUCTURE = ("wiki", "structure")


def hold_page(page_id: int) -> None:
    """Hold one page until the transaction ends, where the structure stays as it is."""
    lock(_STRUCTURE, shared=True)
    lock(("wiki", "page", page_id))


def hold_structure() -> None:
    """Hold the whole wiki until the transaction ends."""
    lock(_STRUCTURE)
