"""The model field of embedding vectors, on either database."""

from typing import TYPE_CHECKING, Any

import numpy as np
from django.core.exceptions import ValidationError
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from numpy.typing import NDArray

if TYPE_CHECKING:
    _VectorField = models.Field[NDArray[np.float32], NDArray[np.float32]]
else:
    _VectorField = models.Field

POSTGRESQL = "postgresql"


class EmbeddingField(_VectorField):
    """A vector of any dimension: little-endian float32 BLOB, or pgvector's `vector`.

    In Python it is a one-dimensional NumPy array of float32.
    """

    description = "Embedding vector"

    def db_type(self, connection: BaseDatabaseWrapper) -> str:
        """Return the column's type; `vector` stays open to any dimension."""
        return "vector" if connection.vendor == POSTGRESQL else "BLOB"

    def get_db_prep_value(
        self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False
    ) -> Any:
        """Return the stored form. Raises ValidationError for an unusable vector."""
        if value is None or isinstance(value, (bytes, str)):
            return value
        vector = np.asarray(value, dtype="<f4")
        if vector.ndim != 1 or not vector.size or not np.isfinite(vector).all():
            raise ValidationError("A vector is one row of finite numbers.")
        if connection.vendor == POSTGRESQL:
            return vector_text(vector)
        return vector.tobytes()

    def from_db_value(
        self, value: Any, expression: Any, connection: BaseDatabaseWrapper
    ) -> NDArray[np.float32] | None:
        """Return the array; BLOBs are not copied, so it is read-only."""
        if value is None:
            return None
        if isinstance(value, str):
            return np.fromstring(value[1:-1], dtype=np.float32, sep=",")
        return np.frombuffer(value, dtype="<f4")


def vector_text(vector: NDArray[np.float32]) -> str:
    """Return a vector as pgvector reads it: `[0.1,0.2]`."""
    return f"[{','.join(map(str, vector.tolist()))}]"
