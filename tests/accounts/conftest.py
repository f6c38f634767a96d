"""Callers of the REST API."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

Caller = Callable[..., Any]


@pytest.fixture
def call() -> Caller:
    """Return a function that sends one request with a bearer key and headers."""

    def send(
        secret: str | None,
        path: str = "/api/me",
        *,
        method: str = "get",
        body: Any = None,
        **headers: str,
    ) -> Any:
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        if secret is not None:
            names["Authorization"] = f"Bearer {secret}"
        return getattr(APIClient(), method)(path, body, format="json", headers=names)

    return send
