"""Which version of a thing a client has seen: ETag in answers, If-Match in requests."""

import re

from drf_spectacular.utils import OpenApiParameter

from accounts.http import ApiRequest
from goclaw.lib.errors import BadInput

IF_MATCH = OpenApiParameter("If-Match", str, "header")
_ETAG = re.compile(r'\s*(?:W/)?(?P<quote>"?)(?P<version>[1-9][0-9]{0,8})(?P=quote)\s*')


def etag(version: int) -> dict[str, str]:
    """Return the header by which an edit can say what it saw."""
    return {"ETag": f'"{version}"'}


def if_match(request: ApiRequest) -> int | None:
    """Return the version an edit is based on; None without one, or with any (`*`).

    Raises BadInput for what is no ETag of ours.
    """
    text = request.headers.get("If-Match")
    if text is None or text.strip() == "*":
        return None
    found = _ETAG.fullmatch(text)
    if found is None:
        raise BadInput(
            "If-Match takes one ETag.",
            field="If-Match",
            remedy="Send the ETag header of the answer that was edited.",
        )
    return int(found["version"])
