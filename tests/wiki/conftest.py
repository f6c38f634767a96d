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


SECRET = "hr/salaries"


@pytest.fixture
def stranger() -> Wiki:
    """Return the wiki in the hands of an editor who is not listed for `hr`."""
    user = make_user("stella")
    user.groups.add(Group.objects.get(name=WIKI_EDITORS))
    return Wiki(api_for(user))


@pytest.fixture
def hidden(admin_wiki: Wiki, wiki: Wiki, alice: User, bob: User) -> Any:
    """Save a page in a restricted section; pages around it that anybody reads."""
    wiki.save("home", f"See [[{SECRET}]] and [[nowhere]].\n", tags=["open"])
    admin_wiki.save(
        SECRET, "The axolotl earns 9.\n", title="Secret title", tags=["money"]
    )
    admin_wiki.save("hr/old", "Once.\n")
    admin_wiki.move("hr/old", "hr/new")
    admin_wiki.save("hr-public", "For all.\n")
    answer = admin_wiki.restrict("hr", readers=["bob"], writers=["alice"])
    assert answer.status_code == 200, answer.json()
    return answer.json()
