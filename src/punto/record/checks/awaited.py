"""What was found, and what somebody must decide or answer because of it."""

from dataclasses import dataclass
from typing import Final

from punto.rules import Found, Remedy, Side


@dataclass(slots=True)
class Matter:
    """What was found, and what the rulebook has follow from it."""

    found: Found
    remedy: Remedy
    clause: str
    together: tuple[int, ...] = ()
    # The cards that whoever reported it has named, and the order that was decided or told to patrons.
    named: tuple[str, ...] = ()
    order: str = ""
    by_decision: bool = False
    # How many cards lie there by a report of the deal.
    lying: int = 0


@dataclass(slots=True)
class Offer:
    """An offer of withdrawal that is open, and the matter that it was made for."""

    matter: Matter | None
    clause: str
    wagers: frozenset[int]
    waiting: list[str]
    whole: bool
    until_ms: int
    sequel: str
    order: str


@dataclass(slots=True)
class Ordering:
    """Cards that a Pit Manager is to put in order; the first so many are certain."""

    matter: Matter | None
    cards: str
    certain: int


# So many cards are set aside before the others are counted (B8, TNC5 5.11.1).
ASIDE: Final = 2


@dataclass(slots=True)
class Count:
    """A count of cards that is under way: so many of each hand are gone."""

    gone: dict[Side, int]
    aside: str = ""
    missing: str = ""
    # Who had two cards set aside, and works out the others.
    manager: str = ""


@dataclass(slots=True)
class Asked:
    """What the Gaming Shift Manager is to decide: what was found, and the round that it is about."""

    found: Found
    round: int
    number: int
    # Who reported or referred it.
    by: str = ""
