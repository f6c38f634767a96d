"""Small files of many kinds, made here, and how to send them."""

import struct
import zlib
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.response import Response
from rest_framework.test import APIClient

from tests.people import Api


def png(width: int = 2, height: int = 1) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        crc = struct.pack(">I", zlib.crc32(name + data))
        return struct.pack(">I", len(data)) + name + data + crc

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\xff\0\0" * width) * height)
    parts = (chunk(b"IHDR", header), chunk(b"IDAT", rows), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def pdf(text: str) -> bytes:
    content = f"BT /F1 12 Tf 20 100 Td ({text}) Tj ET".encode()
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R"
        b"/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>\nstream\n%s\nendstream" % (len(content), content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return (
        out
        + b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
        + b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF"
        % (len(objects) + 1, len(out))
    )


GIF = b"GIF89a\x03\x00\x02\x00" + b"\0" * 20
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
HTML = b"<!doctype html><script>alert(1)</script>"


def upload(
    api: Api, path: str, content: bytes, name: str = "a.bin", **fields: Any
) -> Response:
    """Send a file with its claimed type, as a browser would."""
    claimed = fields.pop("claimed", "application/octet-stream")
    headers = fields.pop("headers", {})
    file = SimpleUploadedFile("sent", content, content_type=claimed)
    return APIClient().post(
        f"/api{path}",
        {"file": file, "name": name, **fields},
        format="multipart",
        headers={"Authorization": f"Bearer {api.secret}"} | api.headers | headers,
    )


def attach(
    api: Api, slug: str, content: bytes, name: str = "a.bin", **more: Any
) -> Any:
    """Add a file to a page; return its JSON. Fails unless it was taken."""
    answer = upload(api, f"/memory/wiki/attachments?slug={slug}", content, name, **more)
    assert answer.status_code == 201, answer.json()
    return answer.json()


def fetch(api: Api | None, url: str, **headers: str) -> Any:
    """Get a file's bytes with a key, or without any."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if api:
        sent |= {"Authorization": f"Bearer {api.secret}"} | api.headers
    return APIClient().get(url, headers=sent)


def body_of(response: Any) -> bytes:
    return b"".join(response.streaming_content)
