"""`/api/sessions`: open, list, append, read, a window, search."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import body_of, query_of
from accounts.http import ApiRequest
from goclaw.lib.drf import Paged, paged, render
from memory import access
from memory.api.fields import ErrorOutput
from memory.api.idempotency import KEY, idempotent
from memory.api.session_fields import (
    AppendedOutput,
    MessageOutput,
    MessageSearchInput,
    MessagesFoundOutput,
    MessagesInput,
    SessionChanges,
    SessionInput,
    SessionMetadata,
    SessionOutput,
    WindowInput,
    WindowOutput,
)
from memory.models import Session
from memory.sessions import changing, writing
from memory.sessions.drafts import MessageDraft, SessionDraft
from memory.sessions.finding import find, missing
from memory.sessions.searching import search_messages
from memory.sessions.window import window

ERRORS = {400: ErrorOutput, 403: ErrorOutput, 404: ErrorOutput}


class SessionFilters(Paged):
    """Which sessions to list."""

    everyone = serializers.BooleanField(
        required=False,
        default=False,
        help_text="All of them, as metadata only (administrators).",
    )


class SessionsView(APIView):
    """The conversations one takes part in."""

    @extend_schema(
        operation_id="sessions_list",
        parameters=[SessionFilters],
        responses={200: SessionOutput(many=True), **ERRORS},
    )
    def get(self, request: ApiRequest) -> Response:
        """List sessions, the last active first, a page at a time."""
        filters = query_of(request, SessionFilters)
        output: type[SessionMetadata] = SessionOutput
        found = Session.objects.readable_by(request.actor)
        if filters["everyone"]:
            access.can_administrate(request.actor).require()
            output = SessionMetadata
            found = Session.objects.listed_for(request.actor)
        found = found.select_related("agent").prefetch_related("participants")
        return paged(request, found, output, ordering=("-last_active_at", "-id"))

    @extend_schema(
        operation_id="sessions_open",
        request=SessionInput,
        responses={201: SessionOutput, 200: SessionOutput, **ERRORS},
        parameters=[KEY],
    )
    @idempotent
    def post(self, request: ApiRequest) -> Response:
        """Open a session: 201, or 200 when the conversation is known."""
        data = body_of(request, SessionInput)
        opened = writing.open_session(actor=request.actor, draft=SessionDraft(**data))
        return session_response(request, opened.session, created=opened.created)


class SessionView(APIView):
    """One session."""

    @extend_schema(
        operation_id="sessions_read", responses={200: SessionOutput, **ERRORS}
    )
    def get(self, request: ApiRequest, uid: UUID) -> Response:
        """Read a session; an administrator gets the metadata of anybody's."""
        if Session.objects.readable_by(request.actor).filter(uid=uid).exists():
            return session_response(request, find(actor=request.actor, uid=uid))
        session = Session.objects.listed_for(request.actor).filter(uid=uid).first()
        if session is None:
            raise missing()
        return Response(render(SessionMetadata, session))

    @extend_schema(
        operation_id="sessions_change",
        request=SessionChanges,
        responses={200: SessionOutput, **ERRORS},
    )
    def patch(self, request: ApiRequest, uid: UUID) -> Response:
        """Change title and variables, and add participants."""
        data = body_of(request, SessionChanges)
        return session_response(
            request, changing.change(actor=request.actor, uid=uid, **data)
        )


class MessageFilters(Paged):
    """Which messages to list."""

    newest_first = serializers.BooleanField(required=False, default=False)


class MessagesView(APIView):
    """The messages of a session that are not trimmed."""

    @extend_schema(
        operation_id="sessions_messages",
        parameters=[MessageFilters],
        responses={200: MessageOutput(many=True), **ERRORS},
    )
    def get(self, request: ApiRequest, uid: UUID) -> Response:
        """List messages in their order, a page at a time."""
        filters = query_of(request, MessageFilters)
        session = find(actor=request.actor, uid=uid)
        order = "-position" if filters["newest_first"] else "position"
        found = session.messages.select_related("speaker")
        return paged(request, found, MessageOutput, ordering=(order,))

    @extend_schema(
        operation_id="sessions_append",
        request=MessagesInput,
        responses={201: AppendedOutput, 200: AppendedOutput, **ERRORS},
        parameters=[KEY],
    )
    @idempotent
    def post(self, request: ApiRequest, uid: UUID) -> Response:
        """Append messages, all or none: 201, or 200 when all were there already."""
        data = body_of(request, MessagesInput)
        accepted = writing.append(
            actor=request.actor,
            uid=uid,
            drafts=[MessageDraft(**item) for item in data["messages"]],
        )
        known = all(one.deduplicated for one in accepted)
        return Response(
            render(AppendedOutput, {"results": accepted}),
            status=status.HTTP_200_OK if known else status.HTTP_201_CREATED,
        )


class WindowView(APIView):
    """What of a conversation fits a prompt."""

    @extend_schema(
        operation_id="sessions_window",
        parameters=[WindowInput],
        responses={200: WindowOutput, **ERRORS},
    )
    def get(self, request: ApiRequest, uid: UUID) -> Response:
        """Read the newest turns that fit; a tool's result stays with its call."""
        limits = query_of(request, WindowInput)
        return Response(
            render(WindowOutput, window(actor=request.actor, uid=uid, **limits))
        )


class MessageSearchView(APIView):
    """The search over what was said."""

    @extend_schema(
        operation_id="sessions_search",
        request=MessageSearchInput,
        responses={200: MessagesFoundOutput, 400: ErrorOutput},
    )
    def post(self, request: ApiRequest) -> Response:
        """Search the messages of one's sessions that are not trimmed."""
        data = body_of(request, MessageSearchInput)
        text = data.pop("query")
        found = search_messages(actor=request.actor, text=text, **data)
        return Response(render(MessagesFoundOutput, found))


def session_response(
    request: ApiRequest, session: Session, *, created: bool = False, **more: Any
) -> Response:
    """Answer a session as it is now."""
    fresh = find(actor=request.actor, uid=session.uid)
    return Response(
        render(SessionOutput, fresh) | more,
        status=status.HTTP_201_CREATED if created else status.HTTP_200_OK,
    )
