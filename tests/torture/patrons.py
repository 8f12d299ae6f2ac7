"""What patrons ask: credits, wagers, changes, cash; now and then something that must be refused."""

from collections.abc import Callable, Iterator

from punto.ledger import wallet
from punto.table import AnyCommand, Phase, Placed, Table
from punto.table import commands as do
from tests.torture.house import SEATS, by
from tests.torture.pen import Pen

_CREDITS = (5_000, 10_000, 30_000)
_STAKES = (1, 1, 2, 5, 10, 20)

Balance = Callable[[str], int]


def patrons_ask(pen: Pen, key: str, table: Table, most: int, balance: Balance) -> Iterator[AnyCommand]:
    """What some patrons at a table ask next."""
    for _ in range(pen.chance.randint(0, most)):
        name, position = pen.chance.choice(SEATS[key])
        credit = balance(wallet(name))
        if credit < 2_000 or pen.now_and_then(0.02):
            cents = pen.chance.choice(_CREDITS)
            yield pen.ask(do.BuyIn, key, by(name), patron=name, cents=cents, position=position)
        elif pen.now_and_then(0.03):
            # More than there is, now and then: that is refused.
            cents = pen.chance.randint(1, credit + 1_000)
            yield pen.ask(do.CashOut, key, by(name), patron=name, cents=cents, position=position)
        elif table.phase is Phase.BETS_OPEN or pen.now_and_then(0.05):
            yield _wager(pen, key, table, name, position)


def _wager(pen: Pen, key: str, table: Table, name: str, position: int) -> AnyCommand:
    placed = [each for each in table.wagers.values() if each.patron == name]
    if placed and pen.now_and_then(0.15):
        return _change(pen, key, table, pen.chance.choice(placed))
    kinds = table.open.wagers
    kind = pen.chance.choice(kinds[:2] if pen.now_and_then(0.5) else kinds)
    cents = table.open.unit_cents * pen.chance.choice(_STAKES)
    return pen.ask(do.PlaceWager, key, by(name), patron=name, wager=kind, stake_cents=cents, position=position)


def _change(pen: Pen, key: str, table: Table, placed: Placed) -> AnyCommand:
    name, number = placed.patron, placed.number
    if pen.now_and_then(0.3):
        return pen.ask(do.TakeBackWager, key, by(name), patron=name, number=number)
    cents = table.open.unit_cents * pen.chance.choice(_STAKES)
    return pen.ask(do.ChangeWager, key, by(name), patron=name, number=number, stake_cents=cents)


def intruder_asks(pen: Pen, key: str) -> AnyCommand:
    """A patron asks for what only staff may do; the refusal is written down in the security log."""
    name, _ = pen.chance.choice(SEATS[key])
    return pen.ask(do.Settle, key, by(name))
