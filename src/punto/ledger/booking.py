"""Booking: the transfers of a command as entries of wallets and books, if the wallets cover them."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from punto.errors import Unaffordable
from punto.ledger.transfers import WALLET, Transfer, owed, transfers
from punto.rules.money import Cents, money
from punto.table import events as on


class Posting(NamedTuple):
    """A transfer, the stream that it is booked in, and the wallet's balance after it."""

    stream: str
    giver: str
    taker: str
    cents: Cents
    balance_cents: Cents


def book(table: str, events: Sequence[on.AnyEvent], balance: Callable[[str], int]) -> list[Posting]:
    """Every transfer of the events, or `Unaffordable`: all of them or none."""
    moving = [(event, moves) for event in events if (moves := transfers(table, event))]
    if not moving:
        return []
    booking = _Booking(table, balance)
    for event, moves in moving:
        undone = isinstance(event, on.SettlementReversed)
        for move in _merged(moves):
            booking.post(move, on_credit=undone)
    booking.square()
    return booking.postings


class _Booking:
    """Postings in the making, with the balances that they leave."""

    __slots__ = ("balance", "balances", "book", "debts", "postings")

    def __init__(self, table: str, balance: Callable[[str], int]) -> None:
        self.book = book_of(table)
        self.balance = balance
        self.balances: dict[str, int] = {}
        self.debts: dict[str, int] = {}
        self.postings: list[Posting] = []

    def post(self, move: Transfer, *, on_credit: bool) -> None:
        """Book one transfer; *on_credit* lets a wallet give more than it has, as a debt."""
        giver, taker, cents = move
        if giver.startswith(WALLET):
            has = self._has(giver)
            if has < cents:
                if not on_credit:
                    raise Unaffordable(f"{money(cents)} is more than the credits of {money(has)}")
                self._lend(giver, taker, cents - has)
                cents = Cents(has)
            self._enter(giver, Transfer(giver, taker, cents), has - cents)
        elif taker.startswith(WALLET):
            self._enter(taker, move, self._has(taker) + cents)
        else:
            self.postings.append(Posting(self.book, giver, taker, cents, Cents(0)))

    def square(self) -> None:
        """What the same command pays goes against a debt that it made."""
        for wallet, debt in self.debts.items():
            has = self._has(wallet)
            cents = Cents(min(debt, has))
            self._enter(wallet, Transfer(wallet, owed(wallet.removeprefix(WALLET)), cents), has - cents)

    def _has(self, wallet: str) -> int:
        has = self.balances.get(wallet)
        return self.balance(wallet) if has is None else has

    def _enter(self, wallet: str, move: Transfer, balance: int) -> None:
        if move.cents:
            self.balances[wallet] = balance
            self.postings.append(Posting(wallet, *move, Cents(balance)))

    def _lend(self, wallet: str, taker: str, cents: int) -> None:
        self.debts[wallet] = self.debts.get(wallet, 0) + cents
        account = owed(wallet.removeprefix(WALLET))
        self.postings.append(Posting(self.book, account, taker, Cents(cents), Cents(0)))


def book_of(table: str) -> str:
    """The stream of a table's transfers that touch no wallet."""
    return f"book/{table}"


def _merged(moves: tuple[Transfer, ...]) -> Iterator[Transfer]:
    """The transfers, those between the same two accounts added up."""
    if len(moves) == 1:
        yield moves[0]
        return
    sums: dict[tuple[str, str], int] = {}
    for giver, taker, cents in moves:
        sums[giver, taker] = sums.get((giver, taker), 0) + cents
    for (giver, taker), total in sums.items():
        yield Transfer(giver, taker, Cents(total))
