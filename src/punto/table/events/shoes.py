"""The table is opened and closed, and its cards come and go."""

from punto.rules.money import Cents
from punto.table.actor import Actor
from punto.table.contributions import Beacon, Cause
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
    """A fresh shoe is in place; by the second *protocol* its order is permuted by what patrons contribute.

    Contributions are taken until then at least. So many shoes were *abandoned* since the last wager.
    """

    shoe: int
    commitment: str = ""
    sealed: str = ""
    protocol: int = 1
    beacon: Beacon | None = None
    commit_until_ms: int = 0
    abandoned: int = 0


class ShoeCut(Event, frozen=True, tag="shoe-cut"):
    """A patron has cut the virtual shoe."""

    patron: str
    cards: int


class ContributionCommitted(Event, frozen=True, tag="contribution-committed"):
    """A patron has committed to a secret."""

    patron: str
    commitment: str


class ContributionsClosed(Event, frozen=True, tag="contributions-closed"):
    """No more contributions are taken: patrons reveal their secrets, and have at least until that time.

    The beacon's round is the first that comes after this, so that nobody knows its value yet.
    """

    shoe: int
    until_ms: int
    beacon_round: int = 0


class ContributionRevealed(Event, frozen=True, tag="contribution-revealed"):
    """A patron has revealed the secret."""

    patron: str
    secret: str


class BeaconDrawn(Event, frozen=True, tag="beacon-drawn"):
    """The beacon's round has come: its signature is the value."""

    signature: str


class ShoeEnded(Event, frozen=True, tag="shoe-ended"):
    """The shoe is out, and why; a virtual one lies open.

    Where a person decided it, *reason* is theirs. Patrons who did not reveal their secrets are *unrevealed*.
    """

    shoe: int
    order: str = ""
    salt: str = ""
    cause: Cause | None = None
    reason: str = ""
    unrevealed: tuple[str, ...] = ()


class ShoeKept(Event, frozen=True, tag="shoe-kept"):
    """A Pit Manager decided against replacing the cards; *counted* are the cards in the device, if they were counted.

    B8, TNC5 5.13; interpretation 17.
    """

    shoe: int
    reason: str
    counted: int | None = None


OfTheShoe = (
    TableOpened
    | TableClosed
    | LimitsChanged
    | ShoeLoaded
    | ShoeCut
    | ContributionCommitted
    | ContributionsClosed
    | ContributionRevealed
    | BeaconDrawn
    | ShoeKept
    | ShoeEnded
)
