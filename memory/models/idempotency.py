"""Answers kept for a day, so that a request sent twice is done once."""

from django.conf import settings
from django.db import models
from django.utils import timezone


class IdempotentAnswer(models.Model):
    """What was answered to a POST with an `Idempotency-Key`."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    key = models.CharField(max_length=128, help_text="As the client sent it.")
    request_hash = models.CharField(max_length=64, help_text="Of path and body.")
    status = models.PositiveSmallIntegerField(default=0)
    body = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        db_table = "memory_idempotent_answers"
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="answer_once")
        ]
        indexes = [models.Index(fields=["created_at"], name="answer_age")]

    def __str__(self) -> str:
        return self.key
