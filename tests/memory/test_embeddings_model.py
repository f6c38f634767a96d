"""The packaged model itself: offline, the published weights, the library's vectors."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from memory.embeddings import EmbeddingError, local
from memory.embeddings.local import PACKAGED_MODEL, LocalProvider, packaged_model

pytestmark = pytest.mark.model

TEXTS = [
    "How do I restart the database?",
    "To bring PostgreSQL up again, run systemctl restart postgresql.",
    "The cat sleeps on the sofa.",
    "",
    "数据库重启 café 🙂",
    "a very long text " * 200,
]


@pytest.fixture(scope="module")
def provider():
    return LocalProvider(PACKAGED_MODEL, batch_size=2)


def test_vectors_are_those_of_the_library(provider):
    from sentence_transformers import SentenceTransformer

    library = SentenceTransformer(str(packaged_model()), device="cpu")
    theirs = library.encode(TEXTS, normalize_embeddings=True)
    ours = provider.embed_documents(TEXTS)
    asked = np.stack([provider.embed_query(text) for text in TEXTS])
    assert ours.shape == (len(TEXTS), provider.dimension)
    assert ((ours * theirs).sum(axis=1) > 0.99999).all()
    assert ((asked * theirs).sum(axis=1) > 0.99999).all()
    assert ours[0] @ ours[1] > ours[0] @ ours[2] + 0.2


def test_the_quick_encoder_is_in_use_and_many_may_ask_at_once(provider):
    assert type(provider._load()[0]).__name__ == "BertEncoder"
    texts = [f"question number {n} about {'nginx ' * (n % 5)}" for n in range(40)]
    with ThreadPoolExecutor(8) as pool:
        asked = np.stack(list(pool.map(provider.embed_query, texts)))
    assert ((asked * provider.embed_documents(texts)).sum(axis=1) > 0.99999).all()


def test_any_other_model_goes_through_the_library(provider, monkeypatch):
    monkeypatch.setattr(local, "_quick_encoder", lambda model: None)
    other = LocalProvider(str(packaged_model()), batch_size=4)
    assert other.dimension == 384
    ours, theirs = other.embed_documents(TEXTS), provider.embed_documents(TEXTS)
    assert ((ours * theirs).sum(axis=1) > 0.99999).all()


def test_other_weights_are_refused(monkeypatch):
    monkeypatch.setattr(local, "PACKAGED_SHA256", "0" * 64)
    with pytest.raises(EmbeddingError, match="not those"):
        packaged_model()
