"""The agents whose workspaces are indexed."""

from django.db import models
from django.utils import timezone


class Agent(models.Model):
    """One agent; a folder `agents/<slug>/` in the state directory makes it at sync."""

    slug = models.SlugField(max_length=64, unique=True)
    name = models.CharField(max_length=100, blank=True, default="")
    default = models.BooleanField(
        default=False, help_text="The agent of the folder `workspace/`."
    )
    synced_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        db_table = "memory_agents"
        ordering = ["slug"]
        constraints = [
            models.UniqueConstraint(
                name="one_default_agent",
                fields=["default"],
                condition=models.Q(default=True),
            )
        ]

    def __str__(self) -> str:
        return self.name or self.slug
