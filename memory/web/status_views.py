"""The status page: is everything well, and how is the memory used."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.http import BrowserRequest
from memory.web import status as now
from memory.web.charts import bar_chart
from memory.web.figures import GROWTH_DAYS, figures, recalled_records
from memory.web.http import page


@require_safe
@page
def status(request: BrowserRequest) -> HttpResponse:
    """Show index, workers, model, storage and figures of what one may read."""
    counted = figures(request.actor)
    return render(
        request,
        "memory/status.html",
        {
            "figures": counted,
            "growth": bar_chart(counted.growth),
            "recalled": recalled_records(request.actor, counted),
            "days": GROWTH_DAYS,
            "queues": now.queue_states(),
            "searches": now.search_times(),
            "model": now.embedding_model(),
            "storage": now.storage() if request.actor.is_admin else None,
        },
    )
