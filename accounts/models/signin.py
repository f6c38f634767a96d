"""What signing in needs to remember: one-time links and counted attempts."""

from django.db import models

from accounts.models.people import User


class SignInLink(models.Model):
    """A link that signs one person in, once; only the hash of its token is stored."""

    user = models.ForeignKey(
        User, on_delete=models.CASCADE, related_name="sign_in_links"
    )
    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"sign-in link of {self.user_id}"


class AttemptWindow(models.Model):
    """How many sign-ins were tried for one account or address since `started_at`."""

    bucket = models.CharField(
        max_length=64, unique=True, help_text="Hash of what is counted."
    )
    attempts = models.PositiveIntegerField()
    started_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.attempts} attempts since {self.started_at:%H:%M}"
