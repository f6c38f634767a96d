"""How the body of an API request is read.

A module of its own: the views of REST framework load it while they are being defined.
"""

from typing import Any

from rest_framework import exceptions
from rest_framework.parsers import JSONParser


class StrictJSONParser(JSONParser):
    """JSON in which everything can be stored; bad nesting is the sender's fault."""

    def parse(self, *args: Any, **kwargs: Any) -> Any:
        """Return the parsed body; raises ParseError for what is no usable JSON."""
        try:
            return super().parse(*args, **kwargs)
        except RecursionError:
            raise exceptions.ParseError("The JSON is nested too deeply.") from None
