"""Pages as Markdown files: front matter with title and tags, then the text. Pure."""

import json
import re

from wiki.drafts import PageText, with_lf

_KEY = re.compile(r"([A-Za-z_]{1,40}):[ \t]*(.*)$")
_ITEM = re.compile(r"[ \t]*-[ \t]+(.*)$")
_TAG_SIGN = re.compile(r"[^a-z0-9_.-]+")
MOST_FRONT = 200
"""Lines of front matter; longer ones are text."""


def written(text: PageText) -> str:
    """Return the file of a page; `read` gives the same page back."""
    title = json.dumps(text.title, ensure_ascii=False)
    tags = json.dumps(list(text.tags), ensure_ascii=False)
    return f"---\ntitle: {title}\ntags: {tags}\n---\n{text.body}"


def read(content: str) -> PageText:
    """Return title, tags and text of a file; without front matter it is all text.

    Of other front matter only `title` and `tags` are understood, also as lists of lines
    or words with commas between; the rest is dropped with it.
    """
    content = with_lf(content.removeprefix("\ufeff"))
    lines = content.split("\n", MOST_FRONT)
    if lines[0] != "---" or "---" not in lines[1:MOST_FRONT]:
        return PageText(title="", body=content)
    end = lines.index("---", 1)
    fields = _fields(lines[1:end])
    tags = [_TAG_SIGN.sub("-", tag.lower()).strip("-_.") for tag in fields["tags"]]
    return PageText(
        title=" ".join(fields["title"]),
        tags=tuple(sorted({tag for tag in tags if tag})),
        body="\n".join(lines[end + 1 :]),
    )


def _fields(lines: list[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {"title": [], "tags": []}
    name = ""
    for line in lines:
        if key := _KEY.match(line):
            name = key[1].lower()
            if name in found:
                found[name] = _values(key[2].strip(), split=name == "tags")
        elif (item := _ITEM.match(line)) and name == "tags":
            found[name] += _values(item[1].strip(), split=False)
    return found


def _values(text: str, *, split: bool) -> list[str]:
    if text[:1] in {'"', "["}:
        try:
            value = json.loads(text)
        except ValueError:
            value = None
        if isinstance(value, str):
            return [value]
        if isinstance(value, list):
            return [one for one in value if isinstance(one, str)]
    if not split:
        return [text.strip("'\"")] if text else []
    parts = text.strip("[]").split(",")
    return [part.strip().strip("'\"") for part in parts if part.strip()]
