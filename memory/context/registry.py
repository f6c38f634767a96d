"""The register of sections: each a function, with its name and place."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Self

from memory.context.blocks import Group, Item, Offer, Part, Section
from memory.context.loading import Asked


@dataclass(frozen=True, slots=True)
class Content:
    """What a section has to say; the fields are those of an `Offer`."""

    items: tuple[Item, ...] = ()
    title: str = ""
    left_out: int = 0
    why: str = ""


@dataclass(slots=True)
class Shown:
    """What stands in the prompt already, so that nothing is said twice."""

    records: set[int] = field(default_factory=set)
    digests: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, offers: Iterable[Offer]) -> Self:
        """Return what the offers show."""
        shown = cls()
        for offer in offers:
            shown.add(offer.items)
        return shown

    def add(self, items: Iterable[Item]) -> None:
        """Note that the items are shown."""
        for item in items:
            if item.record is not None:
                self.records.add(item.record)
            if item.digest:
                self.digests.add(item.digest)

    def fresh(self, items: Iterable[Item]) -> tuple[Item, ...]:
        """Return the items that say something new, each once; notes nothing."""
        known = Shown(set(self.records), set(self.digests))
        found = []
        for item in items:
            if item.record not in known.records and item.digest not in known.digests:
                known.add([item])
                found.append(item)
        return tuple(found)


Build = Callable[[Asked, Shown], Content]
_BUILDS: dict[Section, Build] = {}


def section(
    place: Group | Part,
    name: str,
    *,
    priority: int | None = None,
    lasting: bool = False,
) -> Callable[[Build], Build]:
    """Register the next section; a group of the session part stands for that part.

    The lowest `priority` is dropped first; without one the section is outside of the
    budget and has a cap of its own.
    """
    in_session = isinstance(place, Group)
    made = Section(
        number=len(_BUILDS) + 1,
        name=name,
        part=Part.SESSION if in_session else Part(place),
        group=place if isinstance(place, Group) else None,
        priority=priority,
        lasting=lasting,
    )

    def register(build: Build) -> Build:
        _BUILDS[made] = build
        return build

    return register


def registered() -> tuple[Section, ...]:
    """Return the sections in their order."""
    return tuple(_BUILDS)


def offers(part: Part, asked: Asked, shown: Shown) -> Iterator[Offer]:
    """Yield what each section of a part offers beyond what is shown already."""
    for made, build in _BUILDS.items():
        if made.part is part:
            content = build(asked, shown)
            shown.add(content.items)
            yield Offer(
                made, content.title, content.items, content.left_out, content.why
            )
