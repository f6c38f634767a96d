"""Lines of a text: how a request asks for some of them, and how they are answered."""

from typing import Any

from rest_framework import serializers

from goclaw.lib.drf import StrictSerializer
from memory.reading import Passage


class LinesInput(StrictSerializer):
    """Which lines, from the first to the last if nothing is said."""

    lines = serializers.IntegerField(
        required=False, min_value=1, max_value=100_000, help_text="How many."
    )

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Add `from`, which Python does not take as a name."""
        first = serializers.IntegerField(
            required=False,
            min_value=1,
            max_value=2**31 - 1,
            help_text="The first one; they count from 1.",
        )
        return super().get_fields() | {"from": first}


class PassageOutput(serializers.Serializer[Passage]):
    """Lines of a file or a record."""

    id = serializers.UUIDField(source="memory.uid", default=None, allow_null=True)
    path = serializers.CharField(allow_null=True)
    text = serializers.CharField()
    line_start = serializers.IntegerField()
    line_end = serializers.IntegerField()
    total_lines = serializers.IntegerField()
    missing = serializers.BooleanField()
