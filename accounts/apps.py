"""The accounts app: who is acting."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People, their roles, identities and API keys, and the audit log."""

    name = "accounts"
    verbose_name = "People and access"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Teach the API schema how keys are sent."""
        from accounts.api import schema  # noqa: F401  (registers on import)
