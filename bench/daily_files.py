"""Conversations as daily files: how much evidence lies within the hits' lines."""

from collections.abc import Sequence

from bench.client import Client
from bench.conversations import Conversation, Question, Session
from bench.servers import Server


class DailyFiles:
    """One agent a conversation, one file a session, one line a turn."""

    label = "files"
    metrics = ("recall@1", "recall@3", "recall@6", "recall@10", "hit@5")
    targets = {"recall@6": 0.87, "hit@5": 0.92}

    def __init__(self, conversations: Sequence[Conversation]) -> None:
        self._conversations = conversations
        self._turn_at: dict[tuple[str, str, int], str] = {}
        """Turn by (agent, file name, line)."""

    def fill(self, server: Server) -> None:
        """Write the files and have the server read them."""
        client = server.client()
        for conversation in self._conversations:
            agent = _agent(conversation)
            folder = server.state_dir / "agents" / agent / "workspace" / "memory"
            folder.mkdir(parents=True)
            for number, session in enumerate(conversation.sessions):
                name = f"{session.at:%Y-%m-%d}.md"
                if (folder / name).exists():
                    name = f"{session.at:%Y-%m-%d}-{number}.md"
                lines = self._lines(agent, name, session)
                (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
            client.call("POST", "/api/workspace/sync", {"agent": agent})
        client.wait_indexed()

    def rate(
        self, client: Client, conversation: Conversation, question: Question
    ) -> list[float]:
        """Return the metrics of one question."""
        agent = _agent(conversation)
        answer = client.search(
            question.text,
            max_results=10,
            min_score=0,
            agent=agent,
            scopes=["workspace"],
        )
        found = [
            {
                self._turn_at.get((agent, hit["path"].rpartition("/")[2], line), "")
                for line in range(hit["line_start"], hit["line_end"] + 1)
            }
            for hit in answer["results"]
        ]

        def recall(first: int) -> float:
            seen = set().union(*found[:first])
            return len(question.evidence & seen) / len(question.evidence)

        return [recall(1), recall(3), recall(6), recall(10), float(recall(5) > 0)]

    def _lines(self, agent: str, name: str, session: Session) -> list[str]:
        lines = [
            f"# {session.at:%Y-%m-%d}",
            "",
            f"## Conversation at {session.at:%H:%M} on {session.at:%d %B %Y}",
            "",
        ]
        for turn in session.turns:
            lines.append(turn.text)
            self._turn_at[agent, name, len(lines)] = turn.id
        return lines


def _agent(conversation: Conversation) -> str:
    return f"talk-{conversation.name}"
