"""People of the wiki, and a short way to save pages as they do."""

from typing import Any

import pytest
from django.contrib.auth.models import Group

from accounts.models import User
from memory.spaces import WIKI_EDITORS
from tests.people import Api, api_for, make_user
from tests.wiki.calls import Wiki


@pytest.fixture
def erin(db: Any) -> User:
    """Return a person of the group that edits the wiki."""
    user = make_user("erin")
    user.groups.add(Group.objects.get(name=WIKI_EDITORS))
    return user


@pytest.fixture
def wiki(erin: User) -> Wiki:
    """Return the wiki's API in the hands of an editor."""
    return Wiki(api_for(erin))


@pytest.fixture
def admin_wiki(admin_api: Api) -> Wiki:
    """Return the wiki's API in the hands of an administrator."""
    return Wiki(admin_api)


@pytest.fixture
def reader(bob_api: Api) -> Wiki:
    """Return the wiki's API in the hands of somebody who only reads."""
    return Wiki(bob_api)
