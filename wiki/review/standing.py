"""What a page stands on: the approval that its readers are told of."""

from memory.models import ReviewState
from wiki.models import Page, PageDraft

DISTILLED = "distill"


def approval_of(page: Page) -> PageDraft | None:
    """Return the distilled draft of the page that was approved last, and stands."""
    approved = PageDraft.objects.filter(page=page, item__state=ReviewState.APPROVED)
    drafts = approved.filter(item__via=DISTILLED).select_related("item__decided_by")
    return drafts.defer("body", "structure").order_by("-id").first()
