"""Where the server listens and keeps its files: known before Django is loaded."""

from dataclasses import dataclass
from pathlib import Path

from goclaw.lib.env import env_int, env_path, env_str


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """The address and the state directory."""

    state_dir: Path
    host: str
    port: int

    @property
    def reached_at(self) -> str:
        """Return the host by which this machine reaches the server."""
        return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104

    @property
    def url(self) -> str:
        """Return the address a browser on this machine would use."""
        host = self.reached_at
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"


def server_config() -> ServerConfig:
    """Return what the environment says."""
    return ServerConfig(
        state_dir=env_path("state.dir", Path("~/.goclaw")),
        host=env_str("host") or "127.0.0.1",
        port=env_int("port", 8000, low=1, high=65535),
    )
