"""The curated memory, from conversations: what is asked for."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

# Told to the model, which small ones need to come to an end; not insisted on.
Text = Annotated[str, Field(json_schema_extra={"maxLength": 200})]


class SaidStatement(BaseModel):
    """One statement, and the message that it was said in."""

    model_config = ConfigDict(extra="ignore")

    text: Text = Field(description="One complete sentence that stands alone.")
    section: Literal["decision", "fact", "preference"] = Field(
        description="decision: what was agreed to hold from then on."
    )
    message: int = Field(description="The number of the message that says it.")


class ReplayReply(BaseModel):
    """Everything that belongs into the memory, in the order in which it was said."""

    model_config = ConfigDict(extra="ignore")

    statements: list[SaidStatement] = Field(json_schema_extra={"maxItems": 16})
