"""`/api/sessions/{id}/…`: trim, learn, close, confirm, archives, in and out."""

from datetime import date
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import body_of
from accounts.http import ApiRequest
from goclaw.lib.drf import StrictSerializer, render
from goclaw.lib.errors import BadInput, NotFound
from memory.api.fields import ErrorOutput
from memory.api.idempotency import KEY, idempotent
from memory.api.jobs import JobOutput, queued
from memory.api.session_fields import (
    ImportInput,
    SessionOutput,
    import_of,
)
from memory.api.sessions import ERRORS, session_response
from memory.sessions import archiving, changing, extracting, trimming
from memory.sessions.finding import find
from memory.sessions.portability import export_session, import_session


class TrimInput(StrictSerializer):
    """Whether to trim a session that is within its limits."""

    force = serializers.BooleanField(required=False, default=False)


class TrimView(APIView):
    """From session to archive."""

    @extend_schema(
        operation_id="sessions_trim",
        request=TrimInput,
        responses={202: JobOutput, 200: SessionOutput, **ERRORS},
        parameters=[KEY],
    )
    @idempotent
    def post(self, request: ApiRequest, uid: UUID) -> Response:
        """Queue a trim: 202 with its job, or 200 where there is nothing to cut."""
        data = body_of(request, TrimInput)
        job = trimming.trim(actor=request.actor, uid=uid, force=data["force"])
        if job is None:
            return session_response(request, find(actor=request.actor, uid=uid))
        return queued(job)


class ExtractView(APIView):
    """Learning from a conversation."""

    @extend_schema(
        operation_id="sessions_extract",
        request=None,
        responses={202: JobOutput, 200: SessionOutput, 503: ErrorOutput, **ERRORS},
        parameters=[KEY],
    )
    @idempotent
    def post(self, request: ApiRequest, uid: UUID) -> Response:
        """Queue what is new for learning: 202 with the job, 200 where nothing is."""
        job = extracting.extract(actor=request.actor, uid=uid)
        if job is None:
            return session_response(request, find(actor=request.actor, uid=uid))
        return queued(job)


class CloseView(APIView):
    """The end of a conversation."""

    @extend_schema(
        operation_id="sessions_close",
        request=None,
        responses={200: SessionOutput, **ERRORS},
        parameters=[KEY],
    )
    @idempotent
    def post(self, request: ApiRequest, uid: UUID) -> Response:
        """Close a session and learn from it; the next message opens it again."""
        return session_response(request, changing.close(actor=request.actor, uid=uid))


class ConfirmView(APIView):
    """Certainty about who speaks."""

    @extend_schema(
        operation_id="sessions_confirm",
        request=None,
        responses={200: SessionOutput, **ERRORS},
        parameters=[KEY],
    )
    @idempotent
    def post(self, request: ApiRequest, uid: UUID) -> Response:
        """Confirm a session that was opened as unconfirmed."""
        return session_response(request, changing.confirm(actor=request.actor, uid=uid))


class ExportView(APIView):
    """A conversation as JSON."""

    @extend_schema(operation_id="sessions_export", responses={200: dict, **ERRORS})
    def get(self, request: ApiRequest, uid: UUID) -> Response:
        """Export the whole conversation, what is archived included."""
        return Response(export_session(actor=request.actor, uid=uid))


class ImportView(APIView):
    """A conversation from elsewhere."""

    @extend_schema(
        operation_id="sessions_import",
        request=ImportInput,
        responses={201: SessionOutput, 200: SessionOutput, 409: ErrorOutput, **ERRORS},
        parameters=[KEY],
    )
    @idempotent
    def post(self, request: ApiRequest) -> Response:
        """Import a conversation; again it adds only what is new."""
        data = body_of(request, ImportInput)
        draft, file = import_of(data)
        imported = import_session(actor=request.actor, draft=draft, file=file)
        return session_response(
            request, imported.session, created=imported.created, added=imported.added
        )


class ArchiveFile(serializers.Serializer[Any]):
    """An archive file of a session."""

    day = serializers.DateField(help_text="Of its first turn; the file's address.")
    bytes = serializers.IntegerField()


class ArchiveView(APIView):
    """What was trimmed, as files."""

    @extend_schema(
        operation_id="sessions_archive",
        responses={200: ArchiveFile(many=True), **ERRORS},
    )
    def get(self, request: ApiRequest, uid: UUID) -> Response:
        """List the archive files of a session, oldest first."""
        session = find(actor=request.actor, uid=uid)
        files = [
            {"day": archiving.day_of(path), "bytes": path.stat().st_size}
            for path in archiving.files_of(session)
        ]
        return Response({"results": [render(ArchiveFile, file) for file in files]})


class ArchiveFileView(APIView):
    """One archive file."""

    @extend_schema(
        operation_id="sessions_archive_read", responses={200: dict, **ERRORS}
    )
    def get(self, request: ApiRequest, uid: UUID, day: str) -> Response:
        """Read an archive file as it is on the disk."""
        session = find(actor=request.actor, uid=uid)
        try:
            path = archiving.file_of(session, date.fromisoformat(day))
        except ValueError:
            raise BadInput("A day is written as 2026-03-27.", field="day") from None
        if not path.exists():
            raise NotFound("There is no such archive file.")
        return Response({"day": day, "text": archiving.read_text(path)})
