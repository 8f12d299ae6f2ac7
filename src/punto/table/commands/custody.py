"""Who handles the cards and the device, and by what method they are dealt (B8, TNC5)."""

from typing import ClassVar

from punto.rules import Duty, Method, Side
from punto.table.commands.command import Command, PatronCommand


class RestrictAreas(Command, frozen=True, kw_only=True, tag="restrict-areas"):
    """Allow fewer wagers per playing area (B8, TNC5 3.6.1)."""

    duty: ClassVar[Duty | None] = Duty.RESTRICT_AREAS

    most: int


class ChooseMethod(Command, frozen=True, kw_only=True, tag="choose-method"):
    """Deal by another method from the next round on (B8, TNC5 3.8.2)."""

    duty: ClassVar[Duty | None] = Duty.CHOOSE_METHOD

    method: Method


class AcceptCards(PatronCommand, frozen=True, kw_only=True, tag="accept-cards"):
    """Take the cards that are offered."""

    side: Side


class RefuseCards(PatronCommand, frozen=True, kw_only=True, tag="refuse-cards"):
    """Do not take the cards that are offered (B8, TNC5 3.9.3, 3.9.5)."""

    side: Side


class ChooseHolder(Command, frozen=True, kw_only=True, tag="choose-holder"):
    """Choose who handles the cards when nobody has a claim, or nobody is named to take them (B8, TNC5 3.9.4.1)."""

    duty: ClassVar[Duty | None] = Duty.CHOOSE_HOLDER

    side: Side
    patron: str


class PermitSqueeze(Command, frozen=True, kw_only=True, tag="permit-squeeze"):
    """Let a patron, or who is named in the patron's place, squeeze a hand of this round (B8, TNC5 3.16)."""

    duty: ClassVar[Duty | None] = Duty.PERMIT_SQUEEZE

    side: Side
    patron: str
    designee: str = ""


class PassHand(Command, frozen=True, kw_only=True, tag="pass-hand"):
    """Give a hand that the patron at the device does not expose to another, through the Dealer (B8, TNC5 3.11.3)."""

    duty: ClassVar[Duty | None] = Duty.PASS_HAND

    side: Side
    patron: str


class ChooseFirst(Command, frozen=True, kw_only=True, tag="choose-first"):
    """Determine which hand is revealed first (B8, TNC5 3.9.6)."""

    duty: ClassVar[Duty | None] = Duty.CHOOSE_FIRST

    side: Side


class ExposeCards(Command, frozen=True, kw_only=True, tag="expose-cards"):
    """Turn a hand's face-down cards up; *cards* says what they are where no device has read them.

    The *patron* who handles them does it; without one, the Dealer.
    """

    side: Side
    patron: str = ""
    cards: str = ""


class TakeDevice(PatronCommand, frozen=True, kw_only=True, tag="take-device"):
    """Take control of the dealing device (B8, TNC5 3.11.8)."""


class GiveUpDevice(PatronCommand, frozen=True, kw_only=True, tag="give-up-device"):
    """Relinquish control of the dealing device (B8, TNC5 3.11.8.1)."""


class PermitDrawing(Command, frozen=True, kw_only=True, tag="permit-drawing"):
    """Permit a patron to draw without a wager, or withdraw that (B8, TNC5 3.11.2)."""

    duty: ClassVar[Duty | None] = Duty.PERMIT_DRAWING

    patron: str
    permitted: bool = True


OfCustody = (
    RestrictAreas
    | ChooseMethod
    | AcceptCards
    | RefuseCards
    | ChooseHolder
    | PermitSqueeze
    | PassHand
    | ChooseFirst
    | ExposeCards
    | TakeDevice
    | GiveUpDevice
    | PermitDrawing
)
