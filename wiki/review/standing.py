"""What a page stands on: the approval that its readers are told of."""

from memory.models import ReviewState
from wiki.models import Page, PageDraft


def approval_of(page: Page) -> PageDraft | None:
    """Return the draft of the page that was approved last and still counts."""
    approved = PageDraft.objects.filter(page=page, item__state=ReviewState.APPROVED)
    drafts = approved.filter(item__via="distill").select_related("item__decided_by")
    return drafts.defer("body", "structure").order_by("-id").first()
