"""axe finds nothing to complain about, on any page, light and wide, dark and narrow."""

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from accounts.actors import actor_for_user
from accounts.models import User
from memory import changes
from memory.models import Job, JobKind, JobState, Memory
from wiki.pages import save_page
from wiki.trash import delete_page

RULES = {
    "runOnly": [
        "wcag2a",
        "wcag2aa",
        "wcag21a",
        "wcag21aa",
        "wcag22aa",
        "best-practice",
    ]
}
WIDE, NARROW = {"width": 1440, "height": 900}, {"width": 390, "height": 844}


def pages_of(mara: User) -> list[str]:
    """Return the addresses to look at, with rows behind them that show every part."""
    actor = actor_for_user(mara)
    edited = Memory.objects.get(domain="deploy")
    changes.edit(
        actor=actor,
        uid=edited.uid,
        changes={"content": edited.content.replace("Tuesdays", "Thursdays")},
    )
    forgotten = Memory.objects.get(kind="preference")
    changes.forget(actor=actor, uid=forgotten.uid)
    job = Job.objects.create(
        kind=JobKind.INDEX,
        queue="embed",
        state=JobState.DEAD,
        error="It was killed five times.",
        max_attempts=5,
        progress_total=10,
        progress_done=3,
    )
    turn = Memory.objects.get(sequence_position=1)
    return [
        "/",
        "/search",
        "/search?q=deploy&kind=decision",
        "/search?q=zzzz",
        "/memories/",
        "/memories/add",
        "/memories/bin",
        "/records/",
        f"/records/{edited.uid}?lines=1-1",
        f"/records/{edited.uid}/edit",
        f"/records/{edited.uid}/purge",
        f"/records/{turn.uid}",
        f"/records/{forgotten.uid}",
        "/jobs/",
        f"/jobs/{job.uid}",
        "/status/",
        "/accounts/profile/",
        "/accounts/keys/",
        "/accounts/password/",
        "/no-such-page",
    ]


def wiki_pages_of(mara: User) -> list[str]:
    """Return the addresses of the wiki, with pages behind them that have every part."""
    actor = actor_for_user(mara)

    def save(slug: str, body: str, **fields: Any) -> None:
        save_page(actor=actor, slug=slug, body=body, **fields)

    save("home", "Start. [[ops/relay]], [[missing]]\n", title="Home", tags=["start"])
    save("ops/relay", RICH, title="Relay")
    save("ops/relay", RICH.replace("uno", "due\u200b"), base_revision=1, tags=["run"])
    save("ops/gone", "Gone.\n")
    delete_page(actor=actor, slug="ops/gone")
    return [
        "/wiki/",
        "/wiki/ops/relay",
        "/wiki/ops",
        "/wiki/not/there",
        "/wiki/-/pages",
        "/wiki/-/new?under=ops",
        "/wiki/-/edit/ops/relay",
        "/wiki/-/history/ops/relay",
        "/wiki/-/revision/ops/relay?n=1",
        "/wiki/-/diff/ops/relay",
        "/wiki/-/diff/ops/relay?view=unified",
        "/wiki/-/move/ops",
        "/wiki/-/delete/ops/relay",
        "/wiki/-/files/ops/relay",
        "/wiki/-/restrict/ops",
        "/wiki/-/recent",
        "/wiki/-/broken",
        "/wiki/-/tags",
        "/wiki/-/tags?tag=run",
        "/wiki/-/trash",
        "/wiki/-/search?q=relay",
        "/wiki/-/search?q=zzzz",
        "/wiki/-/import",
        "/wiki/-/export",
    ]


RICH = """\
# Relay

Text with `code`, **strong**, a [link](https://example.org/) and a note.[^1]

!!! warning "Careful"
    Hot.

## Steps

- [ ] uno
- [x] tre

| a | b |
|---|---|
| 1 | 2 |

```python
def f(x: int) -> str:  # a comment
    return f"{x!r} and more than fits into one line of a narrow phone, certainly"
```

### Deeper

> Said.

Term
:   Meaning

[^1]: The note.
"""


def complaints_about(page: Page) -> list[Any]:
    found = Axe().run(page, options=RULES).response["violations"]
    return [
        (
            rule["id"],
            [(node["html"][:160], node["failureSummary"]) for node in rule["nodes"]],
        )
        for rule in found
    ]


@pytest.mark.parametrize(
    ("theme", "viewport"), [("light", WIDE), ("dark", NARROW)], ids=["light", "dark"]
)
def test_pages_are_accessible(
    open_page: Callable[..., Page], mara: User, theme: str, viewport: dict[str, int]
) -> None:
    page = open_page(mara, color_scheme=theme, viewport=viewport)
    found = {}

    for path in [*pages_of(mara), *wiki_pages_of(mara)]:
        page.goto(path)
        for details in page.locator("main details").all():
            details.evaluate("element => element.open = true")
        if complaints := complaints_about(page):
            found[path] = complaints
        overflows = "document.documentElement.scrollWidth > innerWidth"
        assert not page.evaluate(overflows), f"{path} scrolls sideways"

    assert found == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_sign_in_is_accessible(open_page: Callable[..., Page], theme: str) -> None:
    page = open_page(color_scheme=theme)
    page.goto("/accounts/login/")
    page.get_by_label("Username").fill("nobody")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()

    assert complaints_about(page) == []


def test_the_user_menu_is_accessible(
    open_page: Callable[..., Page], mara: User
) -> None:
    page = open_page(mara)
    page.goto("/")
    page.get_by_role("button", name="Account menu").click()

    assert page.get_by_role("button", name="Sign out").is_visible()
    assert complaints_about(page) == []
