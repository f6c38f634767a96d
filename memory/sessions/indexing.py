"""What searches of conversations know of a message: its words, kept beside it."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from goclaw.lib.config import search_config
from memory.analysis import get_analyser
from memory.models import Message, MessageWord

Words = Counter[int]


def prepare(texts: Sequence[str]) -> list[Words]:
    """Analyse texts: the part that needs no database."""
    analyser = get_analyser(search_config().language)
    return [Counter(map(word_id, analyser.tokens(text))) for text in texts]


def enter(messages: Sequence[tuple[Message, Words]]) -> None:
    """Store the words of new messages, in the caller's transaction."""
    MessageWord.objects.bulk_create(
        (
            MessageWord(
                session_id=message.session_id, message=message, word=word, count=count
            )
            for message, words in messages
            for word, count in words.items()
        ),
        batch_size=2000,
    )


@lru_cache(maxsize=50_000)
def word_id(token: str) -> int:
    """Return the number a token is kept by: short, and the same in every process."""
    digest = hashlib.blake2b(token.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
