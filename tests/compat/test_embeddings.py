"""`/v1/embeddings`, by hand and by the OpenAI SDK against a real server."""

import base64
from typing import Any

import numpy as np
import openai
import pytest

from tests.compat.calling import ask
from tests.people import Api

pytestmark = pytest.mark.django_db

TEXTS = ["The quokka is called Bert.", "Deploys go out on Tuesdays."]


def embed(api: Api, texts: Any, **fields: Any) -> Any:
    answer = ask(api, "post", "/v1/embeddings", {"input": texts, **fields})
    assert answer.status_code == 200, answer.json()
    return answer.json()


def vector(item: dict[str, Any]) -> Any:
    found = item["embedding"]
    if isinstance(found, str):
        return np.frombuffer(base64.b64decode(found), dtype="<f4")
    return np.array(found, dtype=np.float32)


def test_one_text_and_a_list_of_one_are_the_same(alice_api: Api) -> None:
    one = embed(alice_api, TEXTS[0], model="text-embedding-3-small")
    assert one == embed(alice_api, [TEXTS[0]])
    assert (one["object"], one["data"][0]["object"]) == ("list", "embedding")
    assert one["model"] == "all-MiniLM-L6-v2"
    assert one["usage"]["prompt_tokens"] == one["usage"]["total_tokens"] > 3
    assert np.linalg.norm(vector(one["data"][0])) == pytest.approx(1, abs=1e-5)


def test_a_list_is_answered_in_its_order(alice_api: Api) -> None:
    both = embed(alice_api, TEXTS)["data"]
    assert [item["index"] for item in both] == [0, 1]
    for item, text in zip(both, TEXTS, strict=True):
        alone = embed(alice_api, text)["data"][0]
        assert np.allclose(vector(item), vector(alone), atol=1e-5)


def test_base64_is_the_same_in_little_endian_floats(alice_api: Api) -> None:
    floats = embed(alice_api, TEXTS)["data"]
    coded = embed(alice_api, TEXTS, encoding_format="base64")["data"]
    for one, other in zip(floats, coded, strict=True):
        assert isinstance(other["embedding"], str)
        assert np.array_equal(vector(one), vector(other))


def test_no_part_of_a_long_text_is_passed_over(alice_api: Api) -> None:
    start = "The quokka sleeps. " * 200
    first, second = (
        vector(embed(alice_api, start + end)["data"][0])
        for end in ("Bert. " * 100, "Tuesday. " * 100)
    )
    assert not np.allclose(first, second, atol=1e-3)
    assert np.linalg.norm(first) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({}, 400, "input"),
        ({"input": ""}, 400, "input"),
        ({"input": []}, 400, "input"),
        ({"input": ["a", " "]}, 400, "input"),
        ({"input": [1, 2, 3]}, 400, "input"),
        ({"input": [[1, 2]]}, 400, "input"),
        ({"input": "a\0b"}, 400, "input"),
        ({"input": ["a"] * 2049}, 400, "input"),
        ({"input": "a" * 300_001}, 413, "input"),
        ({"input": "a", "encoding_format": "int8"}, 400, "encoding_format"),
        ({"input": "a", "dimensions": 7}, 400, "dimensions"),
    ],
)
def test_what_cannot_be_embedded_is_refused(
    alice_api: Api, body: dict[str, Any], status: int, field: str
) -> None:
    answer = ask(alice_api, "post", "/v1/embeddings", body)
    assert answer.status_code == status, answer.json()
    assert answer.json()["error"]["field"] == field
    assert answer.json()["error"]["message"]


def test_without_a_model_it_says_so(alice_api: Api, settings: Any) -> None:
    settings.GOCLAW_EMBEDDING = settings.GOCLAW_EMBEDDING | {"provider": "none"}
    answer = ask(alice_api, "post", "/v1/embeddings", {"input": "a"})
    assert answer.status_code == 503
    assert "GOCLAW_MEMORY_SEARCH_PROVIDER" in answer.json()["error"]["remedy"]


@pytest.mark.django_db(transaction=True)
def test_the_sdk_gets_its_vectors(alice_api: Api, live_server: Any) -> None:
    """It asks for base64 by itself, and decodes it."""
    client = openai.OpenAI(base_url=f"{live_server.url}/v1", api_key=alice_api.secret)
    both = client.embeddings.create(model="any", input=TEXTS)
    floats = client.embeddings.create(model="any", input=TEXTS, encoding_format="float")
    assert [item.index for item in both.data] == [0, 1]
    for one, other in zip(both.data, floats.data, strict=True):
        assert one.embedding == pytest.approx(other.embedding, abs=1e-6)
    alone = client.embeddings.create(model="any", input=TEXTS[0])
    assert alone.data[0].embedding == pytest.approx(both.data[0].embedding, abs=1e-5)
    with pytest.raises(openai.AuthenticationError):
        openai.OpenAI(
            base_url=f"{live_server.url}/v1", api_key="gck_wrong"
        ).embeddings.create(model="any", input="a")
    with pytest.raises(openai.BadRequestError, match="empty"):
        client.embeddings.create(model="any", input="")
