"""The state directory: everything the server keeps outside the database."""

import contextlib
import fcntl
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

FOLDERS = ("media", "workspace", "agents", "backups", "credentials", "run")


class InUse(Exception):
    """Another process holds the state directory; `holder` is its id, if known."""

    def __init__(self, holder: str) -> None:
        super().__init__(f"Process {holder} holds the state directory.")
        self.holder = holder


def state_directory(path: Path) -> Path:
    """Create the directory and its folders for the owner only, and return it."""
    for folder in (path, *(path / name for name in FOLDERS)):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


@contextlib.contextmanager
def alone_with(path: Path) -> Iterator[None]:
    """Hold the state directory; the lock goes with the process, however it ends.

    Raises InUse where another process holds it.
    """
    with (path / "run" / "up.lock").open("a+", encoding="ascii") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise InUse(file.read().strip() or "?") from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def secret_key(state_dir: Path, configured: str) -> str:
    """Return the configured signing key, or the one kept in `credentials/`.

    It is made at the first start. Two processes that start together agree on one,
    since a hard link to a complete file either appears or is refused.
    """
    if configured:
        return configured
    path = state_dir / "credentials" / "secret-key"
    if not path.exists():
        draft = path.with_name(f"secret-key.{os.getpid()}.tmp")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(48), encoding="ascii")
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(draft)
        draft.unlink()
    return path.read_text(encoding="ascii")
