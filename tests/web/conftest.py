"""Browsers of signed-in people, and records written through the services."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.actors import actor_for_user
from accounts.models import User
from memory import records
from memory.drafts import Draft
from memory.models import Memory


def browser(user: User) -> Client:
    """Return a browser in which the person is signed in."""
    client = Client()
    client.force_login(user)
    return client


def remember(
    user: User, content: str, scope: str = "personal", **fields: Any
) -> Memory:
    """Write a record as the person."""
    draft = Draft(scope=scope, content=content, **fields)
    return records.write(actor=actor_for_user(user), draft=draft).memory


@pytest.fixture(autouse=True)
def _nothing_kept() -> None:
    """Forget the counts that an earlier test left in the cache."""
    cache.clear()


@pytest.fixture
def alice_web(alice: User) -> Client:
    return browser(alice)


@pytest.fixture
def bob_web(bob: User) -> Client:
    return browser(bob)


@pytest.fixture
def admin_web(admin: User) -> Client:
    return browser(admin)


@pytest.fixture
def write() -> Callable[..., Memory]:
    return remember
