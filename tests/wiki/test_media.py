"""Files in parts, and files that the client has already."""

import pytest

from tests.wiki.calls import Wiki
from tests.wiki.files import attach, body_of, fetch


@pytest.fixture(autouse=True)
def _page(wiki: Wiki) -> None:
    wiki.save("ops/plan", "# Plan\n")


@pytest.mark.parametrize(
    ("asked", "status", "part"),
    [
        ("bytes=0-3", 206, b"0123"),
        ("bytes=4-", 206, b"456789"),
        ("bytes=-2", 206, b"89"),
        ("bytes=8-99", 206, b"89"),
        ("bytes=10-", 416, None),
        ("bytes=-0", 416, None),
        ("bytes=5-2", 200, b"0123456789"),
        ("bytes=0-1,4-5", 200, b"0123456789"),
        ("lines=1-2", 200, b"0123456789"),
        ("bytes=" + "9" * 5000 + "-", 200, b"0123456789"),
    ],
)
def test_parts_of_a_file(
    wiki: Wiki, asked: str, status: int, part: bytes | None
) -> None:
    file = attach(wiki.api, "ops/plan", b"0123456789")

    answer = fetch(wiki.api, file["url"], Range=asked)

    assert answer.status_code == status
    if part is not None:
        assert body_of(answer) == part
        assert answer["Content-Length"] == str(len(part))
    if status != 200:
        assert answer["Content-Range"].endswith("/10")


def test_what_the_client_has_is_not_sent_again(wiki: Wiki) -> None:
    file = attach(wiki.api, "ops/plan", b"0123456789")
    tag = fetch(wiki.api, file["url"])["ETag"]

    assert fetch(wiki.api, file["url"], If_None_Match=tag).status_code == 304
    other = fetch(wiki.api, file["url"], Range="bytes=0-3", If_Range='"old"')
    assert other.status_code == 200
    same = fetch(wiki.api, file["url"], Range="bytes=0-3", If_Range=tag)
    assert same.status_code == 206
