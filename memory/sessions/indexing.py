"""What searches of conversations know of a message: words at once, vectors by a job."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from django.db import transaction
from django.db.models import Q

from goclaw.lib.config import chunk_config, search_config
from goclaw.lib.plurals import number_of
from memory import vectors
from memory.analysis import get_analyser
from memory.chunking import windows
from memory.models import JobKind, Message, MessageVector, MessageWord, Role
from memory.queue import enqueue
from memory.runner import JobResult, JobRun
from memory.vectors import Served

MAX_WINDOWS = 8
"""Of a message; what a pasted file says further down is found by its words."""
AT_ONCE = 64

Words = Counter[int]


def prepare(texts: Sequence[str]) -> list[Words]:
    """Analyse texts: the part that needs no database."""
    analyser = get_analyser(search_config().language)
    return [Counter(map(word_id, analyser.tokens(text))) for text in texts]


def enter(messages: Sequence[tuple[Message, Words]]) -> None:
    """Store the words of new messages and queue their vectors, in a transaction."""
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
    enqueue(JobKind.EMBED, key="messages")


@lru_cache(maxsize=50_000)
def word_id(token: str) -> int:
    """Return the number a token is kept by: short, and the same in every process."""
    digest = hashlib.blake2b(token.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def run_embed_job(run: JobRun) -> JobResult:
    """Embed what people and agents said and has no vectors of the model in use.

    What tools said is found by its words.
    """
    served = vectors.serving_model()
    done = 0
    while served is not None and not run.should_stop():
        lacking = Message.objects.filter(role__in=[Role.USER, Role.ASSISTANT]).filter(
            Q(embedded_by=None) | ~Q(embedded_by=served.model)
        )
        batch = list(lacking.order_by("pk")[:AT_ONCE])
        if not batch:
            return JobResult({"messages": done})
        _embed(batch, served)
        done += len(batch)
        run.heartbeat(done, note=number_of(done, "messages embedded"))
    return JobResult({"messages": done}, finished=served is None)


def _embed(messages: Sequence[Message], served: Served) -> None:
    """Store the vectors of messages that are still there. Raises EmbeddingError."""
    size = chunk_config().window
    texts = [
        (message, ordinal, text)
        for message in messages
        for ordinal, text in enumerate(windows(message.content, "", size))
        if ordinal < MAX_WINDOWS
    ]
    made = served.provider.embed_documents([text for _, _, text in texts])
    with transaction.atomic():
        ids = [message.pk for message in messages]
        here = Message.objects.select_for_update(no_key=True).filter(pk__in=ids)
        present = set(here.values_list("pk", flat=True))
        MessageVector.objects.filter(message_id__in=present).delete()
        MessageVector.objects.bulk_create(
            MessageVector(
                session_id=message.session_id,
                message=message,
                model=served.model,
                ordinal=ordinal,
                vector=vector,
            )
            for (message, ordinal, _), vector in zip(texts, made, strict=True)
            if message.pk in present
        )
        here.update(embedded_by=served.model)
