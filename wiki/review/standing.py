"""What a page stands on: the approval that its readers are told of."""

from goclaw.lib import sql
from memory.models import ReviewState
from wiki.models import Page, PageDraft

DISTILLED = "distill"

_LAST_APPROVED = """
id = (SELECT max(draft.id) FROM wiki_page_drafts AS draft
    JOIN memory_review_items AS item ON item.id = draft.item_id
    WHERE draft.page_id = %s AND item.state = %s AND item.via = %s)
"""


def approval_of(page: Page) -> PageDraft | None:
    """Return the distilled draft of the page that was approved last, and stands."""
    state = ReviewState.APPROVED.value
    return sql.first(PageDraft, _LAST_APPROVED, page.pk, state, DISTILLED)
