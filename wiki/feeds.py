"""Recent changes as an Atom feed."""

from django.utils.feedgenerator import Atom1Feed

from accounts.actors import Actor
from wiki.history import recent_changes

ENTRIES = 50


def atom(actor: Actor, *, site: str) -> str:
    """Return the newest changes of what the actor may read, as Atom XML.

    `site` is the address of the server, such as `https://memory.example.org`.
    """
    feed = Atom1Feed(
        title="Recent changes in the wiki",
        link=f"{site}/wiki/",
        feed_url=f"{site}/wiki/-/feed.atom",
        description="",
    )
    changes = recent_changes(actor).order_by("-created_at", "-id")
    for revision in changes[:ENTRIES]:
        author = revision.author.username if revision.author else "nobody"
        feed.add_item(
            title=revision.title,
            link=f"{site}/wiki/{revision.page.slug}",
            unique_id=f"urn:uuid:{revision.uid}",
            description=revision.summary or f"Revision {revision.number} by {author}.",
            author_name=author,
            pubdate=revision.created_at,
            updateddate=revision.created_at,
        )
    return feed.writeString("utf-8")
