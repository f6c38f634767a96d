"""JSON messages over a socket: four bytes of length, then the text."""

import json
import socket
import struct
import time
from typing import Any

_LENGTH = struct.Struct(">I")
MAX_MESSAGE = 64 * 1024 * 1024


class Closed(Exception):
    """The other side is gone."""


def send(channel: socket.socket, message: dict[str, Any]) -> None:
    """Send a message, within the time-out of the socket."""
    data = json.dumps(message).encode()
    channel.sendall(_LENGTH.pack(len(data)) + data)


def receive(channel: socket.socket, deadline: float | None = None) -> dict[str, Any]:
    """Return the next message; raises Closed, or TimeoutError at the deadline.

    The deadline is a reading of the monotonic clock, in seconds.
    """
    (length,) = _LENGTH.unpack(_exactly(channel, _LENGTH.size, deadline))
    if length > MAX_MESSAGE:
        raise Closed
    message: dict[str, Any] = json.loads(_exactly(channel, length, deadline))
    return message


def _exactly(channel: socket.socket, size: int, deadline: float | None) -> bytes:
    parts: list[bytes] = []
    while size:
        if deadline is not None:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            channel.settimeout(left)
        part = channel.recv(min(size, 1024 * 1024))
        if not part:
            raise Closed
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
