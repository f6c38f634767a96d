"""`/api/review/items`: what machines proposed or decided, and what people say to it."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import body_of, query_of
from accounts.http import ApiRequest
from goclaw.lib.drf import Paged, StrictSerializer, paged, render
from memory.api.fields import ErrorOutput, Text
from memory.api.idempotency import KEY, idempotent
from memory.models import ReviewItem, ReviewKind
from wiki.api.requests import ERRORS
from wiki.api.review_fields import (
    CountsOutput,
    ItemOutput,
    ItemRow,
    detail_of,
)
from wiki.review import deciding, queue
from wiki.review.outcomes import Seen

ORDERS = {"pending": ("queued_at", "id"), queue.DECIDED: ("-decided_at", "-id")}
"""What waits is listed oldest first, what is decided newest first."""


class QueueFilters(Paged):
    """What to list."""

    state = serializers.ChoiceField(
        [*ORDERS], required=False, default="pending", help_text="What waits, or not."
    )
    kind = serializers.ChoiceField(ReviewKind.choices, required=False)
    domain = serializers.CharField(required=False, max_length=64)
    run = serializers.CharField(required=False, max_length=64)
    agent = serializers.CharField(required=False, max_length=64)
    risk = serializers.ChoiceField(
        [*queue.RISKS, queue.ANY, queue.NONE], required=False
    )
    older_than_days = serializers.IntegerField(
        required=False, min_value=1, max_value=36500
    )


class DecisionInput(StrictSerializer):
    """What the reviewer had before them, and what they say to it."""

    content_hash = Text(required=False, default="")
    base_revision = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=0, max_value=2**31 - 1
    )
    body = Text(
        required=False,
        allow_null=True,
        default=None,
        help_text="Of an approval only: the text to publish in place of the draft's.",
    )
    reason = Text(required=False, default="", help_text="Kept, and shown to others.")


class ApproveInput(DecisionInput):
    """What is approved: the very text that was shown, or `body` in its place."""

    content_hash = Text(help_text="Of the item, as it was shown.")


class ItemsView(APIView):
    """The queue."""

    @extend_schema(
        operation_id="review_list",
        parameters=[QueueFilters],
        responses={200: ItemRow(many=True), 400: ErrorOutput},
    )
    def get(self, request: ApiRequest) -> Response:
        """List what one may decide about, with counts of all that waits."""
        asked = query_of(request, QueueFilters)
        for name in ("cursor", "page_size"):
            asked.pop(name, None)
        filters = queue.Filters(**asked)
        rows = queue.listed(request.actor, filters)
        answer = paged(request, rows, ItemRow, ordering=ORDERS[filters.state])
        answer.data["counts"] = render(CountsOutput, queue.counts(request.actor))
        return answer


class ItemView(APIView):
    """One item."""

    @extend_schema(
        operation_id="review_read", responses={200: ItemOutput, 404: ErrorOutput}
    )
    def get(self, request: ApiRequest, uid: Any) -> Response:
        """Read an item on top of the page as it is now, with all that is behind it."""
        item = deciding.shown(actor=request.actor, uid=uid)
        return Response(detail_of(request.actor, item))


class _Decision(APIView):
    """What decisions have in common: they answer with the item."""

    def answer(self, request: ApiRequest, item: ReviewItem) -> Response:
        """Return the item as it stands now."""
        return Response(detail_of(request.actor, item), status=status.HTTP_200_OK)


_RESPONSES = {200: ItemOutput, 409: ErrorOutput, **ERRORS}


class ApproveView(_Decision):
    """Yes."""

    @extend_schema(
        operation_id="review_approve",
        request=ApproveInput,
        parameters=[KEY],
        responses=_RESPONSES,
    )
    @idempotent
    def post(self, request: ApiRequest, uid: Any) -> Response:
        """Publish a draft, or let a decision stand; 409 when something moved on."""
        data = body_of(request, ApproveInput)
        seen = Seen(
            content_hash=data["content_hash"], base_revision=data["base_revision"] or 0
        )
        item = deciding.approve(
            actor=request.actor,
            uid=uid,
            seen=seen,
            body=data["body"],
            reason=data["reason"],
        )
        return self.answer(request, item)


class RejectView(_Decision):
    """No."""

    @extend_schema(
        operation_id="review_reject",
        request=DecisionInput,
        parameters=[KEY],
        responses=_RESPONSES,
    )
    @idempotent
    def post(self, request: ApiRequest, uid: Any) -> Response:
        """Refuse a draft for good, or take a decision about records back."""
        data = body_of(request, DecisionInput)
        shown = data["content_hash"]
        item = deciding.reject(
            actor=request.actor,
            uid=uid,
            seen=Seen(content_hash=shown) if shown else None,
            reason=data["reason"],
        )
        return self.answer(request, item)


class SkipView(_Decision):
    """Later."""

    @extend_schema(
        operation_id="review_skip",
        request=DecisionInput,
        parameters=[KEY],
        responses=_RESPONSES,
    )
    @idempotent
    def post(self, request: ApiRequest, uid: Any) -> Response:
        """Put an item to the end of the queue."""
        body_of(request, DecisionInput)
        return self.answer(request, deciding.skip(actor=request.actor, uid=uid))


class UndoView(_Decision):
    """Back."""

    @extend_schema(
        operation_id="review_undo",
        request=DecisionInput,
        parameters=[KEY],
        responses=_RESPONSES,
    )
    @idempotent
    def post(self, request: ApiRequest, uid: Any) -> Response:
        """Take back what was decided, by a new revision where a page was published."""
        body_of(request, DecisionInput)
        return self.answer(request, deciding.undo(actor=request.actor, uid=uid))
