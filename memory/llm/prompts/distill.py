"""A page made from facts: what is asked for."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

# Told to the model, which small ones need to come to an end; not insisted on.
Heading = Annotated[str, Field(json_schema_extra={"maxLength": 60})]
Statement = Annotated[str, Field(json_schema_extra={"maxLength": 200})]
Id = Annotated[str, Field(json_schema_extra={"maxLength": 4})]


class DistilledSentence(BaseModel):
    """One statement, and the ids of the facts it is made from."""

    model_config = ConfigDict(extra="ignore")

    text: Statement
    facts: list[Id] = Field(
        description="Ids of the facts it is made from.",
        json_schema_extra={"maxItems": 6},
    )


class DistilledSection(BaseModel):
    """A heading with what is said below it."""

    model_config = ConfigDict(extra="ignore")

    heading: Heading
    sentences: list[DistilledSentence] = Field(json_schema_extra={"maxItems": 8})


class DistillReply(BaseModel):
    """The sections of a page."""

    model_config = ConfigDict(extra="ignore")

    sections: list[DistilledSection] = Field(json_schema_extra={"maxItems": 6})
