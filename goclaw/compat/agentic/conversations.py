"""`/agentic/compact` and `/agentic/extract`: what becomes of conversations."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import body_of
from accounts.http import ApiRequest
from goclaw.compat.agentic import fields
from goclaw.compat.agentic.tiers import GENERAL, Tier, tokens
from memory.lifecycle.extraction import Statement
from memory.sessions import summaries
from memory.sessions.drafts import MessageDraft
from memory.sessions.extracting_now import keep, listen
from memory.sessions.summaries import Summary
from memory.sessions.trimming import next_part
from memory.sessions.turns import Turn

Messages = Sequence[dict[str, Any]]


class CompactView(APIView):
    """A conversation in short."""

    @extend_schema(
        operation_id="agentic_compact",
        request=fields.CompactInput,
        responses={200: dict},
    )
    def post(self, request: ApiRequest) -> Response:
        """Summarise messages under five headings, if there are enough of them.

        Without a background model the summary consists of telling lines, and says so.
        """
        data = body_of(request, fields.CompactInput)
        messages = data["messages"]
        before = _tokens(messages)
        is_long = (
            len(messages) >= data["msg_threshold"] or before >= data["token_threshold"]
        )
        summary = ""
        if messages and (is_long or data["force"]):
            summary = summarised(messages, max_tokens=data["max_summary_tokens"])
        after = tokens(summary)
        return Response(
            {
                "summary": summary,
                "token_estimate": after,
                "original_tokens": before,
                "original_count": len(messages),
                "compression_ratio": round(after / before, 4) if before else 0.0,
                "compacted": bool(summary),
            }
        )


class ExtractView(APIView):
    """What is worth remembering of a conversation."""

    @extend_schema(
        operation_id="agentic_extract",
        request=fields.ExtractInput,
        responses={200: dict},
    )
    def post(self, request: ApiRequest) -> Response:
        """Learn from what the acting person said since the last time.

        It needs a background model; without one the answer is 503.
        """
        data = body_of(request, fields.ExtractInput)
        messages = data["messages"][data["last_extract_index"] :]
        is_long = (
            len(messages) >= data["msg_threshold"]
            or _tokens(messages) >= data["token_threshold"]
        )
        if not messages or not (is_long or data["force"]):
            return Response({"extracted": [], "stored_count": 0, "skipped": True})
        drafts = [
            MessageDraft(role=message["role"], content=message["content"] or "")
            for message in messages
        ]
        told = listen(actor=request.actor, drafts=drafts)
        kept = [memory for memory, _ in keep(told)] if data["auto_store"] else []
        statements = [one for part in told.picked for one in part.statements]
        return Response(
            {
                "extracted": [fields.memory_json(memory) for memory in kept]
                or [_statement_json(statement) for statement in statements],
                "stored_count": len(kept),
                "skipped": False,
            }
        )


def _statement_json(statement: Statement) -> dict[str, Any]:
    """Return what was found and not stored."""
    return {
        "content": statement.text,
        "tier": Tier.VECTOR.value,
        "category": GENERAL,
        "importance": 5,
        "domain": statement.domain,
        "key": None,
        "value": None,
        "tags": [],
    }


def summarised(messages: Messages, *, max_tokens: int) -> str:
    """Return the summary of messages as Markdown, within a number of tokens."""
    now = timezone.now()
    turns = [
        Turn(
            position=at,
            role=message["role"],
            content=message["content"] or "",
            created_at=now,
        )
        for at, message in enumerate(messages, 1)
    ]
    summary, extractive = Summary(), False
    while turns:
        part = next_part(turns, summary)
        summary, extractive = part.summary, extractive or bool(part.problem)
        turns = [turn for turn in turns if turn.position > part.upto]
    return _within(summary, max_tokens, extractive=extractive)


def _within(summary: Summary, max_tokens: int, *, extractive: bool) -> str:
    """Return the text; while it is too long, the longest part loses its oldest line."""
    text = summaries.to_text(summary, extractive=extractive)
    while tokens(text) > max_tokens:
        parts = {name: list(getattr(summary, name)) for name in summaries.HEADINGS}
        longest = max(parts, key=lambda name: sum(map(len, parts[name])))
        if not parts[longest]:
            return text
        summary = replace(summary, **{longest: parts[longest][1:]})
        text = summaries.to_text(summary, extractive=extractive)
    return text


def _tokens(messages: Messages) -> int:
    return sum(tokens(message["content"] or "") for message in messages)
