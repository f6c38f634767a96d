"""What a file is, by its bytes; names and what the sender says are not asked. Pure."""

import struct
from dataclasses import dataclass

HEAD = 64 * 1024
"""Bytes from the start of a file that are looked at."""

INLINE = frozenset(
    {
        "image/png",
        "image/jpeg",
        "image/gif",
        "image/webp",
        "application/pdf",
        "audio/mpeg",
        "audio/ogg",
        "audio/wav",
        "audio/flac",
        "audio/mp4",
        "video/mp4",
        "video/webm",
    }
)
"""Types that a browser may show in place; all others are downloads."""

UNKNOWN = "application/octet-stream"
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Sniffed:
    """A media type, and the size of an image in pixels (0 when it does not say)."""

    media_type: str
    width: int = 0
    height: int = 0


def sniff(head: bytes) -> Sniffed:
    """Return what a file is that begins with these bytes, up to `HEAD` of them."""
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return _sized("image/png", head, 16, ">II")
    if head.startswith((b"GIF87a", b"GIF89a")):
        return _sized("image/gif", head, 6, "<HH")
    if head.startswith(b"\xff\xd8\xff"):
        return Sniffed("image/jpeg", *_jpeg_size(head))
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return Sniffed("image/webp", *_webp_size(head))
    return Sniffed(_by_signature(head) or _by_text(head) or UNKNOWN)


def _by_signature(head: bytes) -> str:
    if b"%PDF-" in head[:1024]:
        return "application/pdf"
    if head[:4] == b"RIFF" and head[8:12] == b"WAVE":
        return "audio/wav"
    if head[4:8] == b"ftyp":
        return "audio/mp4" if head[8:11] in {b"M4A", b"M4B"} else _mp4(head[8:12])
    if head.startswith(b"\x1aE\xdf\xa3"):
        return "video/webm" if b"webm" in head[:64] else UNKNOWN
    for signature, media_type in _SIGNATURES:
        if head.startswith(signature):
            return media_type
    if len(head) > 3 and head[0] == 0xFF and head[1] & 0xE6 in {0xE2, 0xE4, 0xE6}:
        return "audio/mpeg"
    return ""


_SIGNATURES = (
    (b"ID3", "audio/mpeg"),
    (b"OggS", "audio/ogg"),
    (b"fLaC", "audio/flac"),
    (b"PK\x03\x04", "application/zip"),
    (b"PK\x05\x06", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
)
_MP4 = frozenset({b"isom", b"iso2", b"iso4", b"iso5", b"iso6", b"mp41", b"mp42"})
_MP4_TOO = frozenset({b"avc1", b"dash", b"M4V ", b"MSNV"})


def _mp4(brand: bytes) -> str:
    return "video/mp4" if brand in _MP4 | _MP4_TOO else UNKNOWN


def _by_text(head: bytes) -> str:
    """Return the type of a text; of markup what it would be to a browser."""
    if b"\0" in head:
        return ""
    try:
        text = head.removeprefix(_BOM).decode()
    except UnicodeDecodeError as error:
        if error.start < len(head) - 4:  # more than a character cut in two
            return ""
        text = head[: error.start].decode(errors="ignore")
    start = text.lstrip().lower()
    if start.startswith(("<!doctype html", "<html", "<head", "<body", "<script")):
        return "text/html"
    if "<svg" in start and start.startswith("<"):
        return "image/svg+xml"
    if start.startswith("<?xml"):
        return "application/xml"
    return "text/plain" if text else ""


def _sized(media_type: str, head: bytes, at: int, form: str) -> Sniffed:
    try:
        width, height = struct.unpack_from(form, head, at)
    except struct.error:
        return Sniffed(UNKNOWN)
    return Sniffed(media_type, width, height)


def _jpeg_size(head: bytes) -> tuple[int, int]:
    """Return width and height from the first frame header: its marker SOF0 to SOF15."""
    at = 2
    while at + 9 <= len(head):
        if head[at] != 0xFF:
            return 0, 0
        marker = head[at + 1]
        if marker == 0xFF:  # padding
            at += 1
        elif 0xC0 <= marker <= 0xCF and marker not in {0xC4, 0xC8, 0xCC}:
            height, width = struct.unpack_from(">HH", head, at + 5)
            return width, height
        else:
            at += 2 + int.from_bytes(head[at + 2 : at + 4])
    return 0, 0


def _webp_size(head: bytes) -> tuple[int, int]:
    """Return width and height of the three forms of WebP."""
    form, body = head[12:16], head[20:30]
    if len(body) < 10:
        return 0, 0
    if form == b"VP8X":
        return (
            int.from_bytes(body[4:7], "little") + 1,
            int.from_bytes(body[7:10], "little") + 1,
        )
    if form == b"VP8 ":
        width, height = struct.unpack_from("<HH", body, 6)
        return width & 0x3FFF, height & 0x3FFF
    if form == b"VP8L":
        bits = int.from_bytes(body[1:5], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    return 0, 0
