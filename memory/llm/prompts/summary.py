"""The summary of a conversation: what is asked for."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

# Told to the model, which small ones need to come to an end; not insisted on.
Statement = Annotated[str, Field(json_schema_extra={"maxLength": 160})]
_FEW: JsonDict = {"maxItems": 4}
_SOME: JsonDict = {"maxItems": 8}


class SummaryReply(BaseModel):
    """The five parts of a summary, each a list of statements."""

    model_config = ConfigDict(extra="ignore")

    context: list[Statement] = Field(
        description="Who talks about what, and why.", json_schema_extra=_FEW
    )
    key_decisions: list[Statement] = Field(
        description="What was decided, and by whom.", json_schema_extra=_SOME
    )
    action_items: list[Statement] = Field(
        description="What is still to be done, by whom.", json_schema_extra=_FEW
    )
    important_details: list[Statement] = Field(
        description="Names, numbers, dates, paths, preferences to remember.",
        json_schema_extra=_SOME,
    )
    current_state: list[Statement] = Field(
        description="Where things stand at the end.", json_schema_extra=_FEW
    )
