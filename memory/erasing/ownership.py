"""What belongs to a person, by what the tables themselves say.

A row that is deleted together with its person is theirs, and so is whatever goes with
such a row. Tables that come later are found without a word here. What only names a
person, as the author of a shared record, is not theirs.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db.models import CASCADE, ForeignKey, Model, QuerySet
from django.db.models.deletion import Collector

APPS = ("accounts", "memory", "wiki")
ACCOUNT = frozenset(
    {
        "accounts.apikey",
        "accounts.identity",
        "accounts.signinlink",
        "memory.spaceuserpermission",
    }
)
"""Rows that make the account what it is; they go with it, not before."""
NAMES = {
    "memory.memory": "records",
    "memory.chunk": "chunks",
    "memory.embedding": "vectors",
    "memory.revision": "revisions",
    "memory.session": "sessions",
    "memory.message": "messages",
    "memory.recalllog": "recalls",
    "memory.reviewitem": "review_items",
    "wiki.attachment": "files",
}
OTHERS = "other_rows"


def fields_to_people() -> Iterator[ForeignKey[Any, Any]]:
    """Yield every foreign key to a person in our tables."""
    for label in APPS:
        for model in apps.get_app_config(label).get_models():
            for field in model._meta.local_fields:
                if isinstance(field, ForeignKey) and _leads_to_people(field):
                    yield field


def is_owner(field: ForeignKey[Any, Any]) -> bool:
    """Say whether a row belongs to the person that the field names."""
    label = field.model._meta.label_lower
    return field.remote_field.on_delete is CASCADE and label not in ACCOUNT


def owned_by(user_id: int) -> list[QuerySet[Any]]:
    """Return the rows of each table that are the person's."""
    return [
        field.model._default_manager.filter(**{field.attname: user_id})
        for field in fields_to_people()
        if is_owner(field)
    ]


def count(owned: Iterable[QuerySet[Any]]) -> Counter[str]:
    """Count rows with all that is deleted with them."""
    rows: dict[type[Model], set[Any]] = {}
    for found in owned:
        collector = Collector(using=found.db)
        collector.collect(found)
        for model, instances in collector.data.items():
            rows.setdefault(model, set()).update(row.pk for row in instances)
        for fast in collector.fast_deletes:
            rows.setdefault(fast.model, set()).update(fast.values_list("pk", flat=True))
    counts: Counter[str] = Counter()
    for model, keys in rows.items():
        counts[name_of(model._meta.label)] += len(keys)
    return counts


def name_of(label: str) -> str:
    """Return what rows of a model are called in a report."""
    return NAMES.get(label.lower(), OTHERS)


def _leads_to_people(field: ForeignKey[Any, Any]) -> bool:
    target = field.related_model
    return isinstance(target, type) and target._meta.label == settings.AUTH_USER_MODEL
