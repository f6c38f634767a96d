"""Load the sample organisation with its wiki: records first, pages after them."""

from typing import Any

from accounts.models import User
from memory.management.commands import demo as records
from wiki import demo


class Command(records.Command):
    """What the command of records does, and the wiki of the same people.

    Of two commands of one name Django takes that of the app listed first.
    """

    def handle(self, *args: Any, **options: Any) -> None:
        """Load what is missing, and say who can look around."""
        super().handle(*args, **options)
        admin = User.objects.filter(is_superuser=True, is_active=True).earliest("pk")
        loaded = demo.load(admin=admin)
        if loaded.pages:
            self.stdout.write(
                f"Loaded the sample wiki: {loaded.pages} pages,"
                f" {loaded.revisions} revisions, {loaded.items} items of the review."
                " Everybody of the house edits it."
            )
