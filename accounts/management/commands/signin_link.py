"""Print a one-time sign-in link."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.management.links import sign_in_address
from accounts.models import User


class Command(BaseCommand):
    """For people who cannot sign in otherwise."""

    help = "Print a link that signs a person in once, within 24 hours."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the person's user name."""
        parser.add_argument("username")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the link and print it."""
        user = User.objects.filter(username=options["username"], is_active=True).first()
        if user is None:
            raise CommandError("There is no active person of that name.", returncode=5)
        self.stdout.write(sign_in_address(user))
