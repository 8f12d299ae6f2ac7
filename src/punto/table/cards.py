"""The cards of a table: those laid for the round, those out of the device, those seen in it, and the shoe itself."""

from typing import Final

from msgspec import Struct

from punto.rules import Side
from punto.table.contributions import PROTOCOL, Beacon, Contribution

# How a card that nobody has read is written among others.
UNREAD: Final = "?"


class Laid(Struct, frozen=True, array_like=True):
    """A card of this round; its name is empty while nobody has read it.

    A card counts as *seen* once anybody at the table may have seen its value (interpretation 48): it lies
    open, has been *in_hands* of a patron, or was seen before it came. It is *seen_by* the patrons who had it in hands;
    where none is named, anybody may have seen it.
    """

    card: str
    side: Side
    up: bool
    in_hands: bool = False
    seen_by: tuple[str, ...] = ()

    @property
    def seen(self) -> bool:
        """Whether it lies open, or has been in a patron's hands."""
        return self.up or self.in_hands

    def is_known_to(self, patron: str) -> bool:
        """Whether a patron may have seen it."""
        return self.up or (self.in_hands and (not self.seen_by or patron in self.seen_by))


class Spare(Struct, frozen=True, array_like=True):
    """A card that is out of the device and comes next; its name is empty while nobody has read it.

    It came out in this *round*, and no earlier one uses it. One that was *seen* decides wagers that are placed later
    only in the round for which a decision has *allowed* it. It is before the Gaming Shift Manager as this *matter*.
    """

    card: str
    seen: bool
    round: int
    allowed: int = 0
    matter: int = 0

    @property
    def told(self) -> str:
        """Its name, as far as anybody may hear it."""
        return self.card if self.seen and self.card else UNREAD


class Glimpse(Struct, frozen=True, array_like=True):
    """A card that is still in the device, and that somebody has seen; its name is empty where nobody has told it."""

    card: str
    allowed: int = 0
    matter: int = 0
    seen: bool = True

    @property
    def told(self) -> str:
        """Its name, if it was told."""
        return self.card or UNREAD


class Shoe(Struct, frozen=True):
    """The shoe: how many cards are out, and how often each has been seen."""

    number: int
    commitment: str = ""
    sealed: str = ""
    protocol: int = 1
    # How many shoes were abandoned just before this one: its commitment covers that.
    abandoned: int = 0
    # What permutes the order of a virtual shoe; until when contributions are taken at least, and until when secrets may
    # be revealed, 0 while contributions are taken.
    contributions: tuple[Contribution, ...] = ()
    commit_until_ms: int = 0
    reveal_until_ms: int = 0
    beacon: Beacon | None = None
    beacon_round: int = 0
    beacon_value: str = ""
    cut: int = 0
    drawn: int = 0
    seen: dict[str, int] = {}
    # Cards that a referred report calls missing: they are out of the count, and in no pile.
    missing: tuple[str, ...] = ()
    # Cards that everybody knows to be out, and that no finished round used: they cannot come any more.
    gone: tuple[str, ...] = ()
    cutting_card: bool = False
    # The cards must be replaced before the next round, and whether a decision can change that.
    spent: bool = False
    shall_be_replaced: bool = False
    # Replacing the cards is proposed (B8, TNC5 5.13), and what the shoe holds is in doubt.
    proposed: bool = False
    in_doubt: bool = False
    # By decision another round follows the one in which the cutting card came (interpretation 21), or none does.
    goes_on: bool = False
    ends: bool = False
    # It has been taken out.
    out: bool = False

    @property
    def unrevealed(self) -> tuple[str, ...]:
        """The patrons whose secrets are still to be revealed."""
        return tuple(each.patron for each in self.contributions if not each.secret)

    @property
    def awaits_beacon(self) -> bool:
        """Whether the value of a beacon is still to come."""
        return self.beacon is not None and self.beacon.reached and not self.beacon_value

    @property
    def is_complete(self) -> bool:
        """Whether all that permutes its order is known."""
        return not self.unrevealed and not self.awaits_beacon

    @property
    def takes_contributions(self) -> bool:
        """Whether it is one to which patrons contribute, and may still."""
        return self.protocol == PROTOCOL and bool(self.commitment) and not self.reveal_until_ms

    @property
    def can_be_drawn_from(self) -> bool:
        """Whether cards still come from it: a round is completed after its cutting card, but not from a spent shoe."""
        to_be_replaced = self.ends or self.shall_be_replaced
        return not self.spent or (self.cutting_card and not to_be_replaced)

    @property
    def is_last_round(self) -> bool:
        """Whether no other round follows: the cutting card came, or a decision says so."""
        return self.ends or (self.cutting_card and not self.goes_on)
