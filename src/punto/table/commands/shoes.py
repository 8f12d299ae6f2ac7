"""Opening and closing the table, its limits, and changing its cards."""

from typing import ClassVar

from msgspec import field

from punto.rules import Duty
from punto.rules.money import Cents
from punto.table.actor import Actor
from punto.table.commands.command import Command, PatronCommand
from punto.table.contributions import Beacon
from punto.table.setup import Limit, Setup


class OpenTable(Command, frozen=True, kw_only=True, tag="open-table"):
    """Open the table for a gaming day.

    A floor says whether the setup goes *beyond_file*, the one that it was started with: that takes two people.
    """

    duty: ClassVar[Duty | None] = Duty.RUN_TABLE

    setup: Setup
    beyond_file: bool = False
    confirmed_by: Actor | None = None


class CloseTable(Command, frozen=True, kw_only=True, tag="close-table"):
    """Close the table, between rounds."""

    duty: ClassVar[Duty | None] = Duty.RUN_TABLE


class ChangeLimits(Command, frozen=True, kw_only=True, tag="change-limits"):
    """Other limits from the next round on (interpretation 41); * names every wager, and what is not named stays.

    Limits *beyond_file*, outside those of the floor's file, take two people.
    """

    duty: ClassVar[Duty | None] = Duty.RUN_TABLE

    limits: dict[str, Limit] = field(default_factory=dict)
    differential_cents: Cents | None = None
    beyond_file: bool = False
    confirmed_by: Actor | None = None


class LoadShoe(Command, frozen=True, kw_only=True, tag="load-shoe"):
    """Put a fresh shoe in place.

    For a virtual shoe the floor says what it commits to, hands over the order sealed, and names the beacon.
    """

    duty: ClassVar[Duty | None] = Duty.CHANGE_SHOE

    commitment: str = ""
    sealed: str = ""
    beacon: Beacon | None = None


class CutShoe(PatronCommand, frozen=True, kw_only=True, tag="cut-shoe"):
    """Cut a virtual shoe: so many cards from its front go to its back."""

    cards: int


class Contribute(PatronCommand, frozen=True, kw_only=True, tag="contribute"):
    """Commit to a secret, which will permute the order of a virtual shoe; only the patron can.

    *shoe* is its number: a command that comes late must not commit the patron to another shoe.
    """

    shoe: int
    commitment: str


class CloseContributions(Command, frozen=True, kw_only=True, tag="close-contributions"):
    """Take no more contributions to the shoe's order: from now on patrons reveal their secrets."""

    duty: ClassVar[Duty | None] = Duty.RUN_ROUND


class RevealContribution(PatronCommand, frozen=True, kw_only=True, tag="reveal-contribution"):
    """Reveal the secret that one has committed to; only the patron can."""

    shoe: int
    secret: str


class DrawBeacon(Command, frozen=True, kw_only=True, tag="draw-beacon"):
    """Write down the value of the beacon's round; the floor does so by itself."""

    signature: str


class KeepShoe(Command, frozen=True, kw_only=True, tag="keep-shoe"):
    """Decide against replacing the cards where that is proposed (B8, TNC5 5.13; interpretation 17).

    *counted* is how many cards the device holds: where its contents are in doubt, it must have been counted.
    """

    duty: ClassVar[Duty | None] = Duty.REPLACE_CARDS

    reason: str
    counted: int | None = None


class EndShoe(Command, frozen=True, kw_only=True, tag="end-shoe"):
    """Take the shoe out; a virtual one is opened, order and salt.

    Whoever decides it, where nothing requires or proposes it, gives the *reason*.
    """

    duty: ClassVar[Duty | None] = Duty.CHANGE_SHOE

    order: str = ""
    salt: str = ""
    reason: str = ""


OfTheShoe = (
    OpenTable
    | CloseTable
    | ChangeLimits
    | LoadShoe
    | CutShoe
    | Contribute
    | CloseContributions
    | RevealContribution
    | DrawBeacon
    | KeepShoe
    | EndShoe
)
