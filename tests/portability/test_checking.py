"""`goclaw check` finds each kind of damage, mends it, and leaves the sound alone."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.utils import timezone

from accounts.actors import actor_for_user
from accounts.models import User
from memory import checking
from memory.models import (
    Agent,
    Chunk,
    Embedding,
    EmbeddingModel,
    Job,
    Memory,
    Session,
    Space,
)
from tests.cli.conftest import goclaw  # noqa: F401  (a fixture)
from tests.people import Api
from wiki import attachments
from wiki.models import Attachment, Page

pytestmark = pytest.mark.django_db
Jobs = Callable[[], int]


def found(*, repair: bool = False) -> dict[str, tuple[int, int]]:
    """Return (found, left) of each check that found something."""
    findings = checking.run(repair=repair, seen=lambda name: None)
    return {one.name: (one.count, one.left) for one in findings if one.count}


@pytest.fixture
def sound(admin: User, admin_api: Api, run_jobs: Jobs) -> Api:
    """Return a client, after a state of every kind was made and indexed."""
    for number in range(4):
        admin_api.write(f"note {number} about the heron", "agent_notes")
    body = {"body": "# Tides\n\nHigh at six.\n", "title": "Tides"}
    assert admin_api.post("/memory/wiki?slug=tides", body).status_code == 201
    file = SimpleUploadedFile("t.txt", b"the tide table")
    attachments.attach(
        actor=actor_for_user(admin),
        slug="tides",
        upload=attachments.Upload(file=file, name="t.txt"),
    )
    run_jobs()
    return admin_api


def some() -> Memory:
    memory = Memory.objects.filter(scope="agent_notes").order_by("pk").first()
    assert memory is not None
    return memory


def test_nothing_is_wrong_with_what_is_sound(sound: Api) -> None:
    assert found() == {}
    assert len(list(checking.run(repair=True, seen=lambda name: None))) > 15


def lose_chunks() -> None:
    Chunk.objects.filter(memory=some()).delete()


def forget_only_half() -> None:
    Memory.objects.filter(pk=some().pk).update(forgotten_at=timezone.now())


def misplace() -> None:
    other = Space.objects.get(kind="global")
    Chunk.objects.filter(memory=some()).update(space_id=other.pk)


def lose_words() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM memory_chunk_words WHERE id IN"
            " (SELECT id FROM memory_chunks WHERE memory_id = %s)",
            [some().pk],
        )


def add_words() -> None:
    columns = "(id, length, words)"
    marks = "(999999, 1, 'ghost')"
    if connection.vendor == "postgresql":
        columns, marks = "(id, length, words, terms)", "(999999, 1, 'ghost', 'ghost')"
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO memory_chunk_words {columns} VALUES {marks}")  # noqa: S608


def keep_old_model() -> None:
    Embedding.objects.update(
        model=EmbeddingModel.objects.create(provider="x", name="old", dimension=3)
    )


def lose_vectors() -> None:
    Embedding.objects.filter(chunk__memory=some()).delete()


def fail() -> None:
    Memory.objects.filter(pk=some().pk).update(index_state="failed")


def wait_in_vain() -> None:
    Job.objects.all().delete()
    Memory.objects.filter(pk=some().pk).update(index_state="pending")


def go_round() -> None:
    one, two = Memory.objects.filter(scope="agent_notes")[:2]
    now = timezone.now()
    for old, new in ((one, two), (two, one)):
        Memory.objects.filter(pk=old.pk).update(superseded_by=new, superseded_at=now)


def replace_undated() -> None:
    one, two = Memory.objects.filter(scope="agent_notes")[:2]
    Memory.objects.filter(pk=one.pk).update(superseded_by=two)


def copy_nothing() -> None:
    Memory.objects.filter(pk=some().pk).update(source_key="gone/page")


def unlink_page() -> None:
    memory = Page.objects.get().memory
    assert memory is not None
    memory.delete()


def leave_bytes() -> None:
    path = Path(settings.MEDIA_ROOT) / "zz" / "orphan"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x")
    os.utime(path, (0, 0))


def leave_workspace_copy() -> None:
    Agent.objects.get_or_create(slug="default", defaults={"default": True})
    space = Space.objects.get(kind="workspace")
    Memory.objects.filter(pk=some().pk).update(
        space=space, scope="workspace", source_key="memory/gone.md", agent="default"
    )
    Chunk.objects.filter(memory=some()).update(space_id=space.pk)


@pytest.mark.parametrize(
    ("damage", "check"),
    [
        (lose_chunks, "records-entered"),
        (forget_only_half, "forgotten-entered"),
        (misplace, "spaces"),
        (lose_words, "words"),
        (add_words, "words-of-nothing"),
        (keep_old_model, "other-models"),
        (lose_vectors, "vectors"),
        (fail, "index-failed"),
        (wait_in_vain, "index-waiting"),
        (go_round, "replaced-in-a-circle"),
        (replace_undated, "replaced-and-live"),
        (copy_nothing, "wiki-copies"),
        (unlink_page, "pages-findable"),
        (leave_bytes, "bytes-of-nothing"),
    ],
)
def test_damage_is_found_and_mended(
    sound: Api, run_jobs: Jobs, damage: Callable[[], Any], check: str
) -> None:
    damage()
    assert check in found()
    count, left = found(repair=True)[check]
    assert (count > 0, left) == (True, 0)
    run_jobs()
    assert found() == {}


def test_after_a_repair_it_is_found_again(sound: Api, run_jobs: Jobs) -> None:
    lose_chunks()
    wanted = str(some().uid)
    assert wanted not in {hit["id"] for hit in sound.search("heron", max_results=20)}
    found(repair=True)
    run_jobs()
    assert wanted in {hit["id"] for hit in sound.search("heron", max_results=20)}


def test_the_newest_of_a_circle_comes_back(sound: Api) -> None:
    go_round()
    pair = Memory.objects.filter(superseded_by__isnull=False).order_by("created_at")
    old, new = pair
    found(repair=True)
    old.refresh_from_db()
    new.refresh_from_db()
    assert (old.superseded_by, new.superseded_by) == (new, None)
    assert new.superseded_at is None


def test_copies_of_workspace_files_that_are_gone(sound: Api) -> None:
    leave_workspace_copy()
    assert found(repair=True)["workspace-copies"] == (1, 0)
    assert not Memory.objects.filter(scope="workspace").exists()


def test_young_bytes_are_left_to_their_upload(sound: Api) -> None:
    leave_bytes()
    path = Path(settings.MEDIA_ROOT) / "zz" / "orphan"
    os.utime(path)
    assert found() == {}
    path.unlink()


def test_what_only_a_person_can_mend_is_told(
    sound: Api,
    admin: User,
    goclaw: Any,  # noqa: F811
) -> None:
    key = Attachment.objects.get().key
    (Path(settings.MEDIA_ROOT) / key).unlink()
    agent, _ = Agent.objects.get_or_create(slug="default", defaults={"default": True})
    Session.objects.create(
        agent=agent,
        kind="direct",
        person=admin,
        last_position=9,
        archived_to=4,
        summarised_to=4,
        trimmed_to=4,
    )
    assert found(repair=True) == {"archives": (1, 1), "bytes-lost": (1, 1)}
    ran = goclaw("check", "--repair")
    assert ran.code == 1
    assert "Put media/ back from a backup" in ran.out
    assert "4 turns are missing" in ran.out


def test_a_broken_full_text_index_is_rebuilt(sound: Api) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("FTS5")
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO memory_chunk_fts (memory_chunk_fts) VALUES ('delete-all')"
        )
    assert sound.search("heron", kinds=["note"]) is not None
    assert "full-text" in found()
    assert found(repair=True)["full-text"] == (1, 0)
    assert found() == {}


def test_the_command_says_that_all_is_well(
    sound: Api,
    goclaw: Any,  # noqa: F811
) -> None:
    ran = goclaw("check")
    assert (ran.code, "nothing wrong" in ran.out) == (0, True)
    assert goclaw("memory", "check", "--json").json["left"] == 0
