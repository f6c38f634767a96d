"""Template tags of the look: icons, navigation links, names and ages."""

import math
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from django import template
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator
from django.utils.timesince import timesince, timeuntil

from goclaw.lib.plurals import number_of
from memory.models import Job, Memory
from memory.models.memories import RESTORABLE_FOR
from memory.scopes import Scope
from memory.web.plain import plain
from memory.web.presenting import SCOPE_LABELS

register = template.Library()


@register.simple_tag
@lru_cache(maxsize=500)
def icon(name: str, label: str = "") -> SafeString:
    """One symbol of the sprite; hidden from screen readers unless it has a label."""
    href = f"{static('img/icons.svg')}#{name}"
    if label:
        return format_html(
            '<svg class="icon" role="img" aria-label="{}"><use href="{}"/></svg>',
            label,
            href,
        )
    return format_html(
        '<svg class="icon" aria-hidden="true"><use href="{}"/></svg>', href
    )


@register.simple_tag(takes_context=True)
def nav_link(
    context: dict[str, Any], view: str, icon_name: str, label: str
) -> SafeString:
    """A link of the rail, marked when the page is this one or below it.

    A page whose address lies elsewhere says in `nav_path` which page it belongs to.
    """
    url = reverse(view)
    request = context.get("request")
    path = context.get("nav_path") or (request.path if request else "")
    current = "page" if path == url else "true" if path.startswith(url) else ""
    return format_html(
        '<li><a href="{}"{}>{}<span>{}</span></a></li>',
        url,
        format_html(' aria-current="{}"', current) if current else "",
        icon(icon_name),
        label,
    )


@register.filter
def initials(name: str) -> str:
    """Up to two letters for an avatar: "mara.lind" -> "ml"."""
    parts = name.replace("-", ".").replace("_", ".").split(".")
    return "".join(part[:1] for part in parts)[:2]


@register.filter
def scope_label(scope: str) -> str:
    """The name people read: "agent_notes" -> "Agent notes"."""
    return SCOPE_LABELS[Scope(scope)]


@register.filter
def is_older(memory: Memory) -> bool:
    """Say whether it was true noticeably before it was written down."""
    return memory.created_at - memory.observed_at > timedelta(days=1)


@register.filter
def excerpt(content: str, title: str = "") -> str:
    """The first words of a text, less a heading that repeats the title."""
    start = content[:1000].lstrip()
    if title:
        start = start.removeprefix(f"# {title}")
    return Truncator(" ".join(plain(start)[0].split())).chars(400)


@register.simple_tag
def ago(moment: datetime | None) -> SafeString | str:
    """A time as its distance from now, the exact one on hovering."""
    if moment is None:
        return "never"
    now = timezone.now()
    if abs(now - moment) < timedelta(minutes=1):
        text = "just now"
    elif moment > now:
        text = f"in {timeuntil(moment, now, depth=1)}"
    else:
        text = f"{timesince(moment, now, depth=1)} ago"
    local = timezone.localtime(moment)
    exact = local.isoformat(timespec="seconds")
    title = f"{local:%Y-%m-%d %H:%M:%S %Z}"
    html = f'<time datetime="{exact}" title="{title}">{text}</time>'
    return mark_safe(html)  # noqa: S308 - numbers and names of zones


@register.filter
def purged_in(forgotten_at: datetime) -> str:
    """How long a forgotten record can still be restored: "29 days", at least one."""
    left = forgotten_at + RESTORABLE_FOR - timezone.now()
    days = max(1, math.ceil(left / timedelta(days=1)))
    return f"{days} day{'s' if days > 1 else ''}"


@register.filter
def undo_url(tags: str) -> str:
    """Where a message lets one take back what it tells: "undo:<path>" in its tags."""
    marks = [tag for tag in tags.split() if tag.startswith("undo:")]
    return marks[0].removeprefix("undo:") if marks else ""


@register.filter
def words(name: str) -> str:
    """The name of a count for people: "model_calls" is "model calls"."""
    return name.replace("_", " ")


@register.filter
def counts(result: dict[str, int]) -> str:
    """Counts by name as a line: "12 chunks, 3 records"; zeros are left out."""
    return ", ".join(
        number_of(count, words(name)) for name, count in result.items() if count
    )


@register.simple_tag
def took(job: Job) -> str:
    """How long a job took from its first turn to its end, empty for one without."""
    if job.started_at is None or job.finished_at is None:
        return ""
    seconds = (job.finished_at - job.started_at).total_seconds()
    return f"{seconds:.1f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


@register.filter
def thousands(number: int) -> str:
    """A count people can read: 12500 -> "12,500"."""
    return f"{number:,}"
