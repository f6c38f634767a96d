"""How the body of an API request is read.

A module of its own: the views of REST framework load it while they are being defined.
"""

import json
from typing import Any

from rest_framework import exceptions
from rest_framework.parsers import JSONParser


class StrictJSONParser(JSONParser):
    """JSON in which everything can be stored; bad nesting is the sender's fault."""

    def parse(self, *args: Any, **kwargs: Any) -> Any:
        """Return the parsed body; raises ParseError for what is no usable JSON."""
        try:
            data = super().parse(*args, **kwargs)
            # Half of a surrogate pair is no character: no database stores it, and an
            # error that quotes it could not even be sent.
            json.dumps(data, ensure_ascii=False).encode()
        except RecursionError:
            raise exceptions.ParseError("The JSON is nested too deeply.") from None
        except UnicodeEncodeError:
            raise exceptions.ParseError(
                "The JSON has half of a surrogate pair, which is no character."
            ) from None
        return data
