"""Embedding models: which one is configured, and how to reach an earlier one.

Nothing heavy is imported or loaded before the first text is embedded.
"""

from functools import cache

from goclaw.lib.config import embedding_config
from memory.embeddings.base import EmbeddingError, Provider, Vector, WordProvider
from memory.embeddings.hashing import HashingProvider
from memory.embeddings.local import LocalProvider
from memory.embeddings.remote import RemoteProvider
from memory.embeddings.shared import SharedProvider

__all__ = [
    "EmbeddingError",
    "Provider",
    "Vector",
    "WordProvider",
    "get_provider",
    "provider_for",
    "reset",
]


def get_provider() -> Provider | None:
    """Return the configured model, or None where search is by words only."""
    config = embedding_config()
    if config.provider == "none":
        return None
    return provider_for(config.provider, config.model, config.base_url)


@cache
def provider_for(provider: str, name: str, base_url: str) -> Provider:
    """Return the model of a stored description, which need not be the configured one.

    During a switch the earlier model answers the searches; it is reached with the
    configured key, batch size and timeout. Raises ValueError for an unknown provider.
    """
    config = embedding_config()
    match provider:
        case "local" if config.socket:
            return SharedProvider(name, config.socket, timeout_s=config.timeout_s)
        case "local":
            return LocalProvider(name, batch_size=config.batch_size)
        case "openai":
            return RemoteProvider(
                name,
                base_url=base_url,
                api_key=config.api_key,
                batch_size=config.batch_size,
                timeout_s=config.timeout_s,
            )
        case "hashing":
            return HashingProvider(name)
    raise ValueError(f"unknown embedding provider {provider!r}")


def reset() -> None:
    """Forget the loaded models, after tests have changed a setting."""
    provider_for.cache_clear()
