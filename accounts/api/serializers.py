"""What goes in and out of the accounts API."""

from typing import Any

from rest_framework import serializers

from accounts.key_rules import KeyRights
from accounts.kinds import KEY_RUNS, Conversation, RunKind
from accounts.models import ApiKey
from goclaw.lib.drf import StrictSerializer, When


class KeyOutput(serializers.ModelSerializer[ApiKey]):
    """A key without its secret."""

    owner = serializers.CharField(source="owner.username")
    runs = serializers.ListField(child=serializers.ChoiceField(choices=list(KEY_RUNS)))
    state = serializers.ChoiceField(choices=["active", "expired", "revoked"])

    class Meta:
        model = ApiKey
        fields = [
            "id",
            "prefix",
            "label",
            "owner",
            "state",
            "runs",
            "may_act_for_others",
            "auto_provision",
            "may_write_db_cache",
            "created_at",
            "expires_at",
            "last_used_at",
            "revoked_at",
        ]
        read_only_fields = fields


class NewKeyOutput(KeyOutput):
    """A key that has just been made, with the secret that is shown this once."""

    secret = serializers.CharField()

    class Meta(KeyOutput.Meta):
        fields = [*KeyOutput.Meta.fields, "secret"]
        read_only_fields = fields


class KeyInput(StrictSerializer):
    """What a new key shall be able to do."""

    label = serializers.CharField(max_length=100)  # type: ignore[assignment]
    owner = serializers.CharField(
        max_length=150,
        required=False,
        help_text="User name; the caller without it. Others need an administrator.",
    )
    runs = serializers.ListField(
        child=serializers.ChoiceField(choices=list(KEY_RUNS)),
        allow_empty=False,
        max_length=len(KEY_RUNS),
        default=[RunKind.CHAT.value],
    )
    may_act_for_others = serializers.BooleanField(default=False)
    auto_provision = serializers.BooleanField(default=False)
    may_write_db_cache = serializers.BooleanField(default=False)
    expires_at = When(required=False, allow_null=True)


def rights_of(data: dict[str, Any]) -> KeyRights:
    """Return the rights that a checked `KeyInput` asks for."""
    return KeyRights(
        runs=data["runs"],
        may_act_for_others=data["may_act_for_others"],
        auto_provision=data["auto_provision"],
        may_write_db_cache=data["may_write_db_cache"],
        expires_at=data.get("expires_at"),
    )


class MeOutput(serializers.Serializer[Any]):
    """Who is acting, as the server sees it."""

    username = serializers.CharField()
    is_admin = serializers.BooleanField()
    roles = serializers.ListField(child=serializers.CharField())
    timezone = serializers.CharField()
    run = serializers.ChoiceField(choices=[kind.value for kind in RunKind])
    conversation = serializers.ChoiceField(
        choices=[kind.value for kind in Conversation]
    )
    key = serializers.CharField(
        allow_null=True, help_text="The visible prefix of the key, null in the browser."
    )
