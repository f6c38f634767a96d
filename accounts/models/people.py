"""People and the names they have on chat channels."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Lower

from accounts.validators import validate_timezone


class User(AbstractUser):
    """A person of the organisation; roles are groups, administrators superusers."""

    timezone = models.CharField(
        "time zone",
        max_length=64,
        default="UTC",
        validators=[validate_timezone],
        help_text="IANA name, such as Europe/Berlin.",
    )

    class Meta(AbstractUser.Meta):
        constraints = [
            # "Admin" is not to be taken for "admin".
            models.UniqueConstraint(
                Lower("username"),
                name="user_name_in_any_case",
                violation_error_message="A user of that name in other letters exists.",
            )
        ]


class Identity(models.Model):
    """A person as one channel knows them, such as telegram, my-bot, 4711."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="identities")
    channel = models.CharField(max_length=64)
    account = models.CharField(
        max_length=128, help_text="Which bot or workspace of the channel."
    )
    sender = models.CharField(
        max_length=255, help_text="The person's id there; may contain colons."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "identities"
        constraints = [
            models.UniqueConstraint(
                fields=["channel", "account", "sender"], name="identity_unique"
            )
        ]

    def __str__(self) -> str:
        return f"{self.channel}:{self.account}:{self.sender}"
