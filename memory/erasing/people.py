"""Erase a person: what is theirs goes for good, and that it has gone is looked up."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.contrib.sessions.models import Session as BrowserSession
from django.db import transaction
from django.utils.module_loading import autodiscover_modules

from accounts import audit
from accounts.actors import Actor, actor_for_user
from accounts.models import User
from goclaw.lib.errors import Conflict, GoClawError, NotFound
from memory import access
from memory.backups.copying import safety_copy
from memory.erasing import conversations, ownership
from memory.erasing.selecting import Done, delete_in_turns
from memory.models import Chunk, Embedding, Memory, RecallLog
from memory.models.ids import among
from memory.scopes import Scope
from memory.search import SearchQuery, search
from memory.search.engines import get_engine
from memory.search.recall import flush

SEARCHED = 20
"""Texts of the person that are searched for afterwards."""
SEARCHED_CHARS = 300


@dataclass(frozen=True, slots=True)
class FileOwner:
    """A part of the application that keeps files of people."""

    files: Callable[[User], list[Path]]
    """Returns where the person's files are."""
    remove: Callable[[User], None]
    """Deletes them for good, rows and bytes."""


_owners: list[FileOwner] = []


def register_files(owner: FileOwner) -> None:
    """Have the files of an app above this one erased as well; for its `erasing.py`."""
    _owners.append(owner)


def erase(
    *, actor: Actor, username: str, account: bool, dry_run: bool, backed_up: bool
) -> Done:
    """Erase all that is of a person, with `account` that as well; or only count it.

    Shared records that the person wrote stay, since they are the organisation's. Can be
    repeated when it was interrupted. Raises Forbidden, NotFound, Conflict
    (`backup_needed`), or GoClawError (`erase_incomplete`) when something is left.
    """
    access.can_administrate(actor).require()
    user = User.objects.filter(username=username).first()
    if user is None:
        raise NotFound("There is no such person.", field="username")
    if account and user.pk == actor.user_id:
        raise Conflict(
            "This is your own account.",
            code="own_account",
            remedy="Ask another administrator, or leave the account out.",
        )
    autodiscover_modules("erasing")
    flush()
    own = conversations.own_sessions(user)
    archives = conversations.archive_files(own.select_related("agent"))
    files = [path for owner in _owners for path in owner.files(user)]
    counts = _count(user, archives, files)
    if dry_run:
        return Done(counts)
    copy = safety_copy(backed_up=backed_up, files=[*archives, *files])
    traces = _traces(user)
    _erase(user, archives)
    counts["searched"], counts["found"] = _look_for(user, traces)
    # The log must not keep the name of an account that it erased.
    target = f"user {user.pk}" if account else user.username
    if account:
        _drop_account(user)
    details = {name: n for name, n in counts.items() if n}
    audit.record("memory.clear_user", actor=actor, target=target, details=details)
    if counts["found"]:
        raise GoClawError(
            "Something of the person was found after it was erased.",
            code="erase_incomplete",
            remedy="Run it again; if it stays so, `goclaw memory check --repair`.",
        )
    return Done(counts, copy)


def _count(
    user: User, archives: Sequence[Path], files: Sequence[Path]
) -> dict[str, int]:
    counts: Counter[str] = Counter(
        dict.fromkeys([*ownership.NAMES.values(), ownership.OTHERS], 0)
    )
    rows = [*ownership.owned_by(user.pk), conversations.own_sessions(user)]
    counts += ownership.count(rows)
    counts["messages_blanked"] = conversations.words_of(user)
    counts["archives"] = len(archives)
    counts["stored_files"] = len(files)
    names = [*ownership.NAMES.values(), ownership.OTHERS]
    return {name: counts[name] for name in names} | dict(counts)


def _erase(user: User, archives: Sequence[Path]) -> None:
    """Delete it all: files before the rows that name them, in short transactions."""
    for owner in _owners:
        owner.remove(user)
    delete_in_turns(Memory.objects.filter(owner=user))
    own = conversations.own_sessions(user)
    uids = [str(uid) for uid in own.values_list("uid", flat=True)]
    for path in archives:
        path.unlink(missing_ok=True)
    conversations.leave_shared(user)
    with transaction.atomic():
        # What was learnt for everybody stays, without a word about where from.
        Memory.objects.filter(session__in=uids).update(session="", message="", run="")
        own.delete()
        for rows in ownership.owned_by(user.pk):
            rows.delete()


@dataclass(frozen=True, slots=True)
class _Traces:
    """What to look for after an erasure."""

    chunk_ids: list[int]
    texts: list[str]


def _traces(user: User) -> _Traces:
    records = Memory.objects.filter(owner=user)
    chunks = Chunk.objects.filter(memory__in=records.order_by().values("pk"))
    texts = records.order_by("-pk").values_list("content", flat=True)[:SEARCHED]
    return _Traces(
        chunk_ids=list(chunks.values_list("pk", flat=True)),
        texts=[text[:SEARCHED_CHARS] for text in texts],
    )


def _look_for(user: User, traces: _Traces) -> tuple[int, int]:
    """Return how often was searched, and what was found that should not be there."""
    found = len(get_engine().words_of(traces.chunk_ids))
    chunks = among(traces.chunk_ids)
    found += Embedding.objects.filter(chunk_id__in=chunks).count()
    actor = actor_for_user(user)
    for text in traces.texts:
        query = SearchQuery(text=text, min_score=0, include_history=True)
        hits = search(actor, query).hits
        found += sum(hit.scope == Scope.PERSONAL for hit in hits)
    flush()
    RecallLog.objects.filter(user=user).delete()  # of these very searches
    found += sum(rows.count() for rows in ownership.owned_by(user.pk))
    return len(traces.texts) + 2, found


@transaction.atomic
def _drop_account(user: User) -> None:
    for session in BrowserSession.objects.iterator():
        if session.get_decoded().get("_auth_user_id") == str(user.pk):
            session.delete()
    user.delete()
