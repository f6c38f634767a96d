"""What was returned to whom: for statistics and "why did the agent say that"."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from memory.models.memories import Memory


class Feedback(models.TextChoices):
    """What an agent says of a hit it was given."""

    USEFUL = "useful"
    WRONG = "wrong"


class RecallLog(models.Model):
    """One hit of one search."""

    search = models.UUIDField(help_text="The hits of one answer share it.")
    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="recalls")
    rank = models.PositiveSmallIntegerField(
        help_text="Place in the answer, from 1; 0 for none."
    )
    score = models.FloatField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
    )
    run_kind = models.CharField(max_length=16)
    query = models.TextField(
        blank=True, default="", help_text="Kept only if the settings say so."
    )
    feedback = models.CharField(
        max_length=8,
        choices=Feedback.choices,
        blank=True,
        default="",
        help_text="Counted in the statistics; it changes no ranking.",
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        db_table = "memory_recalls"
        indexes = [
            models.Index(fields=["memory", "created_at"], name="recall_memory"),
            models.Index(fields=["created_at"], name="recall_age"),
            # What the statistics count: few rows among very many.
            models.Index(
                fields=["feedback", "memory"],
                name="recall_feedback",
                condition=models.Q(feedback__gt=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.search} {self.rank}"
