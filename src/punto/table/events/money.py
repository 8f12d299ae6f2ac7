"""Credits that come in and go out, and are put right."""

from punto.rules.money import Cents
from punto.table.actor import Actor
from punto.table.events.event import Event


class CreditsBought(Event, frozen=True, tag="credits-bought"):
    """Cash was turned into credits."""

    patron: str
    cents: Cents
    position: int


class CreditsCashedOut(Event, frozen=True, tag="credits-cashed-out"):
    """Credits were turned into cash."""

    patron: str
    cents: Cents
    position: int


class CreditsCorrected(Event, frozen=True, tag="credits-corrected"):
    """Credits were put right, by two people."""

    patron: str
    cents: Cents
    reason: str
    approved_by: Actor


OfMoney = CreditsBought | CreditsCashedOut | CreditsCorrected
