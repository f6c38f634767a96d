"""The words records are sorted by: scopes, kinds, origins, and tags with a meaning."""

import re

from django.db import models


class Scope(models.TextChoices):
    """Who may read and write a record; `access` holds the rules."""

    PERSONAL = "personal"
    AGENT_NOTES = "agent_notes"
    GLOBAL = "global"
    AGENT_CONFIG = "agent_config"
    WIKI = "wiki"
    WIKIJS = "wikijs"
    DB_CACHE = "db_cache"
    WORKSPACE = "workspace"


WRITABLE_SCOPES = (
    Scope.PERSONAL,
    Scope.AGENT_NOTES,
    Scope.GLOBAL,
    Scope.AGENT_CONFIG,
)
"""The scopes a request may write to; the others are written by the system only."""

SHARED_SCOPES = tuple(scope for scope in Scope if scope is not Scope.PERSONAL)


class Kind(models.TextChoices):
    """What a record is; sets its half-life."""

    FACT = "fact"
    PREFERENCE = "preference"
    DECISION = "decision"
    INSIGHT = "insight"
    PROJECT = "project"
    SKILL = "skill"
    HIGHLIGHT = "highlight"
    SUMMARY = "summary"
    NOTE = "note"
    CONFIG = "config"
    DOCUMENT = "document"


LEARNED_KINDS = (Kind.FACT, Kind.PREFERENCE)
"""What agents learn: such records can say the same, or replace each other."""


class Origin(models.TextChoices):
    """How a record came to be; set by the service, never by a request."""

    PERSON = "person"
    AGENT = "agent"
    EXTRACTION = "extraction"
    SUMMARY = "summary"
    CONSOLIDATION = "consolidation"
    DISTILL = "distill"
    WIKI = "wiki"
    WIKIJS = "wikijs"
    WORKSPACE = "workspace"
    IMPORT = "import"
    SYSTEM = "system"


class IndexState(models.TextChoices):
    """How far the chunks and vectors of a record are."""

    PENDING = "pending"
    INDEXED = "indexed"
    FAILED = "failed"


CRITICAL, SUPERSEDED, UNVERIFIED = "critical", "superseded", "unverified"
RESERVED_TAGS = frozenset({CRITICAL, SUPERSEDED, UNVERIFIED})

SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
DOMAIN = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,127}")
TAG = re.compile(r"[a-z0-9][a-z0-9_.-]{0,63}")

MAX_CONTENT_BYTES = 64 * 1024
"""Longer texts belong into a workspace file or a wiki page."""
