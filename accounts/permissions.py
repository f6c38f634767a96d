"""Thin REST permission classes; the rules about records are elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

if TYPE_CHECKING:  # the views import the permission classes
    from rest_framework.views import APIView


class IsActor(BasePermission):
    """Somebody is calling: a key, or a signed-in person."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Go by REST authentication only, so that a session never skips CSRF."""
        return request.successful_authenticator is not None
