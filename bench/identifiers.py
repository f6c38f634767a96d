"""Whether exact identifiers, two years old, come first among thousands of records."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any

from bench.client import Client
from bench.report import Section

OF_EACH = 40
AGE = timedelta(days=730)

SENTENCES = {
    "addresses": "The old printer in the hall answers at {}; please keep it free.",
    "versions": "Since the update to {} the exports are correct again.",
    "error codes": "The night job stopped with {} and was started by hand.",
    "ids": "The complaint of the bakery is in {} and was settled.",
    "paths": "The settings of the turnstile are in {} on the old host.",
}
_DECOY = "Today somebody asked for {} by mistake."


def tokens() -> dict[str, list[str]]:
    """Return the identifiers by their sort, the same in every run."""
    rng = random.Random(41)
    number = rng.randrange
    made = {
        "addresses": [
            f"172.{16 + number(16)}.{number(256)}.{number(1, 250)}"
            for _ in range(OF_EACH)
        ],
        "versions": [
            f"v{number(10, 30)}.{number(90)}.{number(90)}" for _ in range(OF_EACH)
        ],
        "error codes": [
            f"ERR_{rng.choice(('CONN', 'DISK', 'AUTH'))}_{number(10_000, 99_999)}"
            for _ in range(OF_EACH)
        ],
        "ids": [
            rng.choice((f"CASE-{number(10**5, 10**6)}", f"{rng.getrandbits(48):012x}"))
            for _ in range(OF_EACH)
        ],
        "paths": [
            f"/etc/turnstile/site{number(10**4)}/door_{number(100)}.conf"
            for _ in range(OF_EACH)
        ],
    }
    return {sort: sorted(set(found)) for sort, found in made.items()}


def records() -> list[dict[str, Any]]:
    """Return a record of each identifier, and a fresh one with one much like it."""
    old = (datetime.now(UTC) - AGE).isoformat()
    return [
        record
        for sort, found in tokens().items()
        for token in found
        for record in (
            {
                "scope": "agent_notes",
                "content": SENTENCES[sort].format(token),
                "observed_at": old,
            },
            {"scope": "agent_notes", "content": _DECOY.format(_like(token))},
        )
    ]


def report(section: Section, client: Client) -> None:
    """Ask for each identifier as it is, and report how many came first."""
    for sort, found in tokens().items():
        missed = [token for token in found if not _is_first(client, sort, token)]
        section.add(
            f"{sort}, in first place of {len(found)}",
            len(found) - len(missed),
            at_least=len(found),
            note=" ".join(missed[:5]),
        )


def _is_first(client: Client, sort: str, token: str) -> bool:
    hits = client.search(token)["results"]
    return bool(hits) and hits[0]["snippet"] == SENTENCES[sort].format(token)


def _like(token: str) -> str:
    """Return an identifier that differs in one digit more."""
    stem, dot, ending = token.rpartition(".")
    return f"{stem}7{dot}{ending}" if ending == "conf" else f"{token}7"
