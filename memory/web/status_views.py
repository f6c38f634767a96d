"""The status page: is everything well, and how is the memory used."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.http import BrowserRequest
from memory.web import status as facts
from memory.web.charts import bar_chart
from memory.web.http import page


@require_safe
@page
def status(request: BrowserRequest) -> HttpResponse:
    """Show index, workers, model, storage and figures of what one may read."""
    actor = request.actor
    return render(
        request,
        "memory/status.html",
        {
            "records": facts.count_records(actor),
            "queues": facts.queue_states(),
            "model": facts.embedding_model(),
            "storage": facts.storage() if actor.is_admin else None,
            "growth": bar_chart(facts.growth(actor)),
            "recalled": facts.most_recalled(actor),
            "never": facts.never_recalled(actor),
            "days": facts.GROWTH_DAYS,
        },
    )
