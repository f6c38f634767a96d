"""`POST /v1/embeddings` in OpenAI's shape, with the configured model."""

import base64
from collections.abc import Sequence
from typing import Any

import numpy as np
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import body_of
from accounts.http import ApiRequest
from goclaw.lib.config import chunk_config
from goclaw.lib.errors import BadInput, TooLarge, Unavailable
from memory.chunking import estimate_tokens, windows
from memory.drafts import check_text
from memory.embeddings import EmbeddingError, Provider, Vector, get_provider

MAX_TEXTS = 2048
MAX_CHARS = 300_000
"""Of all texts of a request: seconds of a small machine."""


class Texts(serializers.Field[list[str], Any, list[str], Any]):
    """A text or a list of texts; lists of token numbers have no meaning here."""

    def to_internal_value(self, data: Any) -> list[str]:
        """Return a list of texts. Raises BadInput and TooLarge."""
        texts = [data] if isinstance(data, str) else data
        if not isinstance(texts, list) or not texts or len(texts) > MAX_TEXTS:
            raise serializers.ValidationError(
                f"Give a text, or a list of 1 to {MAX_TEXTS} texts."
            )
        for text in texts:
            if not isinstance(text, str):
                raise serializers.ValidationError("Give texts, not token numbers.")
            check_text("input", text)
            if not text.strip():
                raise serializers.ValidationError("A text is empty.")
        if sum(map(len, texts)) > MAX_CHARS:
            raise TooLarge(
                f"The texts have more than {MAX_CHARS:,} characters.",
                field="input",
                remedy="Send them in several requests.",
            )
        return texts

    def to_representation(self, value: list[str]) -> list[str]:
        """Return the texts."""
        return value


class EmbeddingsInput(serializers.Serializer[Any]):
    """What the SDKs send; the model's name is answered with the real one."""

    input = Texts()
    model = serializers.CharField(required=False, allow_blank=True, max_length=200)
    encoding_format = serializers.ChoiceField(
        ["float", "base64"], required=False, default="float"
    )
    dimensions = serializers.IntegerField(required=False, allow_null=True)


class EmbeddingsView(APIView):
    """Vectors of texts."""

    @extend_schema(
        operation_id="openai_embeddings",
        request={
            "application/json": {
                "type": "object",
                "properties": {
                    "input": {
                        "oneOf": [
                            {"type": "string"},
                            {"type": "array", "items": {"type": "string"}},
                        ]
                    },
                    "model": {"type": "string"},
                    "encoding_format": {"enum": ["float", "base64"]},
                },
                "required": ["input"],
            }
        },
        responses={200: dict},
    )
    def post(self, request: ApiRequest) -> Response:
        """Embed texts with the model that the search uses."""
        data = body_of(request, EmbeddingsInput)
        provider = get_provider()
        if provider is None:
            raise Unavailable(
                "There is no embedding model: the search is by words only.",
                remedy="Set GOCLAW_MEMORY_SEARCH_PROVIDER.",
            )
        texts = data["input"]
        vectors = _embedded(provider, texts, data.get("dimensions"))
        form = _as_base64 if data["encoding_format"] == "base64" else _as_floats
        used = sum(map(estimate_tokens, texts))
        return Response(
            {
                "object": "list",
                "data": [
                    {"object": "embedding", "index": at, "embedding": form(vector)}
                    for at, vector in enumerate(vectors)
                ],
                "model": provider.name,
                "usage": {"prompt_tokens": used, "total_tokens": used},
            }
        )


def _embedded(
    provider: Provider, texts: Sequence[str], dimensions: int | None
) -> Vector:
    try:
        if dimensions not in {None, provider.dimension}:
            raise BadInput(
                f"{provider.name} has {provider.dimension} dimensions.",
                field="dimensions",
                remedy="Leave it out.",
            )
        return embedded(provider, texts)
    except EmbeddingError as error:
        raise Unavailable(f"The texts could not be embedded: {error}") from error


def embedded(provider: Provider, texts: Sequence[str]) -> Vector:
    """Return one vector of length 1 per text.

    A text that is longer than the model's window is the mean of its windows, so that
    none of it is passed over. Raises EmbeddingError.
    """
    size = chunk_config().window
    parts = [windows(text, "", size) for text in texts]
    rows = provider.embed_documents([window for found in parts for window in found])
    ends = np.cumsum([len(found) for found in parts])
    means = [part.mean(axis=0) for part in np.split(rows, ends[:-1])]
    stacked = np.stack(means)
    lengths = np.linalg.norm(stacked, axis=1, keepdims=True)
    return np.asarray(stacked / np.maximum(lengths, 1e-12), dtype=np.float32)


def _as_floats(vector: Vector) -> list[float]:
    return [float(number) for number in vector]


def _as_base64(vector: Vector) -> str:
    return base64.b64encode(vector.astype("<f4").tobytes()).decode("ascii")


urlpatterns = [path("embeddings", EmbeddingsView.as_view(), name="embeddings")]
