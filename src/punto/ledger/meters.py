"""Meters: what went through a table and each of its terminals, added up from events and not from the ledger.

That the two agree to the cent is one of the things an audit checks.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from punto.errors import Corrupt
from punto.rules import Result
from punto.table import events as on


@dataclass(slots=True)
class Meter:
    """Totals in cents.

    *wagered* is all that was staked, *returned* all of it that went back (with or without a win), *won* what patrons
    won on top. *corrected* is what was put right in their favour. The *rounds* of a table are those that were opened,
    those of a terminal the ones in which a wager of its own was settled or went back after the close.
    """

    in_cents: int = 0
    out_cents: int = 0
    wagered_cents: int = 0
    won_cents: int = 0
    returned_cents: int = 0
    escrow_cents: int = 0
    corrected_cents: int = 0
    rounds: int = 0
    voids: int = 0

    @property
    def drop_cents(self) -> int:
        """Cash that came in."""
        return self.in_cents

    @property
    def hold_cents(self) -> int:
        """What the house has won."""
        return self.wagered_cents - self.returned_cents - self.won_cents - self.escrow_cents

    def add(self, other: "Meter", sign: int = 1) -> None:
        """Another meter's totals on top."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + sign * getattr(other, each.name))

    def subtract(self, other: "Meter") -> None:
        """Less another meter's totals."""
        self.add(other, -1)

    def copy(self) -> "Meter":
        """The meter as it stands."""
        return replace(self)


@dataclass(slots=True)
class TableMeters:
    """The meters of a table and, by position, of its terminals."""

    total: Meter = field(default_factory=Meter)
    positions: dict[int, Meter] = field(default_factory=dict)
    # Where each wager of the round was placed.
    where: dict[int, int] = field(default_factory=dict)
    # The positions that had part in the round.
    played: set[int] = field(default_factory=set)

    def copy(self) -> "TableMeters":
        """The meters as they stand."""
        positions = {position: meter.copy() for position, meter in self.positions.items()}
        return TableMeters(self.total.copy(), positions, dict(self.where), set(self.played))

    def add(self, event: on.AnyEvent) -> None:
        """Count one event; most of them count nothing."""
        count = _COUNTS.get(type(event))
        if count:
            count(self, event)

    def stake(self, number: int, cents: int) -> None:
        """More on the table; less is a return."""
        for meter in self.at(self.position_of(number)):
            meter.escrow_cents += cents
            if cents > 0:
                meter.wagered_cents += cents
            else:
                meter.returned_cents -= cents

    def settle(self, payment: on.Payment, sign: int) -> None:
        """A wager settled, or with the sign turned, settled no longer."""
        lost = payment.counted_cents if payment.result is Result.LOSE else 0
        for meter in self.at(self.position_of(payment.number)):
            meter.escrow_cents -= sign * payment.stake_cents
            meter.returned_cents += sign * (payment.stake_cents - lost)
            meter.won_cents += sign * payment.won_cents

    def play(self, number: int) -> None:
        """A wager was settled or went back: its position had part in the round, and that counts once."""
        position = self.position_of(number)
        if position not in self.played:
            self.played.add(position)
            self.at(position)[1].rounds += 1

    def position_of(self, number: int) -> int:
        """Where a wager of the round was placed."""
        position = self.where.get(number)
        if position is None:
            raise Corrupt(f"wager {number} was never placed in this round")
        return position

    def at(self, position: int) -> tuple[Meter, Meter]:
        """The meters that count what happens at a position."""
        return self.total, self.positions.setdefault(position, Meter())


def _opened(meters: TableMeters, _: on.BetsOpened) -> None:
    meters.where = {}
    meters.played = set()
    meters.total.rounds += 1


def _placed(meters: TableMeters, event: on.WagerPlaced) -> None:
    meters.where[event.number] = event.position
    meters.stake(event.number, event.stake_cents)


def _changed(meters: TableMeters, event: on.WagerChanged | on.WagerRemoved | on.StakeFound) -> None:
    meters.stake(event.number, event.to_cents - event.from_cents)


def _taken_back(meters: TableMeters, event: on.WagerTakenBack) -> None:
    meters.stake(event.number, -event.cents)


def _withdrawn(meters: TableMeters, event: on.WagerWithdrawn) -> None:
    meters.stake(event.number, -event.cents)
    meters.play(event.number)


def _settled(meters: TableMeters, event: on.RoundSettled) -> None:
    for payment in event.payments:
        meters.settle(payment, 1)
        meters.play(payment.number)


def _reversed(meters: TableMeters, event: on.SettlementReversed) -> None:
    for payment in event.payments:
        meters.settle(payment, -1)


def _voided(meters: TableMeters, event: on.RoundVoided) -> None:
    _returned(meters, event)
    meters.total.voids += 1
    for position in {meters.position_of(each.number) for each in event.returns}:
        meters.at(position)[1].voids += 1


def _returned(meters: TableMeters, event: on.RoundVoided | on.Ruled) -> None:
    for each in event.returns:
        meters.stake(each.number, -each.cents)
        meters.play(each.number)


def _bought(meters: TableMeters, event: on.CreditsBought) -> None:
    for meter in meters.at(event.position):
        meter.in_cents += event.cents


def _cashed_out(meters: TableMeters, event: on.CreditsCashedOut) -> None:
    for meter in meters.at(event.position):
        meter.out_cents += event.cents


def _corrected(meters: TableMeters, event: on.CreditsCorrected) -> None:
    meters.total.corrected_cents += event.cents


_COUNTS: Final[dict[type, Callable[[TableMeters, Any], None]]] = {
    on.BetsOpened: _opened,
    on.WagerPlaced: _placed,
    on.WagerChanged: _changed,
    on.WagerRemoved: _changed,
    on.StakeFound: _changed,
    on.WagerTakenBack: _taken_back,
    on.WagerWithdrawn: _withdrawn,
    on.RoundSettled: _settled,
    on.SettlementReversed: _reversed,
    on.RoundVoided: _voided,
    on.Ruled: _returned,
    on.CreditsBought: _bought,
    on.CreditsCashedOut: _cashed_out,
    on.CreditsCorrected: _corrected,
}
