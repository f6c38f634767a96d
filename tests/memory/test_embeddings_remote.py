"""The remote provider against a real HTTP server that answers well and badly."""

import json
import time

import numpy as np
import pytest
from werkzeug import Response

from memory.embeddings import EmbeddingError
from memory.embeddings.remote import RemoteProvider


def answered(texts, *, vector=None, backwards=False):
    """Return the body of a right answer: the text's length and a constant."""
    rows = [
        {
            "object": "embedding",
            "index": index,
            "embedding": vector or [float(len(text)), 1.0, 0.0],
        }
        for index, text in enumerate(texts)
    ]
    if backwards:
        rows.reverse()
    return {"object": "list", "model": "m", "data": rows, "usage": None}


@pytest.fixture
def serve(httpserver):
    """Return a function that serves `answer(texts)` and returns the requests."""

    def start(answer):
        requests = []

        def handler(request):
            body = json.loads(request.data)
            requests.append((body, dict(request.headers)))
            found = answer(body["input"])
            if isinstance(found, Response):
                return found
            return Response(json.dumps(found), content_type="application/json")

        httpserver.expect_request("/v1/embeddings").respond_with_handler(handler)
        return requests

    return start


@pytest.fixture
def provider(httpserver):
    return RemoteProvider(
        "m",
        base_url=httpserver.url_for("/v1"),
        api_key="secret",
        batch_size=2,
        timeout_s=5,
    )


def test_texts_go_in_batches_with_the_key_and_come_back_in_order(serve, provider):
    requests = serve(lambda texts: answered(texts, backwards=True))
    rows = provider.embed_documents(["a", "bbbb", "cc"])
    assert [body["input"] for body, _ in requests] == [["a", "bbbb"], ["cc"]]
    assert requests[0][0]["model"] == "m"
    assert requests[0][1]["Authorization"] == "Bearer secret"
    assert np.allclose(rows[:, 0] / rows[:, 1], [1, 4, 2], atol=1e-5)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)


def test_the_dimension_is_asked_for_once_and_questions_are_remembered(serve, provider):
    requests = serve(answered)
    assert (provider.dimension, provider.dimension) == (3, 3)
    first, again = provider.embed_query("why?"), provider.embed_query("why?")
    assert np.array_equal(first, again)
    assert len(requests) == 2


def test_no_texts_need_one_question_for_the_shape_only(serve, provider):
    serve(answered)
    assert provider.embed_documents([]).shape == (0, 3)


@pytest.mark.parametrize(
    ("answer", "permanent"),
    [
        (lambda texts: answered(texts[1:]), False),
        (lambda texts: answered(texts, vector=[0.0, 0.0, 0.0]), True),
        (lambda texts: {"data": "nonsense"}, False),
        (lambda texts: {"object": "list", "data": []}, False),
        (lambda texts: Response("<html>", content_type="text/html"), False),
        (lambda texts: Response("{}", 400), True),
        (lambda texts: Response("{}", 413), True),
        (lambda texts: Response("{}", 401), False),
        (lambda texts: Response("{}", 404), False),
        (lambda texts: Response("{}", 429, {"retry-after-ms": "1"}), False),
        (lambda texts: Response("{}", 500, {"retry-after-ms": "1"}), False),
    ],
)
def test_bad_answers_are_errors_that_say_whether_to_try_again(
    serve, provider, answer, permanent
):
    serve(answer)
    with pytest.raises(EmbeddingError) as failure:
        provider.embed_documents(["one", "two"])
    assert failure.value.permanent is permanent


def test_another_dimension_than_before_is_refused(serve, provider):
    answers = iter([answered(["x"]), answered(["x"], vector=[1.0, 2.0])])
    serve(lambda texts: next(answers))
    provider.embed_query("first")
    with pytest.raises(EmbeddingError, match="instead of 3"):
        provider.embed_query("second")


def test_what_may_pass_is_tried_again(serve, provider):
    answers = iter([Response("{}", 503, {"retry-after-ms": "1"}), answered(["text"])])
    requests = serve(lambda texts: next(answers))
    assert provider.embed_documents(["text"]).shape == (1, 3)
    assert len(requests) == 2


def test_a_refused_batch_is_halved_until_it_passes(serve, provider):
    provider._batch_size = 8

    def at_most_two(texts):
        return answered(texts) if len(texts) <= 2 else Response("{}", 413)

    serve(at_most_two)
    texts = ["a", "bb", "ccc", "dddd", "eeeee"]
    rows = provider.embed_documents(texts)
    assert np.allclose(rows[:, 0] / rows[:, 1], [1, 2, 3, 4, 5], atol=1e-4)


def test_a_slow_or_absent_server_may_answer_later(serve, httpserver, provider):
    provider._timeout_s = 0.05
    serve(lambda texts: time.sleep(0.3) or answered(texts))
    with pytest.raises(EmbeddingError) as slow:
        provider.embed_query("text")
    gone = RemoteProvider(
        "m", base_url="http://127.0.0.1:9/v1", api_key="", batch_size=2, timeout_s=1
    )
    with pytest.raises(EmbeddingError) as absent:
        gone.embed_query("text")
    assert not slow.value.permanent
    assert not absent.value.permanent
