"""As whose words the message part goes to a model. Pure."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

ROLES = ("system", "user")


def message_role(model: str, table: Sequence[tuple[str, str]]) -> str:
    """Return `system` for models that take one after the person's message, else `user`.

    The table has (pattern, role) pairs, of which the first that matches counts. A
    vendor before the name, as in `openai/gpt-5`, does not matter.
    """
    name = model.strip().lower()
    names = {name, name.rpartition("/")[2]}
    for pattern, role in table:
        if any(fnmatchcase(one, pattern.lower()) for one in names):
            return role
    return "user"
