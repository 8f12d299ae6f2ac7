"""Meters: what went through a table and each of its terminals, added up from events and not from the ledger.

That the two agree to the cent is one of the things an audit checks.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from punto.rules import Result
from punto.table import events as on


@dataclass(slots=True)
class Meter:
    """Totals in cents.

    *wagered* is all that was staked, *returned* all of it that went back (with or without a win), *won* what patrons
    won on top. *corrected* is what was put right in their favour.
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

    def add(self, other: "Meter") -> None:
        """Another meter's totals on top."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))


@dataclass(slots=True)
class TableMeters:
    """The meters of a table and, by position, of its terminals."""

    total: Meter = field(default_factory=Meter)
    positions: dict[int, Meter] = field(default_factory=dict)
    # Where each wager of the round was placed.
    _where: dict[int, int] = field(default_factory=dict)

    def add(self, event: on.AnyEvent) -> None:
        """Count one event."""
        match event:
            case on.BetsOpened():
                self._where = {}
                self.total.rounds += 1
            case on.WagerPlaced():
                self._where[event.number] = event.position
                self._stake(event.number, event.stake_cents)
            case on.WagerChanged() | on.WagerRemoved() | on.StakeFound():
                self._stake(event.number, event.to_cents - event.from_cents)
            case on.WagerTakenBack() | on.WagerWithdrawn():
                self._stake(event.number, -event.cents)
            case on.RoundSettled():
                for payment in event.payments:
                    self._settle(payment, 1)
            case on.SettlementReversed():
                for payment in event.payments:
                    self._settle(payment, -1)
            case on.RoundVoided() | on.Ruled():
                for each in event.returns:
                    self._stake(each.number, -each.cents)
                self.total.voids += isinstance(event, on.RoundVoided)
            case on.CreditsBought():
                for meter in self._at(event.position):
                    meter.in_cents += event.cents
            case on.CreditsCashedOut():
                for meter in self._at(event.position):
                    meter.out_cents += event.cents
            case on.CreditsCorrected():
                self.total.corrected_cents += event.cents
            case _:
                pass

    def _stake(self, number: int, cents: int) -> None:
        """More on the table; less is a return."""
        for meter in self._at(self._where[number]):
            meter.escrow_cents += cents
            if cents > 0:
                meter.wagered_cents += cents
            else:
                meter.returned_cents -= cents

    def _settle(self, payment: on.Payment, sign: int) -> None:
        lost = payment.counted_cents if payment.result is Result.LOSE else 0
        for meter in self._at(self._where[payment.number]):
            meter.escrow_cents -= sign * payment.stake_cents
            meter.returned_cents += sign * (payment.stake_cents - lost)
            meter.won_cents += sign * payment.won_cents

    def _at(self, position: int) -> tuple[Meter, Meter]:
        return self.total, self.positions.setdefault(position, Meter())


def trial_balance(balances: Mapping[str, int]) -> int:
    """The sum over all accounts: nothing, if every cent that left one went to another."""
    return sum(balances.values())
