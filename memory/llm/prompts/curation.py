"""What of old notes belongs into the curated memory: what is asked for."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

# Told to the model, which small ones need to come to an end; not insisted on.
Text = Annotated[str, Field(json_schema_extra={"maxLength": 200})]


class KeyFact(BaseModel):
    """One statement, and the notes that it is taken from."""

    model_config = ConfigDict(extra="ignore")

    text: Text = Field(description="One complete sentence that stands alone.")
    notes: list[int] = Field(description="The numbers of the notes that say it.")


class CurationReply(BaseModel):
    """Everything that will matter in a year."""

    model_config = ConfigDict(extra="ignore")

    facts: list[KeyFact] = Field(json_schema_extra={"maxItems": 16})
