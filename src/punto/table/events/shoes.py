"""The table is opened and closed, and its cards come and go."""

from punto.rules.money import Cents
from punto.table.actor import Actor
from punto.table.events.event import Event
from punto.table.setup import Limit, Setup


class TableOpened(Event, frozen=True, tag="table-opened"):
    """The table is open, under the rulebook then in force (interpretation 34)."""

    setup: Setup
    # It is not the setup of the floor's file, and who confirmed that.
    beyond_file: bool = False
    confirmed_by: Actor | None = None


class TableClosed(Event, frozen=True, tag="table-closed"):
    """The table is closed; warnings are forgotten (interpretation 9)."""


class LimitsChanged(Event, frozen=True, tag="limits-changed"):
    """All limits as they are from the next round on (interpretation 41)."""

    limits: dict[str, Limit]
    differential_cents: Cents
    # They are outside those of the floor's file, and who confirmed that.
    beyond_file: bool = False
    confirmed_by: Actor | None = None


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


class ShoeKept(Event, frozen=True, tag="shoe-kept"):
    """A Pit Manager decided against replacing the cards; *counted* are the cards in the device, if they were counted.

    B8, TNC5 5.13; interpretation 17.
    """

    shoe: int
    reason: str
    counted: int | None = None


OfTheShoe = TableOpened | TableClosed | LimitsChanged | ShoeLoaded | ShoeCut | ShoeKept | ShoeEnded
