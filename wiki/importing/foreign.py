"""Links of other programs' Markdown, as our renderer reads them. Pure."""

import posixpath
import re
from collections.abc import Callable, Collection
from urllib.parse import unquote

Resolve = Callable[[str], str | None]
"""Takes the address of a link as it is written, gives what to write instead."""

_FENCE = re.compile(r"[ >]*(`{3,}|~{3,})")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|#|$")
# Code spans come first, so that links in them are none.
_CODE = r"(?<!`)(?P<ticks>`+)(?!`).{0,2000}?(?<!`)(?P=ticks)(?!`)"
_TITLE = r"(?P<title>[ \t]+(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))?[ \t]*"
_INLINE = r"\]\([ \t]*(?:<(?P<angle>[^<>\n]{1,1000})>|(?P<bare>[^()<>\"'\n]{1,1000}?))"
_RAW = (
    r"(?P<raw><(?:img|a)\s[^<>\n]{0,500}?\b(?:src|href)=)"
    r"(?P<quote>[\"'])(?P<value>[^\"'<>\n]{1,1000})(?P=quote)"
)
_LINK = re.compile(rf"{_CODE}|{_INLINE}{_TITLE}\)|{_RAW}", re.IGNORECASE)
_DEFINED = re.compile(r"( {0,3}\[[^\]^\n][^\]\n]{0,300}\]:[ \t]*)<?([^\s<>]{1,1000})>?")
_INDENTED = re.compile(r" {4}|\t")
# Of lists, definitions, footnotes and notes, whose further lines are indented.
_ITEM = re.compile(r"\s*(?:[-*+:]|\d{1,9}[.)]|!!!|\?\?\?\+?|\[\^[^\]\n]+\]:)\s")


def with_links(body: str, resolve: Resolve) -> str:
    """Return a text with the addresses of its links and images resolved.

    `[a](my page)` also gets the brackets that an address with spaces needs. Code stays
    as it is.
    """
    lines, fence, in_list = [], "", False
    for line in body.split("\n"):
        mark = _FENCE.match(line)
        bare = line.strip(" >")
        if fence:
            if len(bare) >= len(fence) and not bare.strip(fence[0]):
                fence = ""
        elif mark:
            fence = mark[1]
        elif in_list or not _INDENTED.match(line):
            in_list = bool(_ITEM.match(line)) or (in_list and line[:1] in {"", " "})
            line = _line(line, resolve)
        lines.append(line)
    return "\n".join(lines)


def _line(line: str, resolve: Resolve) -> str:
    if defined := _DEFINED.match(line):
        target = _new(defined[2], resolve)
        return f"{defined[1]}{target}{line[defined.end() :]}"

    def ours(link: re.Match[str]) -> str:
        if link["ticks"]:
            return link[0]
        if link["raw"]:
            sign = link["quote"]
            return f"{link['raw']}{sign}{_new(link['value'], resolve)}{sign}"
        target = _new((link["angle"] or link["bare"]).strip(), resolve)
        shown = f"<{target}>" if " " in target or link["angle"] else target
        return f"]({shown}{link['title'] or ''})"

    return _LINK.sub(ours, line)


def _new(target: str, resolve: Resolve) -> str:
    if _SCHEME.match(target):
        return target
    found = resolve(target)
    if found is not None:
        return found
    path, sign, heading = target.partition("#")
    return f"{path[:-3]}{sign}{heading}" if path.lower().endswith(".md") else target


def entry_meant(target: str, path: str, entries: Collection[str]) -> tuple[str, str]:
    """Return the entry that an address in the file `path` leads to, and its `#heading`.

    Addresses are relative to the file, or from the top of the zip with a slash before
    them; folders mean their README or index, and pages may lack their `.md`. "" for an
    address that leads to none of the entries.
    """
    plain, sign, heading = target.partition("#")
    plain = unquote(plain.partition("?")[0])
    start = "" if plain.startswith("/") else posixpath.dirname(path)
    joined = posixpath.normpath(posixpath.join(start, plain.lstrip("/") or "."))
    if joined.startswith(".."):
        return "", ""
    root = "" if joined == "." else joined
    folder = f"{root}/" if root else ""
    choices = [root, f"{root}.md", f"{root}.markdown"]
    choices += [f"{folder}{name}" for name in ("index.md", "README.md", "readme.md")]
    if root.endswith(".html"):
        choices.append(f"{root[:-5]}.md")
    found = next((one for one in choices if one in entries), "")
    return found, f"{sign}{heading}"
