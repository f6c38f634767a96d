"""Messages of sessions: the turns as they were sent, and what finds them."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from memory.fields import EmbeddingField
from memory.models.chunks import EmbeddingModel
from memory.models.sessions import Session


class Role(models.TextChoices):
    """What a message is in the exchange with the model."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


class Message(models.Model):
    """One turn, kept as it was sent."""

    session = models.ForeignKey(
        Session, on_delete=models.CASCADE, related_name="messages"
    )
    position = models.PositiveIntegerField(help_text="From 1, without gaps.")
    role = models.CharField(max_length=10, choices=Role.choices)
    speaker = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="The participant who said it.",
    )
    name = models.CharField(max_length=100, blank=True, default="")
    client_id = models.CharField(
        max_length=128,
        blank=True,
        default="",
        help_text="The gateway's id of the message, by which it is stored once.",
    )
    content = models.TextField(blank=True)
    tool_name = models.CharField(max_length=128, blank=True, default="")
    tool_call_id = models.CharField(
        max_length=128, blank=True, default="", help_text="The call that this answers."
    )
    tool_calls = models.JSONField(
        default=list, blank=True, help_text="The calls made: [{id, name, arguments}]."
    )
    call_position = models.PositiveIntegerField(
        null=True,
        blank=True,
        editable=False,
        help_text="Of a result: where its call stands, never to be parted from it.",
    )
    tokens = models.PositiveIntegerField(default=0, editable=False)
    embedded_by = models.ForeignKey(
        EmbeddingModel,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
        help_text="The model whose vectors it has.",
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        db_table = "memory_messages"
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(
                fields=["session", "position"], name="message_position_once"
            ),
            models.UniqueConstraint(
                fields=["session", "client_id"],
                name="message_once",
                condition=~models.Q(client_id=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.session_id}/{self.position}"


class MessageWord(models.Model):
    """A word of a message, as the one analyser cuts it, and how often it is there."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="+")
    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="words")
    word = models.BigIntegerField(help_text="The word's hash.")
    count = models.PositiveIntegerField()

    class Meta:
        db_table = "memory_message_words"
        indexes = [
            models.Index(
                fields=["word", "session", "message", "count"], name="message_word"
            )
        ]

    def __str__(self) -> str:
        return f"{self.message_id}: {self.word}"


class MessageVector(models.Model):
    """The vector of a window of a message."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="+")
    message = models.ForeignKey(
        Message, on_delete=models.CASCADE, related_name="vectors"
    )
    model = models.ForeignKey(
        EmbeddingModel, on_delete=models.CASCADE, related_name="+"
    )
    ordinal = models.PositiveSmallIntegerField(help_text="Window within the message.")
    vector = EmbeddingField()

    class Meta:
        db_table = "memory_message_vectors"
        constraints = [
            models.UniqueConstraint(
                fields=["message", "model", "ordinal"], name="message_window_once"
            )
        ]
        indexes = [models.Index(fields=["session", "model"], name="message_vectors")]

    def __str__(self) -> str:
        return f"{self.message_id}/{self.ordinal}"


class TrimmedMessage(models.Model):
    """What is still known of a message in the archive: that it was stored."""

    session = models.ForeignKey(
        Session, on_delete=models.CASCADE, related_name="trimmed_messages"
    )
    client_id = models.CharField(max_length=128)
    position = models.PositiveIntegerField()

    class Meta:
        db_table = "memory_trimmed_messages"
        constraints = [
            models.UniqueConstraint(
                fields=["session", "client_id"], name="trimmed_message_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.session_id}/{self.position}"
