"""Requests made up from the OpenAPI schema never meet a fault of ours."""

from typing import Any

import pytest
import requests
import schemathesis
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.people import api_for, make_admin

pytestmark = pytest.mark.django_db

SCHEMA = schemathesis.openapi.from_dict(
    SchemaGenerator().get_schema(request=None, public=True)
)
CLIENT = Client(raise_request_exception=False)
OPERATIONS = {
    operation.ok().label: operation.ok() for operation in SCHEMA.get_all_operations()
}


@schemathesis.serializer("application/x-ndjson")
def lines(context: Any, value: Any) -> bytes:
    """Send a made-up text as what follows the header of a catalogue."""
    text = str(value).encode(errors="surrogatepass")
    return b'{"format": "goclaw-catalogue", "version": 1}\n' + text


def send(case: Any, secret: str) -> Any:
    """Send a case through Django's test client, which keeps the test's transaction."""
    request = requests.Request(
        **case.as_transport_kwargs(base_url="http://testserver")
    ).prepare()
    headers = dict(request.headers) | {"Authorization": f"Bearer {secret}"}
    return CLIENT.generic(
        request.method,
        request.path_url,
        request.body or b"",
        content_type=headers.pop("Content-Type", "application/json"),
        headers=headers,
    )


@pytest.mark.parametrize("label", OPERATIONS)
def test_no_request_is_answered_with_a_fault(label: str) -> None:
    secret = api_for(make_admin(), may_write_db_cache=True).secret

    @settings(
        max_examples=20,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(data=st.data())
    def run(data: Any) -> None:
        case = data.draw(OPERATIONS[label].as_strategy())
        answer = send(case, secret)
        if answer.status_code >= 500:  # to have no model is a normal state
            assert b'"model_not_configured"' in answer.content, answer.content[:500]
        if answer.status_code >= 400:
            error = answer.json()["error"]
            assert error["code"]
            assert error["message"]

    run()
