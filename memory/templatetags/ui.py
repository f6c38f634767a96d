"""Template tags of the look: icons, navigation links, initials."""

from typing import Any

from django import template
from django.templatetags.static import static
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
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


@register.inclusion_tag("includes/_nav_link.html", takes_context=True)
def nav_link(
    context: dict[str, Any], view: str, icon_name: str, label: str, count: int = 0
) -> dict[str, Any]:
    """A link of the rail, marked when the page is this one or below it.

    Renders nothing for a view that this installation does not route.
    """
    try:
        url = reverse(view)
    except NoReverseMatch:
        return {"url": ""}
    request = context.get("request")
    path = request.path if request else ""
    return {
        "url": url,
        "icon_name": icon_name,
        "label": label,
        "count": count,
        "current": path == url,
        "within": path != url and url != "/" and path.startswith(url),
    }


@register.filter
def initials(name: str) -> str:
    """Up to two letters for an avatar: "mara.lind" -> "ml"."""
    parts = [part for part in name.replace("-", ".").replace("_", ".").split(".")]
    return "".join(part[:1] for part in parts if part)[:2]
