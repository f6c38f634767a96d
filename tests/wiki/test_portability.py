"""The wiki goes out as Markdown files, and comes in from anywhere without harm."""

import io
import json
import stat
import zipfile
from typing import Any

import pytest

from goclaw.lib import config
from tests.people import Api
from tests.wiki.calls import Wiki
from tests.wiki.files import attach, body_of, fetch, png
from tests.wiki.zips import bring, imported, query, raw, send, tried, zip_of
from wiki import archives
from wiki.drafts import PageText
from wiki.models import Attachment, Page
from wiki.portable_text import read, written


def export(api: Api, **params: str) -> zipfile.ZipFile:
    answer = fetch(api, "/api/memory/wiki/export" + query(params))
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/zip"
    return zipfile.ZipFile(io.BytesIO(body_of(answer)))


BODIES = {
    "home": "# Home\n\n[[ops/plan]] `[a](my page)`\n",
    "ops/plan": "    starts with code\n\n---\ntags: x\n---\nno line end",
    "ops/empty": "",
    "我是猫": "\n\n\ntext\n\n",
    "long": "the same words again and again\n" * 5_000,
}


@pytest.fixture
def full(wiki: Wiki) -> Wiki:
    for slug, body in BODIES.items():
        wiki.save(slug, body, title=f'T: "{slug}" — [x]', tags=["b", "a"])
    return wiki


def test_an_export_becomes_the_same_pages_in_an_empty_wiki(full: Wiki) -> None:
    file = attach(full.api, "ops/plan", png(), "Plan.png", description="D", tags="t")
    full.save("ops/show", f"![Plan]({file['url']})\n")
    before = {slug: full.read(slug) for slug in full.slugs()}
    data = raw(full.api)
    Attachment.objects.all().delete()
    Page.objects.all().delete()

    results = bring(full.api, data)

    assert {result for result, _ in results.values()} == {"created"}
    after = {slug: full.read(slug) for slug in full.slugs()}
    same = ("title", "tags", "body")
    assert {s: [p[f] for f in same] for s, p in after.items()} == {
        s: [p[f] for f in same] for s, p in before.items()
    }
    (again,) = full.list("/attachments", slug="ops/plan")["results"]
    for name in ("id", "name", "description", "tags", "sha256", "url"):
        assert again[name] == file[name]
    assert body_of(fetch(full.api, file["url"])) == png()


def test_importing_what_is_there_changes_nothing(full: Wiki) -> None:
    attach(full.api, "ops/plan", png(), "Plan.png")
    revisions = {slug: full.read(slug)["revision"] for slug in full.slugs()}

    results = bring(full.api, raw(full.api))

    assert {result for result, _ in results.values()} == {"unchanged"}
    assert {slug: full.read(slug)["revision"] for slug in full.slugs()} == revisions
    assert Attachment.objects.count() == 1


def test_the_first_try_writes_nothing_and_says_what_will_happen(full: Wiki) -> None:
    data = zip_of(
        ("new.md", "# New"), ("home.md", "changed"), ("a.txt", "x"), ("../b.md", "x")
    )

    trial = tried(full.api, data)

    assert full.read("home")["body"] == BODIES["home"]
    assert full.get("new").status_code == 404
    assert trial["counts"] == {"created": 1, "updated": 1, "skipped": 1, "refused": 1}
    assert trial["report"].splitlines() == [
        "refused: ../b.md: Its path leads out of the zip.",
        "skipped: a.txt: It is no Markdown file, and no page here links to it.",
        "created: new.md -> new",
        "updated: home.md -> home",
    ]
    assert imported(full.api, data)["counts"] == trial["counts"]
    assert full.read("home")["body"] == "changed"


def test_files_whose_id_is_taken_get_another_and_links_follow(full: Wiki) -> None:
    file = attach(full.api, "ops/plan", png(), "Plan.png")
    full.save("ops/show", f"![Plan]({file['url']})\n")

    bring(full.api, raw(full.api, under="ops"), under="copy")

    (copy,) = full.list("/attachments", slug="copy/ops/plan")["results"]
    assert copy["id"] != file["id"]
    assert full.read("copy/ops/show")["body"] == f"![Plan]({copy['url']})\n"
    assert body_of(fetch(full.api, file["url"])) == png()


def test_exports_hold_what_one_may_read(
    full: Wiki, reader: Wiki, admin_wiki: Wiki
) -> None:
    file = attach(full.api, "ops/plan", png(), "Plan.png")
    admin_wiki.restrict("ops", readers=[], writers=["erin"])

    names = set(export(reader.api).namelist())
    everything = set(export(full.api).namelist())

    assert not any("ops" in name or file["id"] in name for name in names)
    assert "home.md" in names
    assert {"ops/plan.md", f"-/files/{file['id']}/Plan.png"} <= everything
    assert json.loads(export(reader.api).read("-/files.json"))["files"] == []


def test_exports_of_a_section(full: Wiki) -> None:
    names = set(export(full.api, under="ops").namelist())

    assert names == {"ops/plan.md", "ops/empty.md", "-/files.json"}


def test_who_does_not_edit_imports_nothing(full: Wiki, reader: Wiki) -> None:
    results = bring(reader.api, zip_of(("new.md", "x"), ("home.md", "x")))

    assert results == {"new.md": ("refused", "new"), "home.md": ("refused", "home")}
    assert full.read("home")["body"] == BODIES["home"]


# --- entries that are refused --------------------------------------------------------
def symlink(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return entry


@pytest.mark.parametrize(
    "name",
    [
        "../x.md",
        "a/../../x.md",
        "/etc/x.md",
        "C:/x.md",
        "..\\x.md",
        "a\\..\\..\\x.md",
        "a//x.md",
        "./x.md",
        "a/./x.md",
        "x" * 5000 + ".md",
        symlink("link.md"),
        "-/recent.md",
        "wikijs/x.md",
    ],
    ids=str,
)
def test_paths_that_lead_elsewhere_are_refused_one_by_one(
    wiki: Wiki, name: str | zipfile.ZipInfo
) -> None:
    results = bring(wiki.api, zip_of((name, "text"), ("fine.md", "text")))

    assert results.pop("fine.md") == ("created", "fine")
    assert list(results.values()) == [("refused", "")]
    assert wiki.slugs() == ["fine"]


def test_entries_that_are_the_same_page_are_refused(wiki: Wiki) -> None:
    results = bring(wiki.api, zip_of(("a.md", "one"), ("A.md", "two")))

    assert results == {"a.md": ("created", "a"), "A.md": ("refused", "")}
    assert wiki.read("a")["body"] == "one"


def test_what_is_no_text_or_damaged_is_refused(wiki: Wiki) -> None:
    three = ("a.md", b"\xff\xfe"), ("b.md", "good words"), ("c.md", "x")
    data = bytearray(zip_of(*three))
    at = data.index(b"good words")
    data[at : at + 4] = b"evil"

    results = [result for result, _ in bring(wiki.api, bytes(data)).values()]

    assert results == ["refused", "refused", "created"]


@pytest.mark.parametrize("data", [b"", b"no zip", b"PK\x05\x06" + b"\0" * 5])
def test_what_is_no_zip_is_refused(wiki: Wiki, data: bytes) -> None:
    assert send(wiki.api, data).status_code == 400


def test_a_zip_that_swells_is_refused_as_a_whole(wiki: Wiki) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.md", "fine")
        archive.writestr("bomb.bin", b"\0" * 2_000_000)

    answer = send(wiki.api, out.getvalue(), dry_run="false")

    assert answer.status_code == 413
    assert answer.json()["error"]["code"] == "zip_too_large"
    assert wiki.slugs() == []


def test_what_the_header_says_about_sizes_is_not_believed(wiki: Wiki) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.md", "a" * 2_000_000)
    size = (2_000_000).to_bytes(4, "little")
    lie = out.getvalue().replace(size, (10).to_bytes(4, "little"))

    assert bring(wiki.api, lie) == {"a.md": ("refused", "a")}
    assert wiki.slugs() == []


def test_too_many_entries_are_refused(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "MAX_ENTRIES", 2)

    answer = send(wiki.api, zip_of(*((f"{n}.md", "x") for n in range(3))))

    assert answer.status_code == 413


def test_a_zip_over_the_limit_is_refused(wiki: Wiki, settings: Any) -> None:
    settings.GOCLAW_WIKI = settings.GOCLAW_WIKI | {"max_import_bytes": 100}
    config.reset()

    assert send(wiki.api, b"x" * 101).status_code == 413


# --- what a file says -----------------------------------------------------------------
@pytest.mark.parametrize(
    "text",
    [
        PageText(title='a: "b" — \\ [c]', body="---\nx\n---\n", tags=("a", "b-c")),
        PageText(title="x", body="", tags=()),
        PageText(title="x", body="\n\n  y  \n\n", tags=()),
    ],
)
def test_what_is_written_is_read_back(text: PageText) -> None:
    assert read(written(text)) == text
