"""Which older notes a newer one replaces: what is asked for."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class OlderNote(BaseModel):
    """The verdict on one older note."""

    model_config = ConfigDict(extra="ignore")

    note: int = Field(description="The number of the older note.")
    verdict: Literal["replaced", "kept", "unsure"]
    reason: Annotated[str, Field(json_schema_extra={"maxLength": 120})] = ""


class JudgeReply(BaseModel):
    """The verdicts on all older notes."""

    model_config = ConfigDict(extra="ignore")

    notes: list[OlderNote]
