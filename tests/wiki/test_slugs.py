"""Addresses of pages: what is one, what is the same one, what a title becomes."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goclaw.lib.errors import BadInput
from wiki import slugs


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("ops/runbooks/postgres-failover", "ops/runbooks/postgres-failover"),
        ("Docs/API", "docs/api"),
        ("cafe\u0301", "caf\u00e9"),
        ("CAFE\u0301", "caf\u00e9"),
        ("我是猫", "我是猫"),
        ("база/настройка_2", "база/настройка_2"),
        ("हिन्दी", "हिन्दी"),
        ("น้ำ", "น้ำ"),
        ("한국어", "한국어"),
        ("2026/11", "2026/11"),
        ("a/wikijs", "a/wikijs"),
    ],
)
def test_letters_of_every_script_make_slugs(text: str, slug: str) -> None:
    assert slugs.parse(text) == slug
    assert slugs.parse(slug) == slug


@pytest.mark.parametrize(
    "text",
    [
        "",
        "/a",
        "a/",
        "a//b",
        "../etc/passwd",
        "a/../b",
        "a/./b",
        "..\\a",
        "a\\b",
        "a\0b",
        "%2e%2e/a",
        "a.b",
        "a b",
        "a\tb",
        " a",
        "a\n",
        "<b>",
        "a?b",
        "a#b",
        "-",
        "a/-",
        "-a",
        "__",
        "\u0301a",
        "🚀",
        "x" * 201,
        # Unseen, or drawn like something else.
        "a\u200db",
        "a\u200bb",
        "a\u00adb",
        "a\u202eb",
        "a\ufe0fb",
        "a\u034fb",
        "a\u3164b",
        "\U000e0061",
        "ａｂｃ",
        "ﬁle",
        "x²",
        "Ⅷ",
        "p\u0430ypal",
        "\u0391bc",
    ],
)
def test_what_is_no_slug_is_refused(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        slugs.parse(text)
    assert refused.value.field == "slug"


@pytest.mark.parametrize("text", ["-/edit/a", "wikijs/main/en/a", "WikiJS"])
def test_reserved_first_segments_say_so(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        slugs.parse(text)
    assert refused.value.code == "slug_reserved"


@pytest.mark.parametrize(
    ("one", "other"),
    [("docs/api", "docs/API"), ("straße", "STRASSE"), ("ὀδός", "ὈΔΌΣ")],
)
def test_slugs_that_differ_by_case_only_share_a_key(one: str, other: str) -> None:
    assert slugs.key(slugs.parse(one)) == slugs.key(slugs.parse(other))


def test_sections_are_compared_by_whole_segments() -> None:
    assert slugs.is_under("projects/public/a", "projects/public")
    assert slugs.is_under("projects/public", "projects/public")
    assert not slugs.is_under("projects/public-secret", "projects/public")
    assert slugs.is_under("a", "")


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("How we fail over: v1.2", "how-we-fail-over-v1-2"),
        ("我是猫", "我是猫"),
        ("Привет world", "привет-world"),
        ("ПриветWorld", "привет-world"),
        ("Ｆｕｌｌ width", "full-width"),
        ("../../etc", "etc"),
    ],
)
def test_a_title_becomes_a_readable_slug(title: str, slug: str) -> None:
    assert slugs.from_title(title) == slug


def test_titles_without_letters_get_names_that_differ() -> None:
    rocket, party = slugs.from_title("🚀"), slugs.from_title("🎉")
    assert rocket != party
    assert rocket == slugs.from_title("🚀")


@given(st.text(max_size=300))
def test_every_title_has_a_slug(title: str) -> None:
    slug = slugs.from_title(title)
    assert slugs.parse(slug) == slug


@given(st.text(max_size=30))
def test_a_slug_is_canonical_and_its_key_is_stable(text: str) -> None:
    try:
        slug = slugs.parse(text)
    except BadInput:
        return
    assert slugs.parse(slug) == slug
    assert unicodedata.is_normalized("NFC", slug)
    assert slugs.key(slugs.key(slug)) == slugs.key(slug)
    assert slugs.parse(slug.upper()) == slug or slugs.key(slug.upper()) == slugs.key(
        slug
    )
