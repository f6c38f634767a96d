"""The files that people keep for themselves, for when somebody is erased."""

from pathlib import Path

from django.db import transaction

from accounts.models import User
from memory.erasing.people import FileOwner, register_files
from wiki import documents, storing
from wiki.models import Attachment
from wiki.models.attachments import AttachmentQuerySet


def _own(user: User) -> AttachmentQuerySet:
    return Attachment.objects.filter(space__owner=user)


def _paths(user: User) -> list[Path]:
    keys = _own(user).values_list("key", flat=True)
    return [storing.path_of(key) for key in keys]


def _remove(user: User) -> None:
    for attachment in list(_own(user).select_related("memory").defer("text")):
        with transaction.atomic():
            documents.leave([attachment])
            attachment.delete()
        storing.discard(attachment.key)


register_files(FileOwner(files=_paths, remove=_remove))
