"""Patrons who are here: their pages, their credits, and what came in and went out since the visit began."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from punto.ledger import Holding
from punto.rules.money import Cents
from punto.server.connection import Connection
from punto.server.faces.state import ENCODER
from punto.server.wire.tells import Purse, ToldPurse
from punto.table import AnyEvent
from punto.table import events as on

NOTHING: Final = Holding(0)
# Of more visitors than this, those who have left are forgotten.
_MOST: Final = 5_000
# Who comes back after so long begins another visit.
_BREAK_S: Final = 15 * 60


class BesideCredits(NamedTuple):
    """What a patron has beside the credits: at stake at each table, what of it waits at stopped tables, and aside."""

    staked: Mapping[str, int]
    waiting: Mapping[str, int | None]
    withheld: int
    # Whether the record of the credits is stopped, and whether the house lets the patron play no more.
    stopped: bool
    closed: bool


@dataclass(slots=True)
class Visitor:
    """One patron."""

    name: str
    pages: set[Connection] = field(default_factory=set)
    # None as long as it could not be read.
    holding: Holding | None = NOTHING
    bought_cents: int = 0
    cashed_cents: int = 0
    won_cents: int = 0
    # Tables where the patron has sat or has stakes; when play began, and when the last page was closed.
    at: set[str] = field(default_factory=set)
    began: float | None = None
    left: float = 0.0
    # Whether the patron was told last that the terminal is closed to play.
    closed: bool = False

    def sat(self, key: str) -> None:
        """The patron has taken a seat: time runs from the first."""
        self.at.add(key)
        if self.began is None:
            self.began = asyncio.get_running_loop().time()

    def tell_purse(self, beside: BesideCredits) -> None:
        """Tell the patron, on every page, what there is, and what there is beside."""
        holding = self.holding or NOTHING
        self.closed = beside.closed
        purse = Purse(
            credits_cents=Cents(holding.balance_cents),
            owed_cents=Cents(holding.owed_cents),
            bought_cents=Cents(self.bought_cents),
            cashed_cents=Cents(self.cashed_cents),
            staked_cents=Cents(sum(beside.staked.values())),
            won_cents=Cents(self.won_cents),
            played_ms=0 if self.began is None else round(1000 * (asyncio.get_running_loop().time() - self.began)),
            tables=tuple(beside.staked),
            waiting={key: None if cents is None else Cents(cents) for key, cents in beside.waiting.items()},
            stopped=beside.stopped,
            withheld_cents=Cents(beside.withheld),
            closed=beside.closed,
        )
        message = ENCODER.encode(ToldPurse(purse))
        for page in self.pages:
            page.tell(message)


class Visitors:
    """All of them, by name."""

    def __init__(self) -> None:
        self._all: dict[str, Visitor] = {}

    def find(self, patron: str) -> Visitor | None:
        """The visitor of that name."""
        return self._all.get(patron)

    def here(self) -> list[str]:
        """The patrons who have a page open."""
        return [name for name, visitor in self._all.items() if visitor.pages]

    def pages(self, patron: str) -> Iterable[Connection]:
        """The pages that a patron has open."""
        visitor = self._all.get(patron)
        return visitor.pages if visitor else ()

    def enter(self, patron: str, page: Connection, holding: Holding | None, beside: BesideCredits) -> Visitor:
        """A patron has opened a page; what the wallet holds may be told later, when it could not be read."""
        visitor = self._all.get(patron)
        if visitor is None or (not visitor.pages and asyncio.get_running_loop().time() - visitor.left > _BREAK_S):
            if len(self._all) >= _MOST:
                self._all = {name: known for name, known in self._all.items() if known.pages}
            # What somebody brings along counts as bought, so that the net result is that of the visit.
            brought = (holding or NOTHING).balance_cents + sum(beside.staked.values()) + beside.withheld
            visitor = self._all[patron] = Visitor(patron, holding=holding, bought_cents=brought, at=set(beside.staked))
        visitor.pages.add(page)
        return visitor

    def leave(self, patron: str, page: Connection) -> None:
        """A patron has closed a page."""
        visitor = self._all.get(patron)
        if visitor is not None:
            visitor.pages.discard(page)
            visitor.left = asyncio.get_running_loop().time()

    def count(self, events: Iterable[AnyEvent]) -> None:
        """Note what the patrons bought, cashed and won."""
        for event in events:
            match event:
                case on.CreditsBought(patron=patron, cents=cents) if patron in self._all:
                    self._all[patron].bought_cents += cents
                case on.CreditsCashedOut(patron=patron, cents=cents) if patron in self._all:
                    self._all[patron].cashed_cents += cents
                case on.RoundSettled(payments=payments):
                    won: defaultdict[str, int] = defaultdict(int)
                    for payment in payments:
                        won[payment.patron] += payment.won_cents
                    for winner, total in won.items():
                        if winner in self._all:
                            self._all[winner].won_cents = total

    def hold(self, holdings: dict[str, Holding]) -> None:
        """Note what their wallets hold now."""
        for patron, holding in holdings.items():
            visitor = self._all.get(patron)
            if visitor is None:
                continue
            if visitor.holding is None:  # what was brought along is known only now
                visitor.bought_cents += holding.balance_cents
            visitor.holding = holding
