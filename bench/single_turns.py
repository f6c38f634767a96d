"""Conversations as one pool of records: where the first turn with evidence ranks."""

from collections.abc import Sequence

from bench.client import Client
from bench.conversations import Conversation, Question
from bench.servers import Server


class SingleTurns:
    """One record a turn, with its place in the sequence of its session."""

    label = "turns"
    metrics = ("any@1", "any@5", "any@10", "MRR")
    targets = {"any@10": 0.77, "MRR": 0.48}

    def __init__(self, conversations: Sequence[Conversation]) -> None:
        self._conversations = conversations
        self._turn_of: dict[str, tuple[str, str]] = {}
        """(conversation, turn) by record id."""

    def fill(self, server: Server) -> None:
        """Write all turns of all conversations."""
        client = server.client()
        for conversation in self._conversations:
            turns = [
                (session, number, position, turn)
                for number, session in enumerate(conversation.sessions)
                for position, turn in enumerate(session.turns)
            ]
            records = [
                {
                    "scope": "agent_notes",
                    "content": turn.text,
                    "domain": conversation.name,
                    "observed_at": session.at.isoformat(),
                    "sequence": {
                        "id": f"{conversation.name}-{number}",
                        "position": position,
                    },
                }
                for session, number, position, turn in turns
            ]
            ids = client.write_all(records)
            for record_id, (_, _, _, turn) in zip(ids, turns, strict=True):
                self._turn_of.setdefault(record_id, (conversation.name, turn.id))
        client.wait_indexed()

    def rate(
        self, client: Client, conversation: Conversation, question: Question
    ) -> list[float]:
        """Return the metrics of one question, asked over the whole pool."""
        answer = client.search(
            question.text, max_results=50, min_score=0, scopes=["agent_notes"]
        )
        wanted = {(conversation.name, turn) for turn in question.evidence}
        ranks = [
            rank
            for rank, hit in enumerate(answer["results"], 1)
            if self._turn_of.get(hit["id"]) in wanted
        ]
        first = min(ranks, default=0)
        within = [float(0 < first <= limit) for limit in (1, 5, 10)]
        return [*within, 1 / first if first else 0.0]
