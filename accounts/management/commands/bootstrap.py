"""Make a fresh installation usable: an administrator, and this machine's key."""

from typing import Any

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from accounts import local_admin
from accounts.management.links import sign_in_address
from accounts.models import User
from goclaw.lib.env import env_secret

NAME = "admin"


class Command(BaseCommand):
    """Idempotent: what is there already stays as it is."""

    help = "Make an administrator and the key of this machine's command line."

    def handle(self, *args: Any, **options: Any) -> None:
        """Do what is missing, and say what was done."""
        admin = _first_admin() or self._make_admin()
        if local_admin.ensure(state_dir=settings.GOCLAW_STATE_DIR, owner=admin):
            self.stdout.write(
                "This machine's administrator key is in "
                f"{settings.GOCLAW_STATE_DIR / local_admin.FILE}"
            )
        if admin.last_login is None and not admin.has_usable_password():
            self.stdout.write(
                f"Sign in as {admin.username}, once, within 24 hours:\n"
                f"  {sign_in_address(admin)}"
            )

    def _make_admin(self) -> User:
        password = env_secret("admin.password")
        if User.objects.filter(username=NAME).exists():
            raise CommandError(
                f"There is no active administrator, and {NAME} is somebody else: "
                "make one with createsuperuser."
            )
        try:
            if password:
                validate_password(password)
        except ValidationError as error:
            raise CommandError(
                f"GOCLAW_ADMIN_PASSWORD: {' '.join(error.messages)}"
            ) from error
        admin = User.objects.create_superuser(NAME, password=password or None)
        self.stdout.write(f"Made the administrator {NAME}.")
        return admin


def _first_admin() -> User | None:
    return User.objects.filter(is_superuser=True, is_active=True).order_by("pk").first()
