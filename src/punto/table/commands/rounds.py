"""A round: wagers, cards, totals, outcome, settlement."""

from typing import ClassVar

from punto.rules import Duty
from punto.rules.money import Cents
from punto.table.commands.command import Command, PatronCommand


class OpenBets(Command, frozen=True, kw_only=True, tag="open-bets"):
    """Begin a round: "Place your bets, please" (EB4, FF2, B8, TNC5, E7U 3.1)."""

    duty: ClassVar[Duty | None] = Duty.RUN_ROUND


class PlaceWager(PatronCommand, frozen=True, kw_only=True, tag="place-wager"):
    """Put a stake on a wager, at a position of the layout or on a terminal."""

    duty: ClassVar[Duty | None] = Duty.PLACE_FOR_PATRON

    wager: str
    stake_cents: Cents
    position: int
    # The number of a wager that was placed at the same moment; only staff can say so (B8, TNC5 3.9.4.1).
    same_moment_as: int = 0


class ChangeWager(PatronCommand, frozen=True, kw_only=True, tag="change-wager"):
    """Make a wager larger or smaller."""

    duty: ClassVar[Duty | None] = Duty.PLACE_FOR_PATRON

    number: int
    stake_cents: Cents


class TakeBackWager(PatronCommand, frozen=True, kw_only=True, tag="take-back-wager"):
    """Take a wager off the layout."""

    duty: ClassVar[Duty | None] = Duty.PLACE_FOR_PATRON

    number: int


class SetStake(PatronCommand, frozen=True, kw_only=True, tag="set-stake"):
    """Make a stake come to so much in all, as terminals do: it is placed, changed, or with nothing taken back.

    It counts in the round that it was meant for, or without one in whichever it meets.
    """

    duty: ClassVar[Duty | None] = Duty.PLACE_FOR_PATRON

    wager: str
    stake_cents: Cents
    position: int
    round: int = 0


class CloseBets(Command, frozen=True, kw_only=True, tag="close-bets"):
    """End the betting: "No more bets" (EB4, FF2, B8, TNC5, E7U 3.2)."""

    duty: ClassVar[Duty | None] = Duty.RUN_ROUND


class DrawCard(Command, frozen=True, kw_only=True, tag="draw-card"):
    """Draw the next card; what a device read, if it reads, and for a virtual shoe what the floor hands over."""

    card: str | None = None


class ShowCuttingCard(Command, frozen=True, kw_only=True, tag="show-cutting-card"):
    """The cutting card has come out of the device (EB4 3.10; E7U 3.9; B8, TNC5 3.17)."""


class Announce(Command, frozen=True, kw_only=True, tag="announce"):
    """Announce the point totals after the initial deal, or the outcome."""

    duty: ClassVar[Duty | None] = Duty.RUN_ROUND


class Settle(Command, frozen=True, kw_only=True, tag="settle"):
    """Collect losing wagers and pay winning ones, with which the round ends (B8 1.1.7; TNC5 1.1.6; FF2 1.1.9)."""

    duty: ClassVar[Duty | None] = Duty.RUN_ROUND


OfTheRound = (
    OpenBets
    | PlaceWager
    | ChangeWager
    | TakeBackWager
    | SetStake
    | CloseBets
    | DrawCard
    | ShowCuttingCard
    | Announce
    | Settle
)
