"""Names of files as people gave them, made fit to be shown and sent. Pure."""

import unicodedata

MAX_NAME = 150
_FORBIDDEN = frozenset('/\\:*?"<>|')


def display_name(given: str) -> str:
    """Return the last part of a name without what is unseen or means a path.

    Never used as a path; "file" when nothing is left. The ending survives a cut.
    """
    name = unicodedata.normalize("NFC", given.replace("\\", "/").rpartition("/")[2])
    kept = "".join(
        " " if char.isspace() else char
        for char in name
        if char not in _FORBIDDEN
        and (char.isspace() or unicodedata.category(char)[0] != "C")
    )
    kept = " ".join(kept.split()).strip(". ")
    if not kept:
        return "file"
    if len(kept) <= MAX_NAME:
        return kept
    stem, dot, ending = kept.rpartition(".")
    if not dot or len(ending) > 10:
        return kept[:MAX_NAME].rstrip(". ")
    return f"{stem[: MAX_NAME - len(ending) - 1].rstrip('. ')}.{ending}"
