"""The wiki of the sample organisation: what its people have written together."""

from wiki.demo.loading import Loaded, load

__all__ = ["Loaded", "load"]
