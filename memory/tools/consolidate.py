"""`memory_consolidate`: put old notes away, and keep what matters of them."""

from pydantic import Field

from accounts.actors import Actor
from memory import access
from memory.lifecycle import curation
from memory.tools.base import Arguments, Tool, ToolResult
from memory.tools.registry import register
from memory.workspace import get_agent


class OldNotes(Arguments):
    """Whose notes, and how old they have to be."""

    agent: str | None = Field(
        None, max_length=64, description="Whose notes; seldom needed."
    )
    lookback_days: int | None = Field(
        None, ge=0, le=36_500, description="Take what is older than these days."
    )
    dry_run: bool = Field(False, description="Only say what would be taken.")


def run(actor: Actor, notes: OldNotes) -> ToolResult:
    """Queue the job, or say what it would take."""
    agent = get_agent(notes.agent)
    if notes.dry_run:
        shown = curation.preview(actor=actor, agent=agent, days=notes.lookback_days)
        paths = [file.path for file in shown.files]
        ids = [str(record.uid) for record in shown.records]
        return ToolResult(
            text=f"{shown.record_count} records and {shown.file_count} daily notes are"
            f" older than {shown.days} days.",
            data={
                "agent": agent.slug,
                "records": ids,
                "record_count": shown.record_count,
                "files": paths,
                "file_count": shown.file_count,
            },
        )
    job = curation.request(actor=actor, agent=agent, days=notes.lookback_days)
    return ToolResult(
        text=f"Queued as job {job.uid}. Facts of old notes will be in Memory.md; the"
        " notes go to the bin and the archive.",
        data={"job": str(job.uid), "state": job.state},
    )


register(
    Tool(
        name="memory_consolidate",
        description="Put old global records and daily notes away, and take what matters"
        " of them into Memory.md. Use it when asked to tidy up the memory, or on a"
        " schedule; try dry_run first.",
        example='{"lookback_days": 30, "dry_run": true}',
        arguments=OldNotes,
        run=run,
        allowed=access.can_consolidate,
        reads_only=False,
    )
)
