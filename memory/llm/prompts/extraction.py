"""What is worth remembering of a conversation: what is asked for."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

# Told to the model, which small ones need to come to an end; not insisted on.
Statement = Annotated[str, Field(json_schema_extra={"maxLength": 200})]


class LearnedFact(BaseModel):
    """One statement, and the message that it was said in."""

    model_config = ConfigDict(extra="ignore")

    text: Statement = Field(description="One complete sentence that stands alone.")
    kind: Literal["fact", "preference"] = Field(
        description="preference: how somebody wants things to be done."
    )
    domain: Annotated[str, Field(json_schema_extra={"maxLength": 40})] = Field(
        default="", description="One lower-case word for the subject, such as deploys."
    )
    message: int = Field(description="The number of the message that says it.")


class ExtractionReply(BaseModel):
    """Everything worth remembering, in the order in which it was said."""

    model_config = ConfigDict(extra="ignore")

    facts: list[LearnedFact] = Field(json_schema_extra={"maxItems": 16})
