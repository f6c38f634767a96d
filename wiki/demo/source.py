"""Read the sample wiki from the files beside this module."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any

from wiki import portable_text
from wiki.drafts import PageText

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True, kw_only=True)
class Save:
    """One save of a page: who, when (days before the sample is loaded), and what."""

    slug: str
    text: PageText
    by: str
    days_ago: int
    at: str
    summary: str

    def saved_at(self, loaded: datetime) -> datetime:
        """Return when it was saved, for a sample loaded at that time."""
        day = loaded.astimezone(UTC).date() - timedelta(days=self.days_ago)
        return datetime.combine(day, time.fromisoformat(self.at), UTC)


def story() -> dict[str, Any]:
    """Return editors, files, moves and what else happened to the pages."""
    found: dict[str, Any] = json.loads((DATA / "history.json").read_text("utf-8"))
    return found


def saves() -> list[Save]:
    """Return all saves, oldest first, as they would have been made."""
    found = [
        save
        for slug, entries in story()["saves"].items()
        for save in _saves_of(slug, entries)
    ]
    return sorted(found, key=lambda save: (-save.days_ago, save.at))


def picture(name: str) -> Path:
    """Return the path of a file that a page shows."""
    return DATA / "files" / name


def _saves_of(slug: str, entries: list[dict[str, Any]]) -> list[Save]:
    """Return the saves of a page: its file is the newest, `undo` leads back."""
    path = DATA / "pages" / f"{slug}.md"
    page = portable_text.read(path.read_text("utf-8"))
    body, found = page.body, []
    for entry in reversed(entries):
        text = PageText(title=page.title, tags=page.tags, body=body)
        kept = ("by", "days_ago", "at")
        about = {name: entry[name] for name in kept}
        found.append(
            Save(slug=slug, text=text, summary=entry.get("summary", ""), **about)
        )
        for new, old in entry.get("undo", ()):
            body = body.replace(new, old, 1)
    return found[::-1]
