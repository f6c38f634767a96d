"""The audit log."""

from django.db import models

from accounts.models.keys import ApiKey
from accounts.models.people import User


class AuditEntry(models.Model):
    """Who did what to which thing; never content, never a secret."""

    created_at = models.DateTimeField("time", auto_now_add=True)
    actor = models.ForeignKey(
        User, null=True, on_delete=models.SET_NULL, related_name="audit_entries"
    )
    key = models.ForeignKey(
        ApiKey, null=True, on_delete=models.SET_NULL, related_name="audit_entries"
    )
    run = models.CharField(max_length=16)
    action = models.CharField(max_length=64, help_text="Such as key.create.")
    target = models.CharField(max_length=200, blank=True)
    details = models.JSONField(default=dict)
    ip = models.GenericIPAddressField("IP address", null=True)

    class Meta:
        verbose_name_plural = "audit entries"
        ordering = ["-id"]
        indexes = [models.Index(fields=["-created_at"])]

    def __str__(self) -> str:
        return f"{self.created_at:%Y-%m-%d %H:%M} {self.action} {self.target}"
