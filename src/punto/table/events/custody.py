"""Who handles the cards and the device, and by what method they are dealt (B8, TNC5)."""

from punto.rules import Method, Side
from punto.table.events.event import Event


class AreasRestricted(Event, frozen=True, tag="areas-restricted"):
    """A playing area takes this many wagers from now on."""

    most: int


class MethodChosen(Event, frozen=True, tag="method-chosen"):
    """Rounds are dealt by this method from now on."""

    method: Method


class CardsOffered(Event, frozen=True, tag="cards-offered"):
    """A hand is passed, face down, to the patron whose right it is."""

    side: Side
    patron: str
    clause: str


class CardsAccepted(Event, frozen=True, tag="cards-accepted"):
    """The patron handles the hand."""

    side: Side
    patron: str


class CardsRefused(Event, frozen=True, tag="cards-refused"):
    """The patron does not want the cards."""

    side: Side
    patron: str


class HolderWanted(Event, frozen=True, tag="holder-wanted"):
    """Nobody with a claim takes the hand: the Pit Supervisor may choose, else the Dealer exposes it."""

    side: Side
    clause: str


class HolderChosen(Event, frozen=True, tag="holder-chosen"):
    """The hand goes to whom the Pit Supervisor chose."""

    side: Side
    patron: str


class SqueezePermitted(Event, frozen=True, tag="squeeze-permitted"):
    """A patron, or the patron's designee, may squeeze the hand in this round."""

    side: Side
    patron: str
    designee: str = ""


class HandPassed(Event, frozen=True, tag="hand-passed"):
    """The hand went, face down and through the Dealer, to another patron."""

    side: Side
    patron: str


class FirstChosen(Event, frozen=True, tag="first-chosen"):
    """This hand is revealed first."""

    side: Side


class DeviceTaken(Event, frozen=True, tag="device-taken"):
    """The patron controls the dealing device."""

    patron: str


class DeviceGivenUp(Event, frozen=True, tag="device-given-up"):
    """The patron no longer controls the device, by this clause."""

    patron: str
    clause: str


class DealerStoodIn(Event, frozen=True, tag="dealer-stood-in"):
    """The Dealer draws and exposes for the rest of the round, in place of the patron at the device (B8, TNC5 5.10)."""

    clause: str


class DrawingPermitted(Event, frozen=True, tag="drawing-permitted"):
    """The patron may draw without a wager, or no longer."""

    patron: str
    permitted: bool


OfCustody = (
    AreasRestricted
    | MethodChosen
    | CardsOffered
    | CardsAccepted
    | CardsRefused
    | HolderWanted
    | HolderChosen
    | SqueezePermitted
    | HandPassed
    | FirstChosen
    | DeviceTaken
    | DeviceGivenUp
    | DealerStoodIn
    | DrawingPermitted
)
