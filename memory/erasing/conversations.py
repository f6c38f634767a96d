"""Take a person out of conversations: their own go, from shared ones their words."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from django.db import transaction
from django.db.models import Count, Q

from accounts.models import User
from goclaw.lib.files import alone_in, replace_file
from memory.models import JobKind, Message, MessageVector, MessageWord, Session
from memory.models.sessions import SessionKind, SessionQuerySet, SummarySource
from memory.queue import enqueue
from memory.sessions import archives, archiving
from memory.sessions.turns import token_estimate

ERASED = "[erased]"


def own_sessions(user: User) -> SessionQuerySet:
    """Return the conversations that are the person's alone, also for want of others."""
    people = Session.participants.through.objects.filter(user_id=user.pk)
    crowded = (
        Session.objects.annotate(people=Count("participants"))
        .filter(people__gt=1)
        .values("pk")
    )
    alone = Q(kind=SessionKind.SHARED, pk__in=people.values("session_id"))
    return Session.objects.filter(Q(person=user) | (alone & ~Q(pk__in=crowded)))


def shared_sessions(user: User) -> SessionQuerySet:
    """Return the conversations that the person had with others."""
    people = Session.participants.through.objects.filter(user_id=user.pk)
    took_part = Session.objects.filter(pk__in=people.values("session_id"))
    return took_part.exclude(pk__in=own_sessions(user).values("pk"))


def archive_files(sessions: Iterable[Session]) -> list[Path]:
    """Return the archive files of sessions."""
    return [path for session in sessions for path in archiving.files_of(session)]


def words_of(user: User) -> int:
    """Count what the person said in shared conversations and is not archived."""
    spoken = Message.objects.filter(speaker=user, session__in=shared_sessions(user))
    return spoken.count()


def leave_shared(user: User) -> None:
    """Blank what the person said in shared conversations, and take them out of these.

    The others' messages, and the positions of all, stay. A summary may quote anybody,
    so it goes; that of the next trim does not know what was before.
    """
    for session in shared_sessions(user).select_related("agent", "person"):
        for path in archiving.files_of(session):
            _blank_archive(path, user.username)
        with transaction.atomic():
            spoken = Message.objects.filter(session=session, speaker=user)
            ids = list(spoken.values_list("pk", flat=True))
            for rows in (MessageWord.objects, MessageVector.objects):
                rows.filter(message__in=ids).delete()
            spoken.update(
                content=ERASED,
                name="",
                tool_calls=[],
                tokens=token_estimate(ERASED),
                embedded_by=None,
                speaker=None,
            )
            kept = session.messages.values_list("tokens", flat=True)
            Session.objects.filter(pk=session.pk).update(
                summary="", summary_source=SummarySource.NONE, tokens=sum(kept)
            )
            session.participants.remove(user)
            enqueue(JobKind.EMBED, key="messages")


def _blank_archive(path: Path, username: str) -> None:
    with alone_in(path.parent):
        archive = archives.from_text(archiving.read_text(path))
        turns = [
            replace(turn, content=ERASED, name="", speaker=None, tool_calls=[])
            if turn.speaker == username
            else turn
            for turn in archive.turns
        ]
        people = [name for name in archive.participants if name != username]
        blanked = replace(archive, turns=turns, participants=people)
        replace_file(path, archives.to_text(blanked))
