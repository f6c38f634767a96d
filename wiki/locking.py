"""Who waits for whom while the wiki changes.

Saving a page holds the structure together with other savers, and its page alone.
Whatever changes which pages exist, where they are, or who reads them holds the
structure alone: links, redirects, counts and spaces then agree with the pages.
"""

from memory.locks import lock

_STRUCTURE = ("wiki", "structure")


def hold_page(page_id: int) -> None:
    """Hold one page until the transaction ends, where the structure stays as it is."""
    share_structure()
    lock(("wiki", "page", page_id))


def share_structure() -> None:
    """Keep the structure as it is until the transaction ends, together with others."""
    lock(_STRUCTURE, shared=True)


def hold_structure() -> None:
    """Hold the whole wiki until the transaction ends."""
    lock(_STRUCTURE)
