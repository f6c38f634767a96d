"""A state of every kind of thing, made inside an installation of a test."""

MAKE = """
import random
from datetime import timedelta
from django.contrib.auth.models import Group
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from accounts import keys
from accounts.actors import actor_for_user, system_actor
from accounts.key_rules import KeyRights
from accounts.models import Identity, User
from memory import records, changes
from memory.drafts import Draft
from memory.models import (
    Agent, Memory, Message, ReviewItem, Revision, Session, Space, Veto,
)
from memory.spaces import list_writer
from wiki.attachments import Upload, attach
from wiki.pages import save_page
from wiki.restricting import restrict

count = int(sys.argv[1])
admin = User.objects.create_superuser("root1", password="x")
mira = User.objects.create_user("mira", timezone="Europe/Vienna")
tove = User.objects.create_user("tove")
role, _ = Group.objects.get_or_create(name="wiki editors")
tove.groups.add(role)
list_writer("global:mira")
list_writer("agent_notes:@keepers")
Identity.objects.create(user=mira, channel="mail", account="a", sender="m@x")
boss = actor_for_user(admin)
_, secret = keys.create(
    actor=system_actor(), owner=admin, label="gateway", rights=KeyRights()
)
random.seed(7)
words = "heron tide lock gauge ferry mast signal chart depth moor".split()
drafts = [
    Draft(
        scope=["agent_notes", "personal", "agent_config"][n % 3],
        content=f"Note {n}: " + " ".join(random.choices(words, k=12)) + " \\u96ea",
        domain=words[n % 10], tags=[words[n % 7]],
        metadata={"n": n, "x": [1.0, 1e21, 0.1, None], "z": {"b": 1, "a": "\\u00e9"}},
        importance=1 + n % 10,
    )
    for n in range(count)
]
records.write_many(actor=boss, drafts=drafts)
mine = actor_for_user(mira)
records.write(actor=mine, draft=Draft(scope="personal", content="mira's own"))
for value in ("old", "new", 3.0):
    fact = Draft(scope="agent_notes", content="", domain="db", key="host", value=value)
    records.write(actor=boss, draft=fact)
edited = Memory.objects.filter(scope="agent_notes", key="").first()
changes.edit(actor=boss, uid=edited.uid, changes={"content": "edited text"})
gone = Memory.objects.filter(scope="agent_config").first()
changes.forget(actor=boss, uid=gone.uid)
superseded = Memory.objects.exclude(superseded_at=None).first()
decision = Revision.objects.filter(memory=superseded).first()
Veto.objects.create(space=superseded.space, pair="ab" * 32, revision=decision)
ReviewItem.objects.create(
    kind="supersede", space=superseded.space, title="look", via="judge",
    content_hash="0" * 64,
)
for n in range(12):
    for turn in range(3):
        save_page(
            actor=boss, slug=f"handbook/page-{n}", title=f"Page {n}", tags=["a", "b"],
            body=f"# Page {n}\\n\\nTurn {turn}: [[handbook/page-{(n + 1) % 12}]].\\n",
            summary="", base_revision=None if turn == 0 else turn,
        )
restrict(actor=boss, slug="handbook/page-3", readers=["tove"], writers=["@keepers"])
upload = Upload(file=SimpleUploadedFile("a.txt", b"the tide table"), name="a.txt")
attach(actor=boss, slug="handbook/page-1", upload=upload)
agent, _ = Agent.objects.get_or_create(slug="default", defaults={"default": True})
session = Session.objects.create(
    agent=agent, kind="direct", person=mira, last_position=20, variables={"k": 1e3}
)
session.participants.add(mira)
Message.objects.bulk_create(
    Message(session=session, position=n + 1, role="user", content=f"the mast {n}",
            speaker=mira, tool_calls=[{"n": n}])
    for n in range(20)
)
print(json.dumps(secret))
"""

COUNTS = """
from django.apps import apps
from goclaw.state_archive.tables import DERIVED, PASSING
print(json.dumps({
    m._meta.label_lower: m._base_manager.count()
    for a in ("accounts", "auth", "memory", "wiki")
    for m in apps.get_app_config(a).get_models(include_auto_created=True)
    if m._meta.label_lower not in DERIVED | PASSING | {"auth.permission"}
}))
"""

LOOK = """
from django.test import Client
from accounts.actors import actor_for_user
from accounts.models import User
from memory.models import Memory, Veto, Space, Chunk
from memory.search import SearchQuery, search
from memory.sessions.searching import *
from wiki.models import Page, Attachment
mira = actor_for_user(User.objects.get(username="mira"))
root = actor_for_user(User.objects.get(username="root1"))
def found(actor, text, **more):
    query = SearchQuery(text=text, min_score=0, **more)
    return sorted(hit.title or hit.snippet for hit in search(actor, query).hits)
facts = Memory.objects.filter(key="host").order_by("pk")
restricted = Space.objects.get(path__gt="")
client = Client(HTTP_HOST="localhost")
answer = client.get(
    "/api/memory/records?scope=agent_notes&page_size=1",
    headers={"Authorization": "Bearer " + sys.argv[1]},
)
page = client.get(
    "/api/memory/wiki?slug=handbook/page-1&html=true",
    headers={"Authorization": "Bearer " + sys.argv[1]},
)
print(json.dumps({
    "own": found(mira, "mira's own", scopes=("personal",)),
    "not_hers": found(mira, "Note 1 heron", scopes=("personal",)),
    "page": found(root, "Turn 2", scopes=("wiki",))[:3],
    "file": found(root, "tide table", scopes=("wiki",))[:1],
    "facts": [
        [f.value, f.superseded_by_id and str(f.superseded_by.uid)] for f in facts
    ],
    "uids": [str(f.uid) for f in facts],
    "veto": [v.revision.memory.key for v in Veto.objects.all()],
    "writers": sorted(
        [p.permission.codename, str(p.content_object.kind)]
        for p in restricted.spaceuserpermission_set.all()
    ),
    "key": answer.status_code,
    "html": "handbook/page-2" in page.json()["html"],
    "unentered": Memory.objects.filter(
        forgotten_at=None, chunks__isnull=True
    ).count(),
}))
"""
