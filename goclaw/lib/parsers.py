"""How the body of an API request is read.

A module of its own: the views of REST framework load it while they are being defined.
"""

import json
from typing import Any

from rest_framework import exceptions
from rest_framework.parsers import JSONParser


class StrictJSONParser(JSONParser):
    """JSON that means one thing and can be stored; the rest is the sender's fault."""

    def parse(
        self, stream: Any, media_type: Any = None, parser_context: Any = None
    ) -> Any:
        """Return the parsed body; raises ParseError for what is no usable JSON."""
        try:
            data = json.loads(
                stream.read().decode(),
                object_pairs_hook=_object,
                parse_constant=_no_number,
            )
            # Half of a surrogate pair is no character: no database stores it, and an
            # error that quotes it could not even be sent.
            json.dumps(data, ensure_ascii=False).encode()
        except RecursionError:
            raise exceptions.ParseError("The JSON is nested too deeply.") from None
        except UnicodeDecodeError as error:
            raise exceptions.ParseError(
                f"The body is no UTF-8 at byte {error.start}."
            ) from None
        except UnicodeEncodeError:
            raise exceptions.ParseError(
                "The JSON has half of a surrogate pair, which is no character."
            ) from None
        except json.JSONDecodeError as error:
            raise exceptions.ParseError(f"The body is no JSON: {error}.") from None
        except ValueError:  # what is left: Python reads no number of that length
            raise exceptions.ParseError(
                "The JSON has a number of too many digits."
            ) from None
        return data


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object; where a name stands twice, nobody knows which one is meant."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise exceptions.ParseError(f"The JSON names {twice!r} twice.")
    return found


def _no_number(name: str) -> Any:
    raise exceptions.ParseError(f"{name} is no number of JSON.")
