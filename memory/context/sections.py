"""The seventeen sections, in the order of the prompt.

When the budget is short, the section of the lowest priority goes first.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import replace

from memory.context import extras, finding, loading, naming
from memory.context.blocks import Group, Item, Part
from memory.context.cutting import first_within, head_and_tail, last_within, shortened
from memory.context.loading import Asked
from memory.context.quoting import listed, quoted
from memory.context.registry import Content, Shown, registered, section
from memory.context.stored import COUNTED, Stored
from memory.memory_file import NAMES as MEMORY_FILE_NAMES

MOST_FILES = 15


# --- session part: memory ------------------------------------------------------------
@section(Group.MEMORY, "critical_constraints", priority=7, lasting=True)
def critical_constraints(asked: Asked, shown: Shown) -> Content:
    """Agent notes tagged `critical`."""
    items = [item_of(row) for row in loading.critical(asked)]
    return Content(shown.fresh(items), "Critical constraints. They always hold.")


@section(Group.MEMORY, "memory_file", priority=5)
def memory_file(asked: Asked, shown: Shown) -> Content:
    """`Memory.md`, of a long one the beginning and the end."""
    text = loading.file_text(asked.agent, *MEMORY_FILE_NAMES)
    return memory_file_content(text, asked.config.file_chars)


@section(Group.MEMORY, "agent_config", priority=6)
def agent_config(asked: Asked, shown: Shown) -> Content:
    """Configuration for all agents, word for word."""
    items = []
    for row in loading.configuration(asked):
        name = "/".join(filter(None, (row.domain, row.key)))
        text = quoted(row.text)
        items.append(_item(row, f"## {name}\n{text}" if name else text))
    return Content(shown.fresh(items), "Configuration, set by administrators.")


@section(Group.MEMORY, "note_count", priority=1)
def note_count(asked: Asked, shown: Shown) -> Content:
    """A hint that there is more to search for."""
    count = loading.count_notes(asked)
    if not count:
        return Content()
    number = f"{count}" if count <= COUNTED else f"More than {COUNTED:,}"
    plural = "s are" if count > 1 else " is"
    text = f"{number} agent note{plural} stored. Search for what is not shown here."
    return Content((Item(text),))


@section(Group.MEMORY, "user_notes", priority=4)
def user_notes(asked: Asked, shown: Shown) -> Content:
    """Agent notes that name the person who is spoken with."""
    if asked.person is None:
        return Content(why="nobody is identified")
    cap = asked.cap("user_notes")
    rows = naming.notes_naming(asked, asked.person, chars=cap + 1)
    return _newest_within(shown, map(item_of, rows), cap, "Notes that name the user.")


@section(Group.MEMORY, "recent_memory", priority=2)
def recent_memory(asked: Asked, shown: Shown) -> Content:
    """The newest of what is for all, and of the person's own."""
    cap = asked.config.recent_chars
    title = f"RECENT MEMORY of the last {asked.config.recent_days} days, newest last."
    shared = [item_of(row, whose="for all") for row in loading.recent_global(asked)]
    own = [
        replace(item_of(row, whose="the user's own"), personal=True)
        for row in loading.recent_personal(asked)
    ]
    both = [_newest_within(shown, items, cap, title) for items in (shared, own)]
    return Content(
        both[0].items + both[1].items,
        title,
        sum(content.left_out for content in both),
        both[0].why or both[1].why or _why_not_personal(asked),
    )


@section(Group.MEMORY, "previous_context", priority=3)
def previous_context(asked: Asked, shown: Shown) -> Content:
    """The summary of what was trimmed from the conversation."""
    summary = loading.previous_context(asked)
    if not summary:
        return Content(why=_why_not_personal(asked))
    title = "PREVIOUS CONTEXT: a summary of what was said before the first message."
    return Content((Item(quoted(summary), personal=True),), title)


# --- session part: system and user ---------------------------------------------------
@section(Group.SYSTEM, "datasources")
def datasources(asked: Asked, shown: Shown) -> Content:
    """Data sources and instances the gateway has, whatever order it names them in."""
    texts = sorted(map(extras.text_of, asked.query.extras.datasources))
    title = "Data sources and instances that are set up."
    return _first_within(texts, asked.cap("datasources"), title)


@section(Group.SYSTEM, "memory_files")
def memory_files(asked: Asked, shown: Shown) -> Content:
    """Names and dates of the newest memory files."""
    texts = [
        f"{path} ({observed_at:%Y-%m-%d})"
        for path, observed_at in loading.newest_files(asked, MOST_FILES)
    ]
    return _first_within(texts, asked.cap("memory_files"), "The newest memory files.")


@section(Group.USER, "user_file")
def user_file(asked: Asked, shown: Shown) -> Content:
    """`USER.md`, when nobody is identified."""
    if asked.person is not None:
        return Content(why="the user is identified")
    text = quoted(loading.file_text(asked.agent, "USER.md")).strip("\n")
    start = shortened(text, asked.cap("user_file"))
    return _whole(start, "USER.md.", left_out=len(text) - len(start))


@section(Group.USER, "user_identity")
def user_identity(asked: Asked, shown: Shown) -> Content:
    """Who is spoken with: name, roles, time zone."""
    person = asked.person
    if person is None:
        return Content(why="nobody is identified")
    roles = sorted(person.groups.values_list("name", flat=True))
    lines = {
        "user name": person.username,
        "name": person.get_full_name(),
        "roles": ", ".join(roles),
        "time zone": person.timezone,
    }
    texts = [f"{name}: {value}" for name, value in lines.items() if value]
    return _first_within(texts, asked.cap("user_identity"), "The current user.")


# --- message part --------------------------------------------------------------------
@section(Part.MESSAGE, "now")
def now(asked: Asked, shown: Shown) -> Content:
    """Date, time and zone where the person is."""
    local = asked.now.astimezone(asked.zone)
    offset = f"{local:%z}"
    text = (
        f"{local:%A}, {local.day} {local:%B %Y}, {local:%H:%M} {asked.zone.key}"
        f" (UTC{offset[:3]}:{offset[3:]})"
    )
    return Content((Item(text),))


@section(Part.MESSAGE, "matching_notes", priority=1)
def matching_notes(asked: Asked, shown: Shown) -> Content:
    """Agent notes that match the message; what was learned has a section of its own."""
    found = finding.matching_notes(asked, shown)
    return _found(found, shown, "Agent notes that match the message.")


@section(Part.MESSAGE, "learned_knowledge", priority=3)
def learned_knowledge(asked: Asked, shown: Shown) -> Content:
    """Facts and preferences for all, ranked by the message."""
    found = finding.learned(asked, shown)
    content = _found(found, shown, "LEARNED KNOWLEDGE: facts and preferences.")
    kept, left_out = first_within(content.items, asked.cap("learned_knowledge"))
    return replace(content, items=kept, left_out=left_out, why=_capped(left_out))


@section(Part.MESSAGE, "personal_memory", priority=2)
def personal_memory(asked: Asked, shown: Shown) -> Content:
    """The person's own most relevant records."""
    if not asked.personal:
        return Content(why=_why_not_personal(asked))
    found = finding.personal(asked, shown)
    content = _found(found, shown, "PERSONAL MEMORY: the user's own records.")
    items = tuple(replace(item, personal=True) for item in content.items)
    return replace(content, items=items)


@section(Part.MESSAGE, "hooks")
def hooks(asked: Asked, shown: Shown) -> Content:
    """What the gateway's message hooks have fetched."""
    texts = map(extras.text_of, asked.query.extras.hooks)
    return _first_within(texts, asked.cap("hooks"), "Fetched for this message.")


@section(Part.MESSAGE, "queries")
def queries(asked: Asked, shown: Shown) -> Content:
    """Queries that ran without error earlier in the conversation, newest last."""
    ran = filter(extras.has_worked, asked.query.extras.queries)
    texts = list(dict.fromkeys(map(extras.text_of, ran)))
    items = [Item(listed(text)) for text in texts]
    kept, left_out = last_within(items, asked.cap("queries"))
    title = "Queries that ran without error earlier."
    return Content(kept, title, left_out, _capped(left_out))


SECTIONS = registered()


# --- what several of them do ---------------------------------------------------------
def item_of(row: Stored, whose: str = "") -> Item:
    """Return a record as an item of a list, with what one should know of it."""
    notes = [whose, row.kind, f"{row.observed_at:%Y-%m-%d}"]
    if row.unverified:
        notes.append("unverified")
    text = row.text
    if len(text) < row.length:
        text += f" [cut; the whole record is {row.uid}]"
    return _item(row, listed(text, note=", ".join(filter(None, notes))))


def memory_file_content(text: str, limit: int) -> Content:
    """Return what a prompt contains of the text of a `Memory.md`."""
    kept = quoted(head_and_tail(text, limit)).strip("\n")
    left_out = max(0, len(text) - limit)
    why = f"longer than {limit:,} characters" if left_out else ""
    return replace(_whole(kept, "Memory.md.", left_out=left_out), why=why)


def _item(row: Stored, text: str) -> Item:
    same = " ".join(row.text.casefold().split())
    digest = hashlib.sha256(same.encode()).hexdigest()
    return Item(text, record=row.id, digest=digest)


def _whole(text: str, title: str, *, left_out: int = 0) -> Content:
    if not text.strip():
        return Content()
    return Content((Item(text),), title, left_out, _capped(left_out))


def _first_within(texts: Iterable[str], cap: int, title: str) -> Content:
    kept, left_out = first_within([Item(listed(text)) for text in texts], cap)
    return Content(kept, title, left_out, _capped(left_out))


def _newest_within(
    shown: Shown, items: Iterable[Item], cap: int, title: str
) -> Content:
    """Return the newest items within the cap; they come oldest first."""
    kept, left_out = last_within(shown.fresh(items), cap)
    return Content(kept, title, left_out, _capped(left_out))


def _found(found: finding.Found, shown: Shown, title: str) -> Content:
    items = shown.fresh(item_of(row) for row in found.rows)
    return Content(items, title, why=found.why)


def _capped(left_out: int) -> str:
    return "over the section's own cap" if left_out else ""


def _why_not_personal(asked: Asked) -> str:
    if asked.personal:
        return ""
    if asked.person is None:
        return "autonomous runs get nothing personal"
    return "a shared conversation gets nothing personal"
