"""What the wiki's API views share: who may ask, and what a request says of a page."""

from typing import TYPE_CHECKING

from rest_framework import serializers
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from accounts.api.input import query_of
from accounts.http import ApiRequest
from accounts.permissions import IsActor
from goclaw.lib.config import wiki_config
from goclaw.lib.drf import StrictSerializer
from goclaw.lib.errors import BadInput
from memory.api.fields import ErrorOutput
from memory.api.versions import if_match

if TYPE_CHECKING:  # the views import the permission classes
    from rest_framework.views import APIView

ERRORS = {400: ErrorOutput, 403: ErrorOutput, 404: ErrorOutput}


class ReadsWiki(IsActor):
    """Somebody is calling; for reading, a setting lets in everybody."""

    def has_permission(self, request: Request, view: "APIView") -> bool:
        """Let visitors read where the wiki is open to them."""
        open_to_all = wiki_config().anonymous_reading
        if open_to_all and request.method in SAFE_METHODS:
            return True
        return super().has_permission(request, view)


class Asked(StrictSerializer):
    """The page that a request is about; one that cannot be is a missing one."""

    slug = serializers.CharField(
        trim_whitespace=False, max_length=1000, help_text="The page's address."
    )


def slug_of(request: ApiRequest) -> str:
    """Return the slug of the query; whether there can be such a page is not judged."""
    data = query_of(request, Asked)
    slug: str = data["slug"]
    return slug


def base_of(request: ApiRequest, base_revision: int | None = None) -> int | None:
    """Return the revision that an edit is based on, from If-Match or the body."""
    matched = if_match(request)
    if None not in {matched, base_revision} and matched != base_revision:
        raise BadInput(
            "If-Match and base_revision name different revisions.", field="If-Match"
        )
    return base_revision if matched is None else matched
