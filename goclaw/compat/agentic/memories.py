"""`/agentic/{health,store,search,recall,facts}`."""

from typing import Any
from uuid import UUID

from django.db import DatabaseError, connection
from django.db.models import Count
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.input import body_of, query_of
from accounts.http import ApiRequest
from goclaw.compat.agentic import fields
from goclaw.compat.agentic.finding import Match, Wanted, find, newest
from goclaw.compat.agentic.storing import Item, shown_to, store
from goclaw.compat.agentic.tiers import (
    Tier,
    category_of,
    fitted,
    kind_of,
    tier_of,
    tokens,
)
from goclaw.lib.errors import NotFound
from memory import changes
from memory.drafts import check_text
from memory.models import Memory, RecallLog
from memory.search import model_state

SEARCH_BUDGET = 8000
RECALL_BUDGET = 4000
MAX_FACTS = 100
NEWEST = 20
BY_CONTEXT = 5


class HealthView(APIView):
    """Whether it works, under the names that clients look for."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = ()

    @extend_schema(operation_id="agentic_health", responses={200: dict})
    def get(self, request: Request) -> Response:
        """Say what is there; there is neither Redis nor MinIO, and no need of them."""
        database = _database_answers()
        return Response(
            {
                "status": "ok" if database else "degraded",
                "pg": database,
                "redis": False,
                "minio": False,
                "embedding_model_loaded": model_state()[0],
            },
            status=200 if database else 503,
        )


class StoreView(APIView):
    """Write and list."""

    @extend_schema(
        operation_id="agentic_store",
        request=fields.StoreInput,
        responses={200: dict},
    )
    def post(self, request: ApiRequest) -> Response:
        """Store something in the tier that its kind and weight ask for."""
        data = body_of(request, fields.StoreInput)
        data["tags"] = tuple(data["tags"])
        stored = store(actor=request.actor, item=Item(**data))
        if stored.is_duplicate:
            return Response({"id": "dedup", "tier": "skipped", "summary": None})
        uid = str(stored.memory.uid)
        return Response({"id": uid, "tier": stored.tier.value, "summary": None})

    @extend_schema(
        operation_id="agentic_list",
        parameters=[fields.ListInput],
        responses={200: dict},
    )
    def get(self, request: ApiRequest) -> Response:
        """List the newest."""
        data = query_of(request, fields.ListInput)
        found = shown_to(request.actor).current().filter(key="")
        if category := data.get("category"):
            found = found.filter(kind=kind_of(category))
        rows = list(found.prefetch_related("tags")[: data["limit"]])
        rows = [row for row in rows if not category or category_of(row) == category]
        uses = _uses(rows)
        memories = [fields.memory_json(row, uses=uses.get(row.pk, 0)) for row in rows]
        return Response({"memories": memories, "total": len(memories)})


class SearchView(APIView):
    """By meaning and by words, of any language."""

    @extend_schema(
        operation_id="agentic_search",
        request=fields.SearchInput,
        responses={200: dict},
    )
    def post(self, request: ApiRequest) -> Response:
        """Return the best records within a budget of tokens."""
        data = body_of(request, fields.SearchInput)
        matches = find(
            request.actor,
            Wanted(
                query=data["query"],
                max_results=data["max_results"],
                tiers=frozenset(data["tiers"]),
                categories=frozenset(data["categories"] or ()),
                min_importance=data.get("min_importance") or 1,
                include_archived=data["include_archived"],
            ),
        )
        budget = data.get("token_budget") or SEARCH_BUDGET
        texts = fitted([match.memory.content for match in matches], budget)
        results = [
            _match_json(match, text)
            for match, text in zip(matches, texts, strict=False)
        ]
        return Response(
            {"results": results, "total_tokens_estimate": sum(map(tokens, texts))}
        )


class RecallView(APIView):
    """What to know when a conversation begins."""

    @extend_schema(
        operation_id="agentic_recall",
        request=fields.RecallInput,
        responses={200: dict},
    )
    def post(self, request: ApiRequest) -> Response:
        """Return all facts, what fits the context, and the newest, within a budget."""
        data = body_of(request, fields.RecallInput)
        actor, context = request.actor, (data.get("context") or "").strip()
        facts = newest(actor, keyed=True, limit=MAX_FACTS)
        memories: list[Memory] = []
        if context:
            tiers = frozenset({Tier.VECTOR.value})
            wanted = Wanted(query=context, max_results=BY_CONTEXT, tiers=tiers)
            memories += [match.memory for match in find(actor, wanted)]
        known = {memory.pk for memory in memories}
        latest = newest(actor, keyed=False, limit=NEWEST)
        memories += [memory for memory in latest if memory.pk not in known]
        told = fitted([one.content for one in (*facts, *memories)], RECALL_BUDGET)
        facts, memories = facts[: len(told)], memories[: max(0, len(told) - len(facts))]
        shown = [
            fields.memory_json(memory) | {"content": text}
            for memory, text in zip(memories, told[len(facts) :], strict=True)
        ]
        return Response(
            {
                "facts": [fields.fact_json(fact) for fact in facts],
                "memories": shown,
                "total_tokens_estimate": sum(map(tokens, told)),
            }
        )


class FactsView(APIView):
    """Facts by domain and key."""

    @extend_schema(
        operation_id="agentic_facts_set",
        request=fields.FactInput,
        responses={200: dict},
    )
    def post(self, request: ApiRequest) -> Response:
        """Set a fact; the one before it is superseded."""
        data = body_of(request, fields.FactInput)
        item = Item(tier=Tier.FACT, **data)
        stored = store(actor=request.actor, item=item)
        return Response(fields.fact_json(stored.memory))

    @extend_schema(
        operation_id="agentic_facts_list",
        parameters=[fields.FactFilters],
        responses={200: dict},
    )
    def get(self, request: ApiRequest) -> Response:
        """List live facts, newest first; with `search` the best first."""
        data = query_of(request, fields.FactFilters)
        for name, text in data.items():
            check_text(name, text)
        if "search" in data:
            tiers = frozenset({Tier.FACT.value})
            wanted = Wanted(query=data["search"], max_results=20, tiers=tiers)
            facts = [match.memory for match in find(request.actor, wanted)]
        else:
            found = shown_to(request.actor).current().exclude(key="")
            by = {name: data[name] for name in ("domain", "key") if name in data}
            facts = list(found.filter(**by)[:MAX_FACTS])
        shown = [
            fields.fact_json(fact)
            for fact in facts
            if fact.domain == data.get("domain", fact.domain)
            and fact.key == data.get("key", fact.key)
        ]
        return Response({"facts": shown, "total": len(shown)})


class FactView(APIView):
    """One fact."""

    @extend_schema(operation_id="agentic_facts_forget", responses={200: dict})
    def delete(self, request: ApiRequest, uid: UUID) -> Response:
        """Forget a fact, restorable for 30 days."""
        facts = Memory.objects.readable_by(request.actor).exclude(key="")
        if not facts.filter(uid=uid).exists():
            raise NotFound("There is no such fact.")
        changes.forget(actor=request.actor, uid=uid)
        return Response({"id": str(uid), "deleted": True})


def _match_json(match: Match, text: str) -> dict[str, Any]:
    memory = match.memory
    return {
        "id": str(memory.uid),
        "content": text,
        "score": match.score,
        "category": category_of(memory),
        "age_days": match.age_days,
        "tier": tier_of(memory).value,
        "domain": memory.domain or None,
        "key": memory.key or None,
    }


def _uses(memories: list[Memory]) -> dict[int, int]:
    """Return how often each was returned by a search."""
    rows = RecallLog.objects.filter(memory__in=memories, rank__gt=0).order_by()
    return dict(rows.values_list("memory").annotate(n=Count("pk")))


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True
