"""The renderer's processes: killed when they hang, back at once, gone when we are."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from wiki.rendering import MAX_BYTES, pool, render
from wiki.rendering.pool import Pool

ROOT = Path(__file__).resolve().parents[2]
QUESTION = {"text": "# A", "slug": "a", "remote_images": False}
SLOW = " ".join("`" * n for n in range(1, 600))
"""Some seconds of work in Python-Markdown."""


@pytest.fixture
def own_pool() -> Iterator[Pool]:
    made = Pool()
    yield made
    made.close()


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


def gone_soon(pid: int, seconds: float = 5) -> bool:
    end = time.monotonic() + seconds
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.02)
    return not alive(pid)


def test_a_worker_is_kept_for_the_next_text(own_pool: Pool) -> None:
    own_pool.ask(QUESTION)
    (pid,) = own_pool.pids()
    own_pool.ask(QUESTION)

    assert own_pool.pids() == [pid]


def test_a_worker_that_hangs_is_killed_and_replaced(own_pool: Pool) -> None:
    own_pool.ask(QUESTION)
    (pid,) = own_pool.pids()

    began = time.monotonic()
    answer = own_pool.ask(QUESTION | {"text": SLOW}, limit_s=0.3)

    assert answer == {"failed": "too_slow"}
    assert time.monotonic() - began < 2
    assert not alive(pid)
    assert own_pool.ask(QUESTION)["html"] == '<h1 id="h-a">A</h1>'


def test_a_worker_killed_from_outside_is_replaced_unnoticed(own_pool: Pool) -> None:
    own_pool.ask(QUESTION)
    (pid,) = own_pool.pids()
    os.kill(pid, signal.SIGKILL)
    assert gone_soon(pid)

    assert "html" in own_pool.ask(QUESTION)


def test_many_threads_are_served(own_pool: Pool) -> None:
    answers: list[object] = []

    def ask(n: int) -> None:
        answer = own_pool.ask(QUESTION | {"text": f"# T{n}"})
        answers.append(answer.get("html") == f'<h1 id="h-t{n}">T{n}</h1>')

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert answers == [True] * 24
    assert len(own_pool.pids()) <= pool.SIZE


def test_a_fork_does_not_share_the_workers() -> None:
    render("warm", slug="a")
    pid = os.fork()
    if not pid:  # the child: says by its exit code whether it got its own answer
        rendered = render("# From the child", slug="a")
        pool.close()
        os._exit(0 if "From the child" in rendered.html else 1)

    mine = render("# From the parent", slug="a")

    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert "From the parent" in mine.html


PROGRAM = """
import sys, time, threading
from wiki.rendering.pool import Pool
pool = Pool()
ask = {"text": "# A", "slug": "a", "remote_images": False}
pool.ask(ask)
print(pool.pids()[0], flush=True)
if "busy" in sys.argv:
    slow = " ".join("`" * n for n in range(1, 900))
    threading.Thread(target=pool.ask, args=(ask | {"text": slow}, 60)).start()
    time.sleep(0.5)
print("ready", flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize(
    ("how", "doing", "limit_s"),
    [(signal.SIGTERM, "idle", 5), (signal.SIGKILL, "idle", 5), (9, "busy", 15)],
)
def test_workers_end_with_the_process_that_started_them(
    how: int, doing: str, limit_s: float
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, doing],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    ) as parent:
        assert parent.stdout
        worker = int(parent.stdout.readline())
        assert parent.stdout.readline() == "ready\n"
        assert alive(worker)
        parent.send_signal(how)
        parent.wait()

    assert gone_soon(worker, limit_s)


def test_importing_starts_nothing_and_the_worker_knows_no_django() -> None:
    code = (
        "import sys, wiki.rendering.worker, wiki.rendering.pool as p;"
        "assert not any(m.split('.')[0] == 'django' for m in sys.modules);"
        "assert p._pool.pids() == []"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


# --- texts that fail -----------------------------------------------------------------
HOSTILE = {
    "images": "![[" * 4000,
    "footnotes": "[^" * 5000,
    "brackets": "[" * 5000,
    "tags": "<a " * 7000,
    "dashes": "- " * 500,
    "links": "[a](" * 3000,
    "addresses": "http://" * 20_000,
    "a long style": "<p style='" + "--x:-" * 20_000 + "'>",
    "an attribute": "<p " + "a='b' " * 20_000 + ">",
    "quotes": "> " * 5000,
    "stars": "*a " * 20_000,
    "wiki links": "[[" * 20_000,
    "comments": "<!--" * 20_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_are_shown_within_the_limit(name: str) -> None:
    began = time.monotonic()
    rendered = render(HOSTILE[name], slug="a")

    assert time.monotonic() - began < pool.LIMIT_S + 3
    assert rendered.html


def test_deep_nesting_is_shown_one_way_or_another() -> None:
    deep = "\n".join(f"{'  ' * n}- item {n}" for n in range(150))

    assert "item 149" in render(deep, slug="a").html
    assert "x" in render("> " * 2000 + "x", slug="a").html


def test_what_fails_is_shown_as_it_was_written() -> None:
    rendered = render("<b>&amp;\n" + "<b>" * 60_000 + "[[a]]", slug="a")

    assert rendered.failed == "too_slow"
    assert rendered.html.startswith('<p class="render-notice" role="note">')
    assert "&lt;b&gt;&amp;amp;\n" in rendered.html
    assert rendered.links == ("a",)
    assert rendered.toc == ()


def test_texts_over_the_limit_are_not_tried() -> None:
    rendered = render("é" * (MAX_BYTES // 2 + 1), slug="a")

    assert rendered.failed == "too_large"


def test_little_text_that_becomes_much_is_refused() -> None:
    text = "[x]: " + "h" * 200_000 + "\n\n" + "[x] " * 60_000

    assert render(text, slug="a").failed in {"too_large", "too_slow", "error"}
