"""Typed groups of settings: built once from Django's settings, passed down as data."""

from dataclasses import dataclass
from functools import cache

from django.conf import settings


@dataclass(frozen=True, slots=True)
class EmbeddingConfig:
    """Which model embeds texts, and how it is reached."""

    provider: str
    """`local`, `openai` (any compatible endpoint), `hashing` or `none`."""
    model: str
    base_url: str
    api_key: str
    batch_size: int
    timeout_s: float
    socket: str
    """Where another process has the local model; empty: it is loaded in this one."""


@dataclass(frozen=True, slots=True)
class ChunkConfig:
    """How texts are cut; sizes in characters."""

    size: int
    overlap: int
    window: int


@dataclass(frozen=True, slots=True)
class SearchConfig:
    """How candidates are found, fused and cut."""

    max_results: int
    min_score: float
    min_similarity: float | None
    fusion: str
    rrf_constant: float
    vector_weight: float
    keyword_weight: float
    language: str
    max_per_record: int
    log_recalls: bool
    log_queries: bool
    half_lives: tuple[tuple[str, float], ...]
    """(kind, days) pairs; a kind that is not listed never decays."""


@dataclass(frozen=True, slots=True)
class WikiConfig:
    """How the wiki is read."""

    anonymous_reading: bool
    """Whether people who have not signed in read what is not restricted."""
    remote_images: bool
    """Whether pages show images from other hosts."""
    review_autonomous: bool
    """Whether what autonomous runs write waits for a person's review."""
    max_file_bytes: int
    max_import_bytes: int


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """The background model: any chat endpoint that speaks as OpenAI's does."""

    base_url: str
    """Empty with a name: OpenAI itself."""
    name: str
    """Empty: none is configured, which is a normal state."""
    key: str
    timeout_s: float
    max_input_chars: int
    """Longer material is given to it in parts."""


@dataclass(frozen=True, slots=True)
class SessionConfig:
    """When conversations are trimmed and closed."""

    max_messages: int
    max_tokens: int
    idle_minutes: int


@dataclass(frozen=True, slots=True)
class UpkeepConfig:
    """How an agent's notes are kept in order."""

    consolidate_after_days: int
    """Older records and daily notes are taken into `Memory.md`, on request."""
    heartbeat_hours: int
    """Between two rounds through every agent's notes; 0 for none."""


@dataclass(frozen=True, slots=True)
class ContextConfig:
    """What of the memory goes into a prompt; sizes in characters."""

    budget_chars: int
    """Of the memory sections together; 0 for no budget."""
    file_chars: int
    """Of Memory.md, before its middle is left out."""
    recent_days: int
    recent_chars: int
    """Of the recent global records, and once more of the person's own."""
    caps: tuple[tuple[str, int], ...]
    """(section, characters) of sections that have a cap of their own."""
    roles: tuple[tuple[str, str], ...]
    """(pattern of a model's name, `system` or `user`); the first match counts."""


@dataclass(frozen=True, slots=True)
class BackupConfig:
    """Which copies are made by the clock, and how long copies are kept."""

    nightly: bool
    keep: int
    """How many nightly backups."""
    safety_days: int
    """Days of the copies that are made before something is destroyed."""


@cache
def embedding_config() -> EmbeddingConfig:
    """Return the configured embedding model."""
    return EmbeddingConfig(**settings.GOCLAW_EMBEDDING)


@cache
def chunk_config() -> ChunkConfig:
    """Return the configured chunk sizes."""
    return ChunkConfig(**settings.GOCLAW_CHUNKS)


@cache
def search_config() -> SearchConfig:
    """Return the configured search."""
    return SearchConfig(**settings.GOCLAW_SEARCH)


@cache
def wiki_config() -> WikiConfig:
    """Return the configured wiki."""
    return WikiConfig(**settings.GOCLAW_WIKI)


@cache
def model_config() -> ModelConfig:
    """Return the configured background model."""
    return ModelConfig(**settings.GOCLAW_MODEL)


@cache
def session_config() -> SessionConfig:
    """Return when conversations are trimmed and closed."""
    return SessionConfig(**settings.GOCLAW_SESSIONS)


@cache
def upkeep_config() -> UpkeepConfig:
    """Return how an agent's notes are kept in order."""
    return UpkeepConfig(**settings.GOCLAW_UPKEEP)


@cache
def context_config() -> ContextConfig:
    """Return what goes into a prompt."""
    return ContextConfig(**settings.GOCLAW_CONTEXT)


@cache
def backup_config() -> BackupConfig:
    """Return how copies are made and kept."""
    return BackupConfig(**settings.GOCLAW_BACKUP)


def reset() -> None:
    """Forget what was built, after tests have changed a setting."""
    for built in (
        embedding_config,
        chunk_config,
        search_config,
        wiki_config,
        model_config,
        session_config,
        upkeep_config,
        context_config,
        backup_config,
    ):
        built.cache_clear()
