"""What holds for every page: sign-in, safe methods, policy, no foreign asset."""

import re
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings
from django.test import Client, RequestFactory

from goclaw.views import server_error

pytestmark = pytest.mark.django_db

MISSING = UUID("5a8c0d0c-ff19-4577-a7c9-a3ac2033131d")
PAGES = [
    "/",
    "/search",
    "/memories/",
    "/memories/add",
    "/memories/bin",
    "/records/",
    "/workspace/",
    "/workspace/default",
    "/context/",
    "/jobs/",
    "/status/",
]
ROW_PAGES = [
    f"/records/{MISSING}",
    f"/records/{MISSING}/edit",
    f"/records/{MISSING}/purge",
    f"/jobs/{MISSING}",
]
POST_ONLY = [
    "/workspace/nobody/read",
    f"/records/{MISSING}/forget",
    f"/records/{MISSING}/restore",
    f"/jobs/{MISSING}/retry",
]
TEMPLATES = sorted(Path(settings.BASE_DIR, "templates").rglob("*.html"))


@pytest.mark.parametrize("path", [*PAGES, *ROW_PAGES])
def test_a_visitor_is_sent_to_sign_in_and_back(client: Client, path: str) -> None:
    answer = client.get(path)

    assert answer.status_code == 302
    assert answer["Location"] == f"/accounts/login/?next={path}"


@pytest.mark.parametrize("path", POST_ONLY)
def test_a_visitor_changes_nothing(client: Client, path: str) -> None:
    answer = client.post(path)

    assert answer.status_code == 401
    assert "Nothing was changed" in answer.content.decode()


def test_an_address_that_leads_nowhere_keeps_the_navigation(
    client: Client, alice_web: Client
) -> None:
    for web, link in ((alice_web, "/memories/"), (client, "/accounts/login/")):
        answer = web.get("/no-such-page")
        assert answer.status_code == 404
        assert f'<li><a href="{link}"' in answer.content.decode()


def test_a_page_is_called_what_its_link_says(admin_web: Client) -> None:
    page = admin_web.get("/").content.decode()
    links = re.findall(r'<li><a href="(/[^"]*)"[^>]*><svg.*?<span>([^<]+)</span>', page)
    assert ("/context/", "Prompt") in links
    for path, name in links:
        if path == "/wiki/":
            continue  # it opens at a page that people named
        title = re.search("<h1[^>]*>(.*?)</h1>", admin_web.get(path).content.decode())
        assert title, path
        assert name.lower() in title[1].lower(), path


@pytest.mark.parametrize("path", PAGES)
def test_pages_open_on_an_empty_installation(alice_web: Client, path: str) -> None:
    answer = alice_web.get(path)

    assert answer.status_code == 200
    assert "private" in answer["Cache-Control"]
    assert "script-src 'self'" in answer["Content-Security-Policy"]
    assert "unsafe-inline" not in answer["Content-Security-Policy"]


@pytest.mark.parametrize("path", ROW_PAGES)
def test_what_does_not_exist_is_404(admin_web: Client, path: str) -> None:
    assert admin_web.get(path).status_code == 404


@pytest.mark.parametrize("path", POST_ONLY)
def test_changes_need_a_post_and_a_record(admin_web: Client, path: str) -> None:
    assert admin_web.get(path).status_code == 405
    assert admin_web.post(path).status_code == 404


def test_changes_need_the_forms_token(alice: object) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(alice)  # type: ignore[arg-type]

    answer = strict.post("/memories/add", {"content": "x", "scope": "personal"})

    assert answer.status_code == 403
    assert "out of date" in answer.content.decode()


def test_our_own_faults_have_a_page_that_needs_no_database(
    rf: RequestFactory, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(0):
        answer = server_error(rf.get("/"))

    assert answer.status_code == 500
    assert b"Something broke on our side" in answer.content


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_templates_obey_the_policy(template: Path) -> None:
    """No inline script, style or handler, and no asset from another host."""
    text = template.read_text()

    assert not re.search(r"<script(?![^>]*\bsrc=)", text)
    assert not re.search(r"<style\b|\sstyle=|\son[a-z]+=", text)
    assert not re.search(r"(src|href|action)=[\"'](https?:)?//", text)
    assert not re.search(r"\|safe\b|autoescape off|mark_safe", _own(text))


def _own(text: str) -> str:
    """Leave out the help texts of forms, which are the code's own words."""
    return text.replace("field.help_text|safe", "")


def test_scripts_and_styles_load_nothing_from_elsewhere() -> None:
    for file in Path(settings.BASE_DIR, "static").rglob("*"):
        if file.suffix in {".css", ".js"}:
            text = re.sub(r"(^|\s)// .*$", "", file.read_text(), flags=re.M)
            assert not re.search(r"//\w", text), file.name


def test_every_icon_in_use_is_in_the_sprite() -> None:
    sprite = Path(settings.BASE_DIR, "static/img/icons.svg").read_text()
    known = set(re.findall(r'<symbol id="([^"]+)"', sprite))
    used = {
        name
        for template in TEMPLATES
        for name in re.findall(
            r'{% icon "([^"]+)"|icon_name="([^"]+)"|nav_link "[^"]+" "([^"]+)"'
            r'|icon_name\|default:"([^"]+)"',
            template.read_text(),
        )
    }
    names = {name for found in used for name in found if name}

    assert names <= known
    assert known <= names, "icons that no page uses"
