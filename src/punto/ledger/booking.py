"""Booking: the transfers of a command as entries of wallets and books, if the wallets cover them."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from punto.errors import BadStake, Unaffordable
from punto.ledger.transfers import ESCROW, HOUSE, WALLET, WITHHELD, Transfer, escrow, owed, transfers, wallet, withheld
from punto.rules.money import MOST_CENTS, Cents, money
from punto.table import events as on


class Posting(Struct, frozen=True, gc=False):
    """A transfer, the stream that it is booked in, and the wallet's balance and debt after it."""

    stream: str
    giver: str
    taker: str
    cents: Cents
    balance_cents: Cents
    owed_cents: Cents = Cents(0)


class Holding(Struct, frozen=True, gc=False):
    """What a wallet holds, and what its patron owes."""

    balance_cents: int
    owed_cents: int = 0


def postings(table: str, events: Sequence[on.AnyEvent], holding: Callable[[str], Holding]) -> list[Posting]:
    """Every transfer of the events, or `Unaffordable`: all of them or none."""
    placed = events[0] if len(events) == 1 else None
    if type(placed) is on.WagerPlaced:  # by far the most frequent
        giver, cents = wallet(placed.patron), placed.stake_cents
        held = holding(giver)
        if held.balance_cents < cents:
            raise _short(cents, held.balance_cents)
        left = Cents(held.balance_cents - cents)
        return [Posting(giver, giver, escrow(table), cents, left, Cents(held.owed_cents))]
    aside = {wallet(event.patron): withheld(event.patron) for event in events if type(event) is on.CreditsWithheld}
    booking = _Booking(table, holding, aside)
    for event in events:
        moves = transfers(table, event)
        if moves:
            on_credit = type(event) is on.SettlementReversed
            for move in moves if len(moves) == 1 else _merged(moves):
                booking.post(move, on_credit=on_credit)
    booking.square()
    return booking.postings


class _Booking:
    """Postings in the making, with the balances and debts that they leave."""

    __slots__ = ("aside", "book", "holding", "holdings", "paid", "postings")

    def __init__(self, table: str, holding: Callable[[str], Holding], aside: Mapping[str, str]) -> None:
        # Where it lies aside what the table gives to wallets that can take nothing.
        self.aside = aside
        self.book = book_of(table)
        self.holding = holding
        self.holdings: dict[str, Holding] = {}
        # What the table has paid to each wallet.
        self.paid: dict[str, int] = {}
        self.postings: list[Posting] = []

    def post(self, move: Transfer, *, on_credit: bool) -> None:
        """Book one transfer; *on_credit* lets a wallet give more than it has, as a debt."""
        giver, taker, cents = move.giver, move.taker, move.cents
        if giver.startswith(WALLET):
            has, owes = self._has(giver)
            if has < cents and not on_credit:
                raise _short(cents, has)
            own = Cents(min(has, cents))
            self._enter(giver, Transfer(giver, taker, own), Holding(has - own, owes))
            lent = Cents(cents - own)
            self._enter(giver, Transfer(_debt(giver), taker, lent), Holding(has - own, owes + lent))
        elif taker in self.aside and giver.startswith((ESCROW, HOUSE)):
            self.postings.append(Posting(self.book, giver, self.aside[taker], cents, Cents(0)))
        elif taker.startswith(WALLET):
            has, owes = self._has(taker)
            if giver.startswith((ESCROW, HOUSE, WITHHELD)):  # what a table pays or gives back is never refused
                self.paid[taker] = self.paid.get(taker, 0) + cents
            elif has + cents > MOST_CENTS:
                raise BadStake(f"{money(has + cents)} is more than a wallet can hold")
            self._enter(taker, move, Holding(has + cents, owes))
        else:
            self.postings.append(Posting(self.book, giver, taker, cents, Cents(0)))

    def square(self) -> None:
        """What the table pays goes against a debt first (interpretation 36)."""
        for account, paid in self.paid.items():
            has, owes = self._has(account)
            cents = Cents(min(owes, paid, has))
            self._enter(account, Transfer(account, _debt(account), cents), Holding(has - cents, owes - cents))

    def _has(self, account: str) -> tuple[int, int]:
        held = self.holdings.get(account) or self.holding(account)
        return held.balance_cents, held.owed_cents

    def _enter(self, account: str, move: Transfer, holding: Holding) -> None:
        if move.cents:
            self.holdings[account] = holding
            has, owes = Cents(holding.balance_cents), Cents(holding.owed_cents)
            self.postings.append(Posting(account, move.giver, move.taker, move.cents, has, owes))


def _debt(account: str) -> str:
    return owed(account.removeprefix(WALLET))


def _short(cents: int, has: int) -> Unaffordable:
    return Unaffordable(f"{money(cents)} is more than the credits of {money(has)}")


def book_of(table: str) -> str:
    """The stream of a table's transfers that touch no wallet."""
    return f"book/{table}"


def _merged(moves: tuple[Transfer, ...]) -> Iterator[Transfer]:
    """The transfers, those between the same two accounts added up."""
    sums: dict[tuple[str, str], int] = {}
    for move in moves:
        pair = move.giver, move.taker
        sums[pair] = sums.get(pair, 0) + move.cents
    for (giver, taker), total in sums.items():
        yield Transfer(giver, taker, Cents(total))
