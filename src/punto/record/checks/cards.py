"""The cards of a table as the audit sees them: those laid, those out of the device, those seen in it, and the shoe."""

from dataclasses import dataclass, field
from typing import Final

from punto.record.checks.written import Actor, Beacon
from punto.record.shoeorder import FIRST, Brought
from punto.rules import Position, Side

# How a card that nobody has read is written among others.
UNREAD: Final = "?"


@dataclass(slots=True)
class Laid:
    """A card of the round; without a name while nobody has read it."""

    card: str
    side: Side
    up: bool
    # A patron has had it in hands, and may have looked at it; which patrons, or none where it may have been anybody.
    in_hands: bool = False
    seen_by: frozenset[str] = frozenset()


@dataclass(slots=True)
class Spare:
    """A card that is out of the device and comes next, from this round on.

    One that was seen may decide wagers of the round for which a decision has allowed it. It is before the Gaming Shift
    Manager as this matter.
    """

    card: str
    seen: bool
    round: int
    allowed: int = 0
    matter: int = 0

    @property
    def told(self) -> str:
        """Its name, as far as anybody could hear it."""
        return self.card if self.seen and self.card else UNREAD


@dataclass(slots=True)
class Glimpse:
    """A card in the device that somebody has seen; without a name where nobody told it."""

    card: str
    allowed: int = 0
    matter: int = 0

    @property
    def told(self) -> str:
        """Its name, if it was told."""
        return self.card or UNREAD


@dataclass(slots=True)
class Shoe:
    """The shoe in place: what has come out of it, in order, and how often each card was seen."""

    number: int = 0
    commitment: str = ""
    protocol: int = FIRST
    beacon: Beacon | None = None
    beacon_round: int = 0
    beacon_value: str = ""
    # What patrons have brought, in the order in which they committed to it; until when they may reveal it.
    brought: list[Brought] = field(default_factory=list)
    reveal_until_ms: int = 0
    # When it was loaded, and how many shoes were abandoned just before it.
    loaded_ms: int = 0
    abandoned: int = 0
    cut: int = 0
    came: list[str] = field(default_factory=list)
    seen: dict[str, int] = field(default_factory=dict)
    # Cards that were drawn and count as not yet drawn: the next to come.
    surplus: list[Spare] = field(default_factory=list)
    # Cards in the device that somebody has seen.
    glimpsed: list[Glimpse] = field(default_factory=list)
    # Cards that a referred report calls missing: they are in no pile.
    missing: list[str] = field(default_factory=list)
    cutting_card: bool = False
    # The cards must be replaced before the next round, whoever decides what; or replacing them is proposed.
    spent: bool = False
    shall_be_replaced: bool = False
    proposed: bool = False
    in_doubt: bool = False
    # A decision has it replaced, after the round that is under way if it still completes that one.
    ends: bool = False
    completes_round: bool = False
    # Bets have opened on it.
    used: bool = False

    @property
    def unrevealed(self) -> tuple[str, ...]:
        """The patrons whose secrets were still to be revealed."""
        return tuple(each.patron for each in self.brought if not each.secret)

    @property
    def awaits_beacon(self) -> bool:
        """Whether the beacon's value was still to come."""
        return self.beacon is not None and self.beacon.reached and not self.beacon_value

    @property
    def is_complete(self) -> bool:
        """Whether all that permutes its order had come."""
        return not self.unrevealed and not self.awaits_beacon

    def is_withheld(self, by: Actor, at_ms: int) -> bool:
        """Whether something that its order needs had not come when its time was up, which the floor's clock may say."""
        waits = bool(self.reveal_until_ms) and not self.used and not self.is_complete
        return waits and (by.position is Position.SYSTEM or at_ms >= self.reveal_until_ms)

    def spare_in(self, round_: int) -> list[Spare]:
        """The cards out of the device that a round may use: none that came out for a later one."""
        return [spare for spare in self.surplus if spare.round <= round_]

    @property
    def drawn(self) -> int:
        """How many cards are out of it: those that came, and those that come next."""
        return len(self.came) + len(self.surplus)

    @property
    def can_be_drawn_from(self) -> bool:
        """Whether cards still come from it: a round is completed after its cutting card, but not from a spent shoe."""
        to_be_replaced = self.ends or self.shall_be_replaced
        return not self.spent or self.completes_round or (self.cutting_card and not to_be_replaced)

    def barred(self, round_: int) -> list[Spare | Glimpse]:
        """Cards that somebody has seen, and that no decision lets play in that round."""
        seen: list[Spare | Glimpse] = [spare for spare in self.surplus if spare.seen]
        return [each for each in (*seen, *self.glimpsed) if each.allowed != round_]

    @property
    def has_seen(self) -> bool:
        """Whether somebody has seen a card that is still to come."""
        return bool(self.glimpsed) or any(spare.seen for spare in self.surplus)

    def let_play(self, round_: int) -> None:
        """Let these cards play in a round, so that fault is found with them once."""
        for each in self.barred(round_):
            each.allowed = round_
