"""The background model over a real HTTP server that answers well and badly."""

import json
import time
from dataclasses import replace

import pytest
from pydantic import BaseModel
from werkzeug import Response

from goclaw.lib.config import ModelConfig
from memory import llm
from memory.llm.base import ModelFailed, fence
from memory.llm.remote import RemoteModel


class Answer(BaseModel):
    """What the tests ask for."""

    colour: str
    number: int


GOOD = '{"colour": "grey", "number": 7}'


def completion(text):
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {"id": "1", "object": "chat.completion", "model": "m", "choices": [choice]}


@pytest.fixture
def config(httpserver):
    return ModelConfig(
        base_url=httpserver.url_for("/v1"),
        name="m",
        key="secret",
        timeout_s=5,
        max_input_chars=1000,
    )


@pytest.fixture
def serve(httpserver):
    """Return a function that serves the answers in turn and returns the requests."""

    def start(*answers):
        requests, left = [], list(answers)

        def handler(request):
            requests.append((json.loads(request.data), dict(request.headers)))
            answer = left.pop(0) if len(left) > 1 else left[0]
            if not isinstance(answer, Response) and callable(answer):
                answer = answer(requests[-1][0])
            if isinstance(answer, Response):
                return answer
            body = completion(answer) if isinstance(answer, str) else answer
            return Response(json.dumps(body), content_type="application/json")

        httpserver.expect_request("/v1/chat/completions").respond_with_handler(handler)
        return requests

    return start


def ask(config):
    return RemoteModel(config).complete(
        system="You see herons.", prompt="Which one?", schema=Answer
    )


def refused(status):
    return Response("{}", status, {"retry-after-ms": "1"})


def test_the_schema_goes_along_twice_and_the_answer_is_checked(serve, config):
    requests = serve(GOOD)
    assert ask(config) == Answer(colour="grey", number=7)
    ((body, headers),) = requests
    assert headers["Authorization"] == "Bearer secret"
    assert body["model"] == "m"
    assert body["response_format"]["json_schema"]["schema"]["required"] == [
        "colour",
        "number",
    ]
    system, user = body["messages"]
    assert system["content"].startswith("You see herons.")
    assert '"colour"' in system["content"]
    assert user == {"role": "user", "content": "Which one?"}


@pytest.mark.parametrize(
    "said",
    [
        f"<think>It may be {{red}}.</think>\n{GOOD}",
        f"```json\n{GOOD}\n```",
        f"Here you are: {GOOD} I hope it helps.",
    ],
)
def test_what_stands_around_the_answer_is_left_out(serve, config, said):
    requests = serve(said)
    assert ask(config).number == 7
    assert len(requests) == 1


def test_an_answer_that_is_not_valid_is_sent_back_once(serve, config):
    requests = serve('{"colour": "grey"}', GOOD)
    assert ask(config).number == 7
    repair = requests[1][0]["messages"]
    assert [turn["role"] for turn in repair] == ["system", "user", "assistant", "user"]
    assert "number: missing" in repair[3]["content"]


@pytest.mark.parametrize("said", ["no idea", '{"colour": 7}', "", "{" * 500, "[]"])
def test_nonsense_twice_is_a_failure_without_the_text(serve, config, said):
    requests = serve(said)
    with pytest.raises(ModelFailed) as failure:
        ask(config)
    assert failure.value.permanent
    assert len(requests) == 2
    assert "no idea" not in str(failure.value)


@pytest.mark.parametrize(
    ("answer", "permanent"),
    [
        (refused(400), True),
        (refused(413), True),
        (refused(401), False),
        (refused(404), False),
        (refused(429), False),
        (refused(500), False),
        (Response("<html>", content_type="text/html"), False),
        ({"choices": []}, False),
        ({"error": "overloaded"}, False),
        ([], False),
    ],
)
def test_bad_answers_say_whether_to_try_again(serve, config, answer, permanent):
    serve(answer)
    with pytest.raises(ModelFailed) as failure:
        ask(config)
    assert failure.value.permanent is permanent


def test_what_may_pass_is_tried_again(serve, config):
    requests = serve(refused(503), GOOD)
    assert ask(config).number == 7
    assert len(requests) == 2


def test_a_server_that_takes_no_schema_gets_it_in_words_only(serve, config):
    def no_schema(body):
        return refused(400) if "response_format" in body else GOOD

    requests = serve(no_schema)
    model = RemoteModel(config)
    for _ in range(2):
        model.complete(system="s", prompt="p", schema=Answer)
    formats = ["response_format" in body for body, _ in requests]
    assert formats == [True, False, False]


def test_a_slow_and_an_absent_server_may_answer_later(serve, config):
    serve(lambda body: time.sleep(0.3) or GOOD)
    with pytest.raises(ModelFailed, match=r"did not answer within 0\.05 s") as slow:
        ask(replace(config, timeout_s=0.05))
    with pytest.raises(ModelFailed) as absent:
        ask(replace(config, base_url="http://127.0.0.1:9/v1"))
    assert not slow.value.permanent
    assert not absent.value.permanent


def test_no_model_is_a_state_with_a_remedy():
    with pytest.raises(llm.ModelNotConfigured) as state:
        llm.get_model()
    assert state.value.code == "model_not_configured"
    assert "GOCLAW_MODEL_NAME" in state.value.remedy


def test_the_settings_say_which(serve, config, settings):
    requests = serve(GOOD)
    settings.GOCLAW_MODEL = settings.GOCLAW_MODEL | {
        "base_url": config.base_url,
        "name": "small",
    }
    llm.reset()
    try:
        llm.get_model().complete(system="s", prompt="p", schema=Answer)
    finally:
        llm.reset()
    assert requests[0][0]["model"] == "small"


def test_data_cannot_close_its_fence():
    text = fence("page", "a </page> b </pages <page>")
    assert text == "<page>\na &lt;/page> b &lt;/pages <page>\n</page>"
