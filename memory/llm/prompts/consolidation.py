"""Records that say the same, made into one: what is asked for."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

# Told to the model, which small ones need to come to an end; not insisted on.
Text = Annotated[str, Field(json_schema_extra={"maxLength": 300})]


class MergedNotes(BaseModel):
    """Some notes of one group, and the text that says all that they say."""

    model_config = ConfigDict(extra="ignore")

    notes: list[int] = Field(
        description="The numbers of the notes that say the same.",
        json_schema_extra={"minItems": 2, "maxItems": 6},
    )
    text: Text = Field(description="One text in their place.")


class ConsolidationReply(BaseModel):
    """The notes that can be one; those that are not named stay as they are."""

    model_config = ConfigDict(extra="ignore")

    merges: list[MergedNotes] = Field(json_schema_extra={"maxItems": 10})
