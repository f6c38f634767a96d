"""A sample organisation, invented, to look at the product with something in it."""

from memory.demo.loading import Loaded, load

__all__ = ["Loaded", "load"]
