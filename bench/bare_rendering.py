"""The renderer alone on a large page, in its warm process: `bench.bare_rendering`.

Run it with the environment of a server.
"""

import argparse
import json
import statistics
import time

from bench.corpus import Corpus

PAGE_BYTES = 117_000


def main() -> None:
    """Print the median of some renderings, in seconds, as JSON."""
    import django

    parser = argparse.ArgumentParser(prog="python -m bench.bare_rendering")
    parser.add_argument("count", type=int)
    count = parser.parse_args().count
    django.setup()
    print(json.dumps(_measure(count)))


def _measure(count: int) -> dict[str, float]:
    from wiki.rendering import render

    text = large_page()
    seconds = []
    for _ in range(count + 1):
        start = time.perf_counter()
        rendered = render(text, slug="bench/large")
        seconds.append(time.perf_counter() - start)
        if rendered.failed:
            raise SystemExit(f"the page was not rendered: {rendered.failed}")
    return {"bytes": len(text.encode()), "seconds": statistics.median(seconds[1:])}


def large_page() -> str:
    """Return a page of headings, prose, lists, code, tables and links."""
    corpus, parts, size = Corpus(), [], 0
    while size < PAGE_BYTES:
        part = _part(corpus, len(parts))
        parts.append(part)
        size += len(part.encode())
    return "\n".join(parts)


def _part(corpus: Corpus, number: int) -> str:
    first, *others = (
        corpus.short_record(5 * number + place).content for place in range(5)
    )
    items = "".join(f"- **{n}** {text}\n" for n, text in enumerate(others))
    return (
        f"## Part {number}\n\n{first} See [[ops/part-{number}]] and `v{number}`.\n\n"
        f"{items}\n```python\ndef part_{number}(value: int) -> int:\n"
        f"    return value + {number}\n```\n\n"
        f"| key | value |\n|---|---|\n| a | {number} |\n| b | `x` |\n"
    )


if __name__ == "__main__":
    main()
