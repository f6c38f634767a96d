"""Load the sample organisation, to look at the product with something in it."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from accounts.management.links import sign_in_address
from accounts.models import User
from goclaw.lib.errors import GoClawError
from memory import demo


class Command(BaseCommand):
    """Idempotent: what was loaded once stays as people have left it."""

    help = "Load a sample organisation, and print a sign-in link of one of its people."

    def handle(self, *args: Any, **options: Any) -> None:
        """Load what is missing, and say who can look around."""
        if not User.objects.filter(is_superuser=True, is_active=True).exists():
            call_command("bootstrap", stdout=self.stdout)
        try:
            loaded = demo.load()
        except GoClawError as refusal:
            raise CommandError(refusal.message) from refusal
        if loaded.people:
            self.stdout.write(
                f"Loaded the sample organisation: {loaded.people} people,"
                f" {loaded.records} records, {loaded.files} workspace files."
            )
        self.stdout.write(
            f"Look around as {loaded.reader.get_full_name()}, a forecaster without"
            f" special rights:\n  {sign_in_address(loaded.reader)}"
        )
