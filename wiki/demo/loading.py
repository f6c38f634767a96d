"""Load the sample wiki: all of it once, and never over pages of somebody."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import Group
from django.core.files import File
from django.db import transaction
from django.utils import timezone

from accounts.actors import Actor, actor_for_user
from accounts.models import User
from memory.models import Memory
from memory.spaces import WIKI_EDITORS
from wiki import moving, restricting, trash
from wiki.attachments import Upload, attach
from wiki.demo import review
from wiki.demo.source import Save, picture, saves, story
from wiki.models import Page, Redirect, Revision
from wiki.pages import save_page


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was made; nothing when there were pages already."""

    pages: int = 0
    revisions: int = 0
    items: int = 0
    """What waits in the review, or was decided."""


@transaction.atomic
def load(*, admin: User) -> Loaded:
    """Make the sample wiki by the sample's people, unless there is any page.

    `admin` restricts what is not for all.
    """
    if Page.objects.exists():
        return Loaded()
    told = story()
    people = {user.username: user for user in User.objects.filter(is_active=True)}
    editors = Group.objects.get(name=WIKI_EDITORS)
    for name in told["editors"]:
        people[name].groups.add(editors)
    actors = {name: actor_for_user(user) for name, user in people.items()}
    loaded = timezone.now()
    former = {move["to"]: move["from"] for move in told["moved"]}
    made = saves()
    for save in made:
        _save(save, actors, loaded, told["files"].get(save.slug), former)
    for gone in told["deleted"]:
        trash.delete_page(actor=actors[gone["by"]], slug=gone["slug"])
    for section in told["restricted"]:
        restricting.restrict(
            actor=actor_for_user(admin),
            slug=section["section"],
            readers=section["readers"],
            writers=section["writers"],
        )
    items = review.load(people=people)
    return Loaded(Page.objects.live().count(), Revision.objects.count(), items)


def _save(
    save: Save,
    actors: dict[str, Actor],
    loaded: datetime,
    file: dict[str, Any] | None,
    former: dict[str, str],
) -> None:
    """Save a page as of its time; one that moved since is made at its old address."""
    actor = actors[save.by]
    there = Page.objects.live().at(save.slug).first()
    old = former.get(save.slug) if there is None else None
    when = save.saved_at(loaded)
    page = save_page(
        actor=actor,
        slug=old or save.slug,
        title=save.text.title,
        body=save.text.body,
        tags=list(save.text.tags),
        summary=save.summary,
        base_revision=there.number if there else None,
    ).page
    if file:
        page = _with_file(save, actors[file["by"]], page, file)
    if old:
        moving.move_page(actor=actor, slug=old, to=save.slug)
        Redirect.objects.filter(page=page).update(created_at=when)
    _as_of(page, when, is_new=there is None)


def _with_file(save: Save, actor: Actor, page: Page, file: dict[str, Any]) -> Page:
    """Attach the file that the text names, and save the text with its address."""
    name = file["name"]
    with picture(name).open("rb") as stream:
        upload = Upload(file=File(stream), name=name, description=file["description"])
        attached = attach(actor=actor, slug=page.slug, upload=upload)
    return save_page(
        actor=actor,
        slug=page.slug,
        body=save.text.body.replace(f"/media/{name}", f"/media/{attached.uid}"),
        summary="Curve of the stage",
        base_revision=page.number,
    ).page


def _as_of(page: Page, when: datetime, *, is_new: bool) -> None:
    """Make lists look like a year of use; only a sample may do that."""
    number = page.number
    Page.objects.filter(pk=page.pk).update(updated_at=when)
    if is_new:
        Page.objects.filter(pk=page.pk).update(created_at=when)
        Revision.objects.filter(page=page).update(created_at=when)
    Revision.objects.filter(page=page, number=number).update(created_at=when)
    Memory.objects.filter(pk__in=[page.memory_id]).update(
        observed_at=when, created_at=when, updated_at=when
    )
