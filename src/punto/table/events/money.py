"""Credits that come in and go out, are put right, or lie aside for a while."""

from punto.rules.money import Cents
from punto.table.actor import Actor
from punto.table.events.event import Event


class CreditsBought(Event, frozen=True, tag="credits-bought"):
    """Cash was turned into credits; *confirmed_by* a second person where one alone may not."""

    patron: str
    cents: Cents
    position: int
    confirmed_by: Actor | None = None


class CreditsCashedOut(Event, frozen=True, tag="credits-cashed-out"):
    """Credits were turned into cash; *confirmed_by* a second person where one alone may not."""

    patron: str
    cents: Cents
    position: int
    confirmed_by: Actor | None = None


class CreditsCorrected(Event, frozen=True, tag="credits-corrected"):
    """Credits were put right, by two people."""

    patron: str
    cents: Cents
    reason: str
    approved_by: Actor


class CreditsWithheld(Event, frozen=True, tag="credits-withheld"):
    """What the command gives a patron lies aside, because the record of the wallet is stopped."""

    patron: str
    cents: Cents


class CreditsReleased(Event, frozen=True, tag="credits-released"):
    """What lay aside for a patron came into the wallet."""

    patron: str
    cents: Cents


OfMoney = CreditsBought | CreditsCashedOut | CreditsCorrected | CreditsWithheld | CreditsReleased
