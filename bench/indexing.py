"""How near indexing comes to what the bare model can do with one thread."""

import json
import time

from bench.options import Options
from bench.report import Report
from bench.servers import running

RECORDS, QUICK_RECORDS = 4_000, 500
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
}


def run(options: Options, report: Report) -> None:
    """Index pending records, and embed the same windows alone.

    On the first engine: nearly all is the time of the model, the same on both.
    """
    count = QUICK_RECORDS if options.quick else RECORDS
    for engine in options.engines[:1]:
        section = report.section(f"Indexing on {engine}")
        with running(options.databases(engine)) as server:
            output = server.run_beside("-m", "bench.loading", str(count), "--pending")
            loaded = json.loads(output)
            server.client().wait_indexed()
            seconds = time.time() - loaded["ended_at"]
            server.stop()
            bare = json.loads(server.run_beside("-m", "bench.bare_model", **ONE_THREAD))
        section.add(
            "windows embedded by the worker",
            bare["windows"] / seconds,
            "/s",
            note=f"{count:,} records, {loaded['chunks']:,} chunks",
        )
        section.add(
            "windows embedded by the bare model",
            bare["windows"] / bare["seconds"],
            "/s",
            note="one thread",
        )
        section.add(
            "share of the bare model's throughput",
            bare["seconds"] / seconds,
            at_least=0.85,
        )
