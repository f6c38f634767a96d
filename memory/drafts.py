"""What somebody wants to write, checked: one set of rules for every door. Pure."""

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from goclaw.lib.errors import BadInput, TooLarge
from memory.scopes import (
    DOMAIN,
    KEY,
    MAX_CONTENT_BYTES,
    TAG,
    WRITABLE_SCOPES,
    Kind,
    Scope,
)

MAX_JSON_BYTES = 16 * 1024
MAX_JSON_DEPTH = 20
MAX_TAGS = 50
MAX_TITLE = 300
MAX_SEQUENCE_ID = 128

FORM_OF_NAMES = (
    "Use small letters, digits and . _ -, at most 64, and begin with a letter or digit."
)
"""`DOMAIN` and `TAG` in words; people read them beside a field."""
FORM_OF_KEYS = (
    "Use letters, digits and . _ / -, at most 128, and begin with a letter or digit."
)
"""`KEY` in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A record that is to be written. `check` says whether it can be."""

    scope: str
    content: str
    kind: str = Kind.NOTE
    domain: str = ""
    key: str = ""
    value: Any = None
    title: str = ""
    importance: int = 5
    tags: Sequence[str] = ()
    metadata: dict[str, Any] = field(default_factory=dict)
    observed_at: datetime | None = None
    expires_at: datetime | None = None
    sequence_id: str = ""
    sequence_position: int | None = None
    force: bool = False
    """Store it although the same text was stored within the last day."""
    uid: UUID | None = None
    """Of a record that comes back from an export; one that is taken is an error."""


def check(draft: Draft, *, now: datetime) -> None:
    """Raise `BadInput` (or `TooLarge`) for the first thing that is wrong."""
    if draft.scope not in WRITABLE_SCOPES:
        raise BadInput(
            f"Unknown scope {draft.scope!r}."
            if draft.scope not in Scope
            else f"The scope {draft.scope} is written by the system only.",
            code="unknown_scope",
            field="scope",
            remedy=f"Use one of {', '.join(WRITABLE_SCOPES)}.",
        )
    check_key(draft)
    check_content(draft.content)
    check_fields(draft, now=now)


def check_key(draft: Draft) -> None:
    """Refuse a malformed key, and a value without a key."""
    if draft.key and not KEY.fullmatch(draft.key):
        raise BadInput(
            f"Malformed key {draft.key!r}.", field="key", remedy=FORM_OF_KEYS
        )
    if draft.value is not None and not draft.key:
        raise BadInput(
            "A value needs a key.",
            field="key",
            remedy="Send a key, or put the value into the content.",
        )


def check_content(content: str) -> None:
    """Refuse blank, oversized, or unstorable text."""
    check_text("content", content)
    if not content.strip():
        raise BadInput("The content is empty.", code="empty_content", field="content")
    size = len(content.encode())
    if size > MAX_CONTENT_BYTES:
        raise TooLarge(
            f"The content has {size:,} bytes; a record takes {MAX_CONTENT_BYTES:,}.",
            field="content",
            remedy="Put long texts into a workspace file or a wiki page.",
        )


def check_fields(draft: Draft, *, now: datetime) -> None:
    """Refuse what is wrong in anything but scope, key and content."""
    if draft.kind not in Kind:
        raise BadInput(
            f"Unknown kind {draft.kind!r}.",
            code="unknown_kind",
            field="kind",
            remedy=f"Use one of {', '.join(Kind)}.",
        )
    if draft.domain and not DOMAIN.fullmatch(draft.domain):
        raise BadInput(
            f"Malformed domain {draft.domain!r}.", field="domain", remedy=FORM_OF_NAMES
        )
    if not 1 <= draft.importance <= 10:
        raise BadInput("Importance goes from 1 to 10.", field="importance")
    check_text("title", draft.title, limit=MAX_TITLE)
    check_tags(draft.tags)
    check_json("metadata", draft.metadata)
    check_json("value", draft.value)
    check_text("sequence.id", draft.sequence_id, limit=MAX_SEQUENCE_ID)
    if bool(draft.sequence_id) != (draft.sequence_position is not None):
        raise BadInput("A sequence has an id and a position.", field="sequence")
    if draft.observed_at and draft.observed_at > now:
        raise BadInput(
            "When it was true or said lies in the future.",
            code="observed_in_future",
            field="observed_at",
            remedy="It says when something was true or said; leave it out for now.",
        )
    if draft.expires_at and draft.expires_at <= now:
        raise BadInput(
            "The time at which it expires lies in the past.", field="expires_at"
        )


def check_tags(tags: Sequence[str]) -> None:
    """Refuse malformed tags and too many of them."""
    if len(tags) > MAX_TAGS:
        raise BadInput(f"A record takes {MAX_TAGS} tags.", field="tags")
    for name in tags:
        if not TAG.fullmatch(name):
            raise BadInput(
                f"Malformed tag {name!r}.", field="tags", remedy=FORM_OF_NAMES
            )


def check_text(name: str, text: str, *, limit: int | None = None) -> None:
    """Refuse what no database stores: NUL characters and lone surrogates."""
    if "\0" in text:
        raise BadInput(
            f"The {name} has a NUL character.", code="nul_character", field=name
        )
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadInput(
            f"The {name} has half of a surrogate pair, which is no character.",
            code="malformed_unicode",
            field=name,
        ) from None
    if limit is not None and len(text) > limit:
        raise BadInput(f"The {name} is longer than {limit} characters.", field=name)


def check_json(name: str, value: Any) -> None:
    """Refuse JSON that is too large, too deep, or has no exact form."""
    _check_json_part(name, value, MAX_JSON_DEPTH)
    size = len(json.dumps(value, ensure_ascii=False).encode())
    if size > MAX_JSON_BYTES:
        raise TooLarge(
            f"The {name} has {size:,} bytes; it takes {MAX_JSON_BYTES:,}.", field=name
        )


def _check_json_part(name: str, value: Any, depth: int) -> None:
    if depth == 0:
        raise BadInput(
            f"The {name} is nested deeper than {MAX_JSON_DEPTH} levels.", field=name
        )
    if isinstance(value, str):
        check_text(name, value)
    elif isinstance(value, float) and not math.isfinite(value):
        raise BadInput(f"The {name} has a number that is not finite.", field=name)
    elif isinstance(value, dict):
        for key, inner in value.items():
            check_text(name, key)
            _check_json_part(name, inner, depth - 1)
    elif isinstance(value, list):
        for inner in value:
            _check_json_part(name, inner, depth - 1)


def text_hash(content: str, value: Any = None) -> str:
    """Return the SHA-256 of the exact text, and of the value of a keyed fact."""
    digest = hashlib.sha256(content.encode())
    if value is not None:
        digest.update(b"\0" + canonical(value).encode())
    return digest.hexdigest()


def canonical(value: Any) -> str:
    """Return the one JSON text of a value, whatever the order of its keys."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def dedup_hash(draft: Draft, *, space_id: int, agent: str) -> str:
    """Return the identity within which the same text is one record for 24 hours."""
    observed = draft.observed_at
    parts = [
        space_id,
        agent,
        draft.kind,
        draft.domain,
        draft.key,
        draft.sequence_id,
        draft.sequence_position,
        observed and observed.astimezone(UTC).isoformat(),
        text_hash(draft.content, draft.value),
    ]
    return hashlib.sha256(canonical(parts).encode()).hexdigest()
