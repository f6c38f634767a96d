"""How the index was made: by it a start notices that the settings say otherwise."""

from django.db import models
from django.utils import timezone


class IndexRecipe(models.Model):
    """One row, as long as the entries of every record are made that way."""

    recipe = models.JSONField(help_text="As memory.reindexing writes it.")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        db_table = "memory_index_recipes"

    def __str__(self) -> str:
        return f"{self.recipe}"
