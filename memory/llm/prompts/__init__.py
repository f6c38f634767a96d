"""What the background model is told, one text a task, with the schema of its answer."""

from importlib.resources import files


def text_of(name: str) -> str:
    """Return the instructions of a task."""
    return (files(__name__) / f"{name}.txt").read_text(encoding="utf-8").strip()
