"""Fit sections into the budget, and tell what became of each. Pure.

The session part gets at most three quarters of the budget, whatever the message finds;
the message part gets what is left. Over its share, whole sections are dropped, the
lowest priority first; critical constraints are the last, and lose their oldest first.
"""

from dataclasses import dataclass, replace

from memory.context.blocks import Item, Offer, Part, frame_size, part_text, size_of
from memory.context.cutting import shortened

SESSION_SHARE = 0.75
_LEAST = 30
"""Characters below which the beginning of a constraint says nothing."""
_NO_ROOM = "over the budget, the lowest priority first"
_NOT_EVEN = "not even the critical constraints fit"


@dataclass(frozen=True, slots=True)
class Row:
    """What became of one section; `offered == kept + cut + dropped`, of its items.

    `size` is what it takes of the prompt, with title and tags.
    """

    number: int
    name: str
    part: str
    in_budget: bool
    items: int
    offered: int
    kept: int
    cut: int
    dropped: int
    size: int
    why: str
    personal: bool


@dataclass(frozen=True, slots=True)
class Fitted:
    """A part with the sections that fit, a row for each that was offered.

    `used` is what the part takes of the budget; `starved` says that critical
    constraints were offered and not one is kept.
    """

    part: Part
    offers: tuple[Offer, ...]
    rows: tuple[Row, ...]
    used: int
    starved: bool = False

    def text(self, *, hidden: bool = False) -> str:
        """Return the part as it goes to the model, or without its personal items."""
        return part_text(self.part, list(self.offers), hidden=hidden)


def fit_session(offers: list[Offer], budget: int) -> Fitted:
    """Fit the session part; a budget of 0 is none. Nothing of the message is known."""
    room = int(budget * SESSION_SHARE) if budget else None
    return _fit(Part.SESSION, offers, room)


def fit_message(offers: list[Offer], budget: int, session: Fitted) -> Fitted:
    """Fit the message part into what the session part has left."""
    if not budget:
        return _fit(Part.MESSAGE, offers, None)
    if session.starved:
        return _fit(Part.MESSAGE, offers, 0, why=_NOT_EVEN)
    return _fit(Part.MESSAGE, offers, budget - session.used)


def _fit(
    part: Part, offers: list[Offer], room: int | None, why: str = _NO_ROOM
) -> Fitted:
    kept = {o.section.number: o for o in offers if o.items}
    reasons = {o.section.number: o.why for o in offers}
    counted = sorted(
        (o for o in kept.values() if o.section.priority is not None),
        key=lambda o: o.section.priority or 0,
    )
    frame = frame_size(part) if counted else 0
    used = frame + sum(map(size_of, counted))
    starved = False
    for offer in counted:
        if room is None or used <= room:
            break
        number, size = offer.section.number, size_of(offer)
        less = _newest(offer, room - (used - size)) if offer.section.lasting else None
        if less:
            kept[number], used = less, used - size + size_of(less)
            reasons[number] = _joined(reasons[number], "over the budget, oldest first")
        else:
            del kept[number]
            used -= size
            reasons[number] = _joined(reasons[number], why)
            starved = starved or offer.section.lasting
    fitted = tuple(kept[o.section.number] for o in offers if o.section.number in kept)
    rows = tuple(
        _row(offer, kept.get(offer.section.number), reasons[offer.section.number])
        for offer in offers
    )
    has_counted = any(o.section.priority is not None for o in fitted)
    return Fitted(part, fitted, rows, used if has_counted else 0, starved)


def _newest(offer: Offer, room: int) -> Offer | None:
    """Return as much as fits of the newest items, with a line about those left out.

    The items come oldest first. None when not even the start of the newest fits.
    """
    notes = (_left_out(len(offer.items)),) if len(offer.items) > 1 else ()
    left = room - size_of(replace(offer, items=(*notes, Item(""))))
    kept: list[Item] = []
    for item in reversed(offer.items):
        if len(item.text) > left:
            break
        kept.insert(0, item)
        left -= len(item.text) + 1
    if not kept:
        start = shortened(offer.items[-1].text, left)
        if len(start) < min(_LEAST, len(offer.items[-1].text)):
            return None
        kept = [replace(offer.items[-1], text=start)]
    gone = len(offer.items) - len(kept)
    return replace(offer, items=(*([_left_out(gone)] if gone else []), *kept))


def _left_out(count: int) -> Item:
    plural = "s are" if count > 1 else " is"
    return Item(f"({count} older one{plural} left out: over the budget)")


def _row(offer: Offer, kept: Offer | None, why: str) -> Row:
    offered = offer.chars + offer.left_out
    shown = kept.items if kept else ()
    if kept is not None and kept is not offer:
        shown = tuple(item for item in shown if item.record is not None)
    stays = min(sum(len(item.text) for item in shown), offer.chars)
    dropped = 0 if kept else offer.chars
    return Row(
        number=offer.section.number,
        name=offer.section.name,
        part=offer.section.part.value,
        in_budget=offer.section.priority is not None,
        items=len(shown),
        offered=offered,
        kept=stays,
        cut=offered - stays - dropped,
        dropped=dropped,
        size=size_of(kept) if kept else 0,
        why=why,
        personal=any(item.personal for item in offer.items),
    )


def _joined(*reasons: str) -> str:
    return "; ".join(filter(None, reasons))
