"""The table is opened and closed, and its cards come and go."""

from punto.rules.money import Cents
from punto.table.events.event import Event
from punto.table.setup import Limit, Setup


class TableOpened(Event, frozen=True, tag="table-opened"):
    """The table is open, under the rulebook then in force (interpretation 34)."""

    setup: Setup


class TableClosed(Event, frozen=True, tag="table-closed"):
    """The table is closed; warnings are forgotten (interpretation 9)."""


class LimitsChanged(Event, frozen=True, tag="limits-changed"):
    """All limits as they are from the next round on (interpretation 41)."""

    limits: dict[str, Limit]
    differential_cents: Cents


class ShoeLoaded(Event, frozen=True, tag="shoe-loaded"):
    """A fresh shoe is in place."""

    shoe: int
    commitment: str = ""
    sealed: str = ""


class ShoeCut(Event, frozen=True, tag="shoe-cut"):
    """A patron has cut the virtual shoe."""

    patron: str
    cards: int


class ShoeEnded(Event, frozen=True, tag="shoe-ended"):
    """The shoe is out; a virtual one lies open."""

    shoe: int
    order: str = ""
    salt: str = ""


OfTheShoe = TableOpened | TableClosed | LimitsChanged | ShoeLoaded | ShoeCut | ShoeEnded
