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


def postings(table: str, events: Sequence[on.AnyEvent], balance: Callable[[str], int]) -> list[Posting]:
    """Every transfer of the events, or `Unaffordable`: all of them or none."""
    if len(events) == 1:
        moves = transfers(table, events[0])
        if not moves:
            return []
        giver, taker, cents = moves[0]
        if len(moves) == 1 and giver.startswith(WALLET):  # a wager, by far the most frequent
            has = balance(giver)
            if has < cents:
                raise _short(cents, has)
            return [Posting(giver, giver, taker, cents, Cents(has - cents))]
    booking = _Booking(table, balance)
    for event in events:
        moves = transfers(table, event)
        if moves:
            on_credit = type(event) is on.SettlementReversed
            for move in moves if len(moves) == 1 else _merged(moves):
                booking.post(move, on_credit=on_credit)
    if booking.debts:
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
            has = self.balances.get(giver)
            if has is None:
                has = self.balance(giver)
            if has < cents:
                if not on_credit:
                    raise _short(cents, has)
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


def _short(cents: int, has: int) -> Unaffordable:
    return Unaffordable(f"{money(cents)} is more than the credits of {money(has)}")


def book_of(table: str) -> str:
    """The stream of a table's transfers that touch no wallet."""
    return f"book/{table}"


def _merged(moves: tuple[Transfer, ...]) -> Iterator[Transfer]:
    """The transfers, those between the same two accounts added up."""
    sums: dict[tuple[str, str], int] = {}
    for giver, taker, cents in moves:
        sums[giver, taker] = sums.get((giver, taker), 0) + cents
    for (giver, taker), total in sums.items():
        yield Transfer(giver, taker, Cents(total))
