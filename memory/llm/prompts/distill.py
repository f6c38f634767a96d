"""A page made from facts: what is asked for."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

# Told to the model, which small ones need to come to an end; not insisted on.
Heading = Annotated[str, Field(json_schema_extra={"maxLength": 80})]
Statement = Annotated[str, Field(json_schema_extra={"maxLength": 300})]


class DistilledSentence(BaseModel):
    """One statement, and the ids of the facts it is made from."""

    model_config = ConfigDict(extra="ignore")

    text: Statement
    facts: list[str] = Field(description="Ids of the facts it is made from.")


class DistilledSection(BaseModel):
    """A heading with what is said below it."""

    model_config = ConfigDict(extra="ignore")

    heading: Heading
    sentences: list[DistilledSentence]


class DistillReply(BaseModel):
    """The sections of a page."""

    model_config = ConfigDict(extra="ignore")

    sections: list[DistilledSection]
