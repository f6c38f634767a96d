"""What tests of records share."""

from collections.abc import Iterator
from typing import Any

import pytest

from goclaw.lib import config


@pytest.fixture
def _no_vectors(settings: Any) -> Iterator[None]:
    """Search by words only, as on an installation without a model."""
    settings.GOCLAW_EMBEDDING = settings.GOCLAW_EMBEDDING | {"provider": "none"}
    config.reset()
    yield
    settings.GOCLAW_EMBEDDING = settings.GOCLAW_EMBEDDING | {"provider": "hashing"}
    config.reset()
