"""Put the sample's workspace files on disk and bring their records in step."""

from datetime import datetime

from memory.demo.source import workspace_files
from memory.models import Agent
from memory.workspace import DEFAULT_AGENT, get_agent, sync
from memory.workspace_files import root_of


def write_workspace(slug: str, name: str, loaded: datetime) -> int:
    """Write an agent's files, leaving what is there, and sync; return how many."""
    root = root_of(Agent(slug=slug, default=slug == DEFAULT_AGENT))
    texts = workspace_files(slug, loaded)
    for path, text in texts.items():
        place = root / path
        if not place.exists():
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
    agent = get_agent(slug)
    Agent.objects.filter(pk=agent.pk, name="").update(name=name)
    sync(agent)
    return len(texts)
