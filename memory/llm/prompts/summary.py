"""The summary of a conversation: what is asked for."""

from pydantic import BaseModel, ConfigDict, Field


class SummaryReply(BaseModel):
    """The five parts of a summary, each a list of statements."""

    model_config = ConfigDict(extra="ignore")

    context: list[str] = Field(description="Who talks about what, and why.")
    key_decisions: list[str] = Field(description="What was decided, and by whom.")
    action_items: list[str] = Field(description="What is still to be done, by whom.")
    important_details: list[str] = Field(
        description="Names, numbers, dates, paths, preferences to remember."
    )
    current_state: list[str] = Field(description="Where things stand at the end.")
