"""Types that the arguments of several tools share, checked and described."""

from collections.abc import Iterable
from typing import Annotated

from pydantic import AfterValidator, Field, WithJsonSchema

from memory.scopes import DOMAIN, TAG, WRITABLE_SCOPES, Kind, Scope


def one_of(names: Iterable[str]) -> AfterValidator:
    """Return the check that a word is one of these."""
    known = [str(name) for name in names]

    def check(value: str) -> str:
        if value not in known:
            raise ValueError(f"{value!r} is not one of {', '.join(known)}")
        return value

    return AfterValidator(check)


def listed(names: Iterable[str]) -> WithJsonSchema:
    """Return the same as a schema in which models see the words."""
    return WithJsonSchema({"type": "string", "enum": [str(name) for name in names]})


AnyScope = Annotated[str, one_of(Scope), listed(Scope)]
OwnScope = Annotated[str, one_of(WRITABLE_SCOPES), listed(WRITABLE_SCOPES)]
AnyKind = Annotated[str, one_of(Kind), listed(Kind)]
Domain = Annotated[str, Field(pattern=rf"^(?:{DOMAIN.pattern})$")]
Tag = Annotated[str, Field(pattern=rf"^(?:{TAG.pattern})$")]
