"""The words for how somebody acts: run kinds and conversation kinds."""

from enum import StrEnum


class RunKind(StrEnum):
    """What kind of run an action belongs to."""

    HUMAN = "human"
    CHAT = "chat"
    SOP = "sop"
    CRON = "cron"
    WEBHOOK = "webhook"
    SYSTEM = "system"


class Conversation(StrEnum):
    """Whether one person takes part in the conversation, or several."""

    DIRECT = "direct"
    SHARED = "shared"


AUTONOMOUS_RUNS = frozenset({RunKind.SOP, RunKind.CRON, RunKind.WEBHOOK})

# What a key can be allowed to do: `human` is the browser, `system` our own jobs.
KEY_RUNS = (RunKind.CHAT, RunKind.SOP, RunKind.CRON, RunKind.WEBHOOK)
