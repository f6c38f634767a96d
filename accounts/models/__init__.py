"""People, identities, API keys, sign-in state and the audit log."""

from accounts.models.audit import AuditEntry
from accounts.models.keys import ApiKey
from accounts.models.people import Identity, User
from accounts.models.signin import AttemptWindow, SignInLink

__all__ = [
    "ApiKey",
    "AttemptWindow",
    "AuditEntry",
    "Identity",
    "SignInLink",
    "User",
]
