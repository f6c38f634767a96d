"""People who review, facts that agents have learned, and a scripted model."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse
from rest_framework.response import Response
from rest_framework.test import APIClient

from accounts.actors import actor_for_user
from accounts.models import User
from memory import llm, records
from memory.drafts import Draft
from memory.lifecycle import deciding
from memory.models import Memory, ReviewItem
from memory.spaces import WIKI_EDITORS
from tests.people import Api, api_for, make_user
from tests.scripted_model import ScriptedModel
from tests.wiki.calls import Wiki


@dataclass
class Reviewer:
    """A person's browser, calling the REST API with its session."""

    client: APIClient

    def get(self, path: str = "", /, **params: Any) -> Response:
        return self.client.get(f"/api/review/items{path}", params)

    def post(self, path: str, /, **body: Any) -> Response:
        return self.client.post(f"/api/review/items{path}", body, format="json")

    def queue(self, **params: Any) -> Any:
        """Return the items of the queue. Fails unless it was answered."""
        answer = self.get(**params)
        assert answer.status_code == 200, answer.json()
        return answer.json()["results"]

    def only(self) -> Any:
        """Return the one item that waits, in full."""
        (row,) = self.queue()
        return self.get(f"/{row['id']}").json()

    def decide(self, item: Any, verb: str, **body: Any) -> Response:
        """Decide about an item as it was shown."""
        shown = {name: item[name] for name in ("content_hash", "base_revision")}
        return self.post(f"/{item['id']}/{verb}", **shown | body)

    def approve(self, item: Any, **body: Any) -> Any:
        """Approve an item; return it. Fails unless it was accepted."""
        answer = self.decide(item, "approve", **body)
        assert answer.status_code == 200, answer.json()
        return answer.json()


def reviewer_of(user: User) -> Reviewer:
    client = APIClient()
    client.force_login(user)
    return Reviewer(client)


@pytest.fixture
def erin(db: Any) -> User:
    """Return an editor of the wiki who may not write records of the organisation."""
    user = make_user("erin", first_name="Erin", last_name="Holt")
    user.groups.add(Group.objects.get(name=WIKI_EDITORS))
    return user


@pytest.fixture
def editor(erin: User) -> Reviewer:
    return reviewer_of(erin)


@pytest.fixture
def boss(admin: User) -> Reviewer:
    return reviewer_of(admin)


@pytest.fixture
def stranger(bob: User) -> Reviewer:
    return reviewer_of(bob)


@pytest.fixture
def wiki(erin: User) -> Wiki:
    return Wiki(api_for(erin))


@pytest.fixture
def learn(admin: User) -> Callable[..., Memory]:
    """Return a function that stores a learned fact."""

    def store(content: str, domain: str = "databases", **fields: Any) -> Memory:
        draft = Draft(
            scope="agent_notes",
            content=content,
            domain=domain,
            **{"kind": "fact"} | fields,
        )
        return records.write(actor=actor_for_user(admin), draft=draft).memory

    return store


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Callable[..., ScriptedModel]:
    """Return a function that puts a model in place which gives these replies."""

    def put(*replies: Any) -> ScriptedModel:
        model = ScriptedModel(replies)
        monkeypatch.setattr(llm, "get_model", lambda: model)
        return model

    return put


@pytest.fixture
def distil(
    admin_api: Api, run_jobs: Callable[[], int], scripted: Callable[..., ScriptedModel]
) -> Callable[..., ScriptedModel]:
    """Return a function that distils with these replies, and returns the model."""

    def run(*replies: Any, domain: str = "databases") -> ScriptedModel:
        model = scripted(*replies)
        answer = admin_api.post("/memory/wiki/distill", {"domain": domain})
        assert answer.status_code == 202, answer.json()
        run_jobs()
        job = admin_api.get(f"/jobs/{answer.json()['id']}").json()
        assert job["state"] == "done", job
        return model

    return run


def said(heading: str, *sentences: tuple[str, list[str]]) -> dict[str, Any]:
    """Return a section as a model would answer it."""
    return {
        "heading": heading,
        "sentences": [{"text": text, "facts": facts} for text, facts in sentences],
    }


def reply(*sections: dict[str, Any]) -> dict[str, Any]:
    return {"sections": list(sections)}


@pytest.fixture
def hosts(learn: Callable[..., Memory], distil: Callable[..., Any]) -> ReviewItem:
    """Return the item of a first draft, made of two facts."""
    learn("The staging database is 10.0.4.12.")
    learn("Backups of the database run at 02:30.")
    distil(
        reply(
            said("Hosts", ("The staging database is 10.0.4.12.", ["F1"])),
            said("Backups", ("Backups run at 02:30.", ["F2"])),
        )
    )
    return ReviewItem.objects.get()


@pytest.fixture
def published(hosts: ReviewItem, editor: Reviewer) -> Any:
    """Return the item of an approved draft."""
    return editor.approve(editor.only())


@pytest.fixture(autouse=True)
def _own_state(settings: Any, tmp_path: Any) -> None:
    settings.GOCLAW_STATE_DIR = tmp_path


@pytest.fixture
def admin_wiki(admin_api: Api) -> Wiki:
    return Wiki(admin_api)


def code_of(answer: Response) -> tuple[int, str]:
    """Return how a request was refused."""
    return answer.status_code, answer.json()["error"]["code"]


@pytest.fixture
def web(erin: User) -> Client:
    """Return the browser of somebody who edits the wiki."""
    client = Client()
    client.force_login(erin)
    return client


@pytest.fixture
def boss_web(admin: User) -> Client:
    """Return the browser of an administrator."""
    client = Client()
    client.force_login(admin)
    return client


@pytest.fixture
def replaced(learn: Callable[..., Memory], admin: User) -> ReviewItem:
    """Return the item about a record that a judge took to replace another."""
    old = learn("The alarm of the Steg gauge is at 4.2 m.", domain="gauges")
    new = learn("The alarm of the Steg gauge is now at 4.5 m.", domain="gauges")
    deciding.retire(
        old=old,
        new=new,
        via="judge",
        actor=actor_for_user(admin),
        reason="The newer one says another height.",
        run="run-1",
        model="tiny",
        words='{"replaces": true}',
    )
    return ReviewItem.objects.get(kind="supersede")


def at(item: ReviewItem, verb: str = "item", query: str = "") -> str:
    """Return the address of an item's page, or of what can be done there."""
    return reverse(f"review:{verb}", args=[item.uid]) + query


def form_of(item: ReviewItem) -> dict[str, Any]:
    """Return what the page of an item sends back with a decision."""
    return {
        "content_hash": item.content_hash,
        "base_revision": item.draft.base_number if item.is_page else 0,
    }
