"""Where records live, and who has been listed as a writer there."""

from django.conf import settings
from django.db import models
from guardian.models import GroupObjectPermissionBase, UserObjectPermissionBase

from memory.scopes import Scope


class Space(models.Model):
    """One row for each shared scope, one personal row for each user.

    Permissions hang here and nowhere else: records, chunks and windows carry the
    space's id, so every search filters on a handful of integers.
    """

    kind = models.CharField(max_length=16, choices=Scope.choices)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="spaces",
        help_text="The person of a personal space; empty for a shared one.",
    )
    path = models.CharField(
        max_length=200,
        blank=True,
        default="",
        help_text="The restricted wiki section or page; empty for the scope's own row.",
    )
    listed_writers_enabled = models.BooleanField(
        default=True,
        help_text="Whether the listed users and groups may write here.",
    )

    class Meta:
        db_table = "memory_spaces"
        ordering = ["kind", "id"]
        permissions = [("write_space", "Can write records of the space")]
        constraints = [
            models.CheckConstraint(
                name="space_owner_is_personal",
                condition=models.Q(kind=Scope.PERSONAL, owner__isnull=False)
                | (~models.Q(kind=Scope.PERSONAL) & models.Q(owner__isnull=True)),
            ),
            models.UniqueConstraint(
                name="one_personal_space",
                fields=["owner"],
                condition=models.Q(owner__isnull=False),
            ),
            models.UniqueConstraint(
                name="one_shared_space",
                fields=["kind", "path"],
                condition=models.Q(owner__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.owner}" if self.owner_id else self.kind


class SpaceUserPermission(UserObjectPermissionBase):
    """A user listed for a space, by a foreign key instead of guardian's generic one."""

    content_object = models.ForeignKey(Space, on_delete=models.CASCADE)

    class Meta(UserObjectPermissionBase.Meta):
        db_table = "memory_space_users"


class SpaceGroupPermission(GroupObjectPermissionBase):
    """A group listed for a space."""

    content_object = models.ForeignKey(Space, on_delete=models.CASCADE)

    class Meta(GroupObjectPermissionBase.Meta):
        db_table = "memory_space_groups"
