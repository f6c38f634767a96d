"""Create, list and revoke API keys where the database is."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts import keys
from accounts.actors import system_actor
from accounts.key_rules import KeyRights
from accounts.kinds import KEY_RUNS, RunKind
from accounts.models import ApiKey, User
from goclaw.lib.errors import GoClawError


class Command(BaseCommand):
    """Works without a running server."""

    help = "Create, list and revoke API keys."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take one of the three verbs."""
        verbs = parser.add_subparsers(dest="verb", required=True)
        create = verbs.add_parser("create", help="Make a key and print its secret.")
        create.add_argument("owner", help="User name of the owner.")
        create.add_argument("label", help="What uses the key.")
        create.add_argument(
            "--run", action="append", choices=list(KEY_RUNS), dest="runs"
        )
        create.add_argument("--may-act-for-others", action="store_true")
        create.add_argument("--auto-provision", action="store_true")
        create.add_argument("--may-write-db-cache", action="store_true")
        listing = verbs.add_parser("list", help="List keys.")
        listing.add_argument("--owner")
        revoke = verbs.add_parser("revoke", help="End a key for good.")
        revoke.add_argument("id", type=int)

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the verb; refusals become command errors."""
        verbs = {"create": self._create, "list": self._list, "revoke": self._revoke}
        try:
            verbs[options["verb"]](options)
        except GoClawError as refusal:
            raise CommandError(refusal.message) from refusal

    def _create(self, options: dict[str, Any]) -> None:
        owner = User.objects.filter(username=options["owner"], is_active=True).first()
        if owner is None:
            raise CommandError("There is no active person of that name.")
        _, secret = keys.create(
            actor=system_actor(),
            owner=owner,
            label=options["label"],
            rights=KeyRights(
                runs=options["runs"] or [RunKind.CHAT.value],
                may_act_for_others=options["may_act_for_others"],
                auto_provision=options["auto_provision"],
                may_write_db_cache=options["may_write_db_cache"],
            ),
        )
        self.stdout.write(secret)

    def _list(self, options: dict[str, Any]) -> None:
        found = ApiKey.objects.select_related("owner").order_by("pk")
        if options["owner"]:
            found = found.filter(owner__username=options["owner"])
        for key in found.iterator():
            self.stdout.write(
                f"{key.pk}\t{key.prefix}\t{key.state}\t{key.owner.username}\t"
                f"{','.join(key.runs)}\t{key.label}"
            )

    def _revoke(self, options: dict[str, Any]) -> None:
        key = ApiKey.objects.filter(pk=options["id"]).first()
        if key is None:
            raise CommandError("There is no key with that id.")
        keys.revoke(actor=system_actor(), key=key)
        self.stdout.write(f"Revoked {key}.")
