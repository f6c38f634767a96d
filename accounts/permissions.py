"""Thin REST permission classes; the rules about records are elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from accounts.actors import Conversation
from accounts.http import actor_of

if TYPE_CHECKING:  # the views import the permission classes
    from rest_framework.views import APIView


class IsActor(BasePermission):
    """Somebody is calling: a key, or a signed-in person."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Go by REST authentication only, so that a session never skips CSRF."""
        return request.successful_authenticator is not None


class IsAdminActor(IsActor):
    """An administrator calls, or a key in a direct chat with one.

    Autonomous runs and shared conversations carry other people's words and never
    administrate, whoever they act for.
    """

    message = (
        "Only administrators may do that, in the browser or in a direct conversation."
    )

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Go by the person acted for, and by how."""
        if not super().has_permission(request, view):
            return False
        actor = actor_of(request)
        return (
            actor.is_admin
            and not actor.is_autonomous
            and actor.conversation is Conversation.DIRECT
        )
