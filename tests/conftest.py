"""Fixtures that every part of the tests shares."""

from collections import Counter
from collections.abc import Callable

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from goclaw.lib import config
from memory import runner
from memory.models import Job, JobState
from tests.people import Api, api_for, make_admin, make_user


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Leave out on PostgreSQL what asks no database; begin with what takes longest."""
    if connection.vendor != "sqlite":
        others = [item for item in items if not _asks_database(item)]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if _asks_database(item)]
    sizes = Counter(item.path for item in items)
    items.sort(key=lambda item: (_place(item), -sizes[item.path]))


def _place(item: pytest.Item) -> int:
    """Return when a test is due, so that no process waits for the last of another."""
    marks = [item.get_closest_marker(name) for name in ("model", "cluster")]
    return next((place for place, mark in enumerate(marks) if mark), len(marks))


def _asks_database(item: pytest.Item) -> bool:
    fixtures = {"db", "transactional_db", "django_db_setup"}
    marked = item.get_closest_marker("django_db") is not None
    return marked or not fixtures.isdisjoint(getattr(item, "fixturenames", ()))


@pytest.fixture(autouse=True)
def _fresh_config() -> None:
    """Forget settings that an earlier test changed."""
    config.reset()


@pytest.fixture
def alice(db: None) -> User:
    return make_user("alice")


@pytest.fixture
def bob(db: None) -> User:
    return make_user("bob")


@pytest.fixture
def admin(db: None) -> User:
    return make_admin()


@pytest.fixture
def alice_api(alice: User) -> Api:
    return api_for(alice)


@pytest.fixture
def bob_api(bob: User) -> Api:
    return api_for(bob)


@pytest.fixture
def admin_api(admin: User) -> Api:
    return api_for(admin)


@pytest.fixture
def cron_api(admin: User) -> Api:
    return api_for(admin, run="cron")


@pytest.fixture
def run_jobs() -> Callable[[], int]:
    """Return a function that does all waiting jobs that are due, as a worker would."""

    def run() -> int:
        done = 0
        while job := Job.objects.filter(
            state=JobState.QUEUED, run_at__lte=timezone.now()
        ).first():
            runner.run(job.pk)
            done += 1
            assert done < 100, "jobs queue each other without end"
        return done

    return run
