"""A floor with a virtual table, and patrons who contribute to the order of its shoes."""

from hashlib import sha256
from itertools import count
from typing import Any

from tests.floor.floors import SHIFT
from tests.proof.beacon import TestBeacon

from punto.floor import Floor, Keys
from punto.rules import Position
from punto.store import MemoryStore, Store
from punto.table import Actor, Setup, Source, Table
from punto.table import commands as do
from punto.table.contributions import COMMIT_MS, REVEAL_MS, Beacon, contribution_digest
from punto.table.events import Ruling

KEYS = Keys.from_secret(b"old logs")
CLOCK = Actor("clock", Position.SYSTEM)
FLOOR = Actor("floor", Position.SYSTEM)
PIT = Actor("pam", Position.PIT_MANAGER)
START_MS = 1_798_000_000_000
SIGNING = TestBeacon()
BEACON = Beacon("our-own", SIGNING.key, 1_692_803_367, 3)


def secret_of(patron: str) -> str:
    return sha256(patron.encode()).hexdigest()


class Contributors:
    """Gives commands at one virtual table, T1."""

    def __init__(
        self,
        store: Store | None = None,
        beacon: Beacon | None = None,
        keys: Keys = KEYS,
        **floor: Any,  # noqa: ANN401
    ) -> None:
        self.store = store or MemoryStore()
        self.floor = Floor(self.store, keys, **floor)
        self.floor.use_beacon(lambda: beacon)
        self.now_ms = START_MS
        self._ids = count(1)
        self.give(do.OpenTable, SHIFT, setup=Setup(game="tiger", source=Source.VIRTUAL, decks=4))

    @property
    def table(self) -> Table:
        return self.floor.table("T1")

    def give(self, kind: type[Any], by: Actor = CLOCK, **fields: Any) -> None:  # noqa: ANN401
        self.now_ms += 100
        if by.position is Position.PATRON:
            fields = {"patron": by.name} | fields
        self.floor.handle(kind(id=f"c{next(self._ids)}", table="T1", by=by, at_ms=self.now_ms, **fields))

    def contribute(self, *patrons: str) -> None:
        for name in patrons:
            digest = contribution_digest(self.table.shoe.commitment, name, secret_of(name))
            self.give(do.Contribute, Actor(name, Position.PATRON), shoe=self.table.shoe.number, commitment=digest)

    def reveal(self, *patrons: str) -> None:
        for name in patrons:
            number = self.table.shoe.number
            self.give(do.RevealContribution, Actor(name, Position.PATRON), shoe=number, secret=secret_of(name))

    def load(self, *patrons: str) -> None:
        """A shoe to which these contribute."""
        self.give(do.LoadShoe)
        self.contribute(*patrons)

    def close(self) -> None:
        """Time to contribute is up."""
        self.now_ms += COMMIT_MS
        self.give(do.CloseContributions)

    def draw_beacon(self) -> None:
        self.give(do.DrawBeacon, FLOOR, signature=SIGNING.sign(self.table.shoe.beacon_round))

    def abandon(self) -> None:
        """Time is up for whoever has not revealed."""
        self.now_ms += REVEAL_MS
        self.give(do.EndShoe)

    def round(self) -> list[str]:
        """A round without a wager, which is decided to be void after four cards; the cards as they came."""
        self.give(do.OpenBets)
        self.give(do.CloseBets)
        for _ in range(4):
            self.give(do.DrawCard)
        cards = [each.card for each in self.table.cards]
        self.give(do.Refer, PIT, matter="enough of it")
        self.give(do.Rule, SHIFT, ruling=Ruling.VOID, reason="the cards are wanted elsewhere")
        return cards

    def end(self) -> None:
        self.give(do.EndShoe, PIT, reason="a patron asked for new cards")


def played(store: Store | None = None, **floor: Any) -> Contributors:  # noqa: ANN401
    """Shoe 1 is abandoned, for eve withholds; shoe 2 is dealt, by two patrons, a cut and a beacon; both lie open."""
    house = Contributors(store, BEACON, **floor)
    house.load("ann", "eve", "bob")
    house.close()
    house.reveal("ann", "bob")
    house.draw_beacon()
    house.abandon()
    house.load("bob", "ann")
    house.give(do.CutShoe, Actor("bob", Position.PATRON), cards=60)
    house.close()
    house.draw_beacon()
    house.reveal("ann", "bob")
    house.round()
    house.end()
    return house
