"""Meters of a table and of each of its positions, counted from the events alone."""

from msgspec import Struct


class Meter(Struct):
    """What went through one terminal or position."""

    in_cents: int = 0
    out_cents: int = 0
    wagered_cents: int = 0
    returned_cents: int = 0
    lost_cents: int = 0
    won_cents: int = 0

    @property
    def drop_cents(self) -> int:
        """What came in as cash."""
        return self.in_cents

    @property
    def hold_cents(self) -> int:
        """What the house kept."""
        return self.lost_cents - self.won_cents

    @property
    def escrow_cents(self) -> int:
        """What lies on the table."""
        return self.wagered_cents - self.returned_cents - self.lost_cents

    def add(self, other: "Meter") -> None:
        """Count what another meter counted."""
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


class Meters(Struct):
    """The meters of one table."""

    positions: dict[int, Meter] = {}
    corrected_cents: int = 0

    def at(self, position: int) -> Meter:
        """The meter of a position."""
        meter = self.positions.get(position)
        if meter is None:
            meter = self.positions[position] = Meter()
        return meter

    def staked(self, position: int, cents: int) -> None:
        """A stake went on the table, or when negative, part of it came off."""
        meter = self.at(position)
        if cents > 0:
            meter.wagered_cents += cents
        else:
            meter.returned_cents -= cents

    def paid(self, position: int, stake_cents: int, won_cents: int, paid_cents: int, *, undone: bool = False) -> None:
        """A wager was settled, or its settlement undone."""
        meter = self.at(position)
        sign = -1 if undone else 1
        back = paid_cents - won_cents
        meter.won_cents += sign * won_cents
        meter.returned_cents += sign * back
        meter.lost_cents += sign * (stake_cents - back)

    @property
    def total(self) -> Meter:
        """The whole table."""
        total = Meter()
        for meter in self.positions.values():
            total.add(meter)
        return total
