"""A small floor with everything that somebody could want to forge: two tables, wallets, tickets, accounts."""

from dataclasses import dataclass, field
from itertools import count
from typing import Any

from punto.errors import PuntoError
from punto.floor import Floor, Keys
from punto.floor.tickets import code_of, issue_id, redeem_id
from punto.rules import Position
from punto.store import Store
from punto.table import Actor, Setup, Source
from punto.table import commands as do

KEYS = Keys.from_secret(b"a floor to forge")
SHIFT = Actor("greta", Position.GAMING_SHIFT_MANAGER)
CLOCK = Actor("clock", Position.SYSTEM)
START_MS = 1_767_196_800_000
STAFF = "identity/staff"
_HOUSES = count()
SPENT, OPEN = (code_of(KEYS, "bob", "1"), code_of(KEYS, "bob", "2"))


@dataclass
class House:
    """A floor, and how its people act."""

    store: Store
    keys: Keys = KEYS
    floor: Floor = field(init=False)
    ids: int = 0

    def __post_init__(self) -> None:
        self.name = f"house {next(_HOUSES)}"
        self.floor = Floor(self.store, self.keys)
        self.staff = self.floor.history.end(STAFF).version

    def give(self, kind: type[Any], by: Actor = CLOCK, table: str = "T1", **fields: Any) -> None:  # noqa: ANN401
        """Give a command."""
        self.ids += 1
        id_ = fields.pop("id", f"{self.name}-{self.ids}")
        if by.position is Position.PATRON:
            fields = {"patron": by.name, "position": 1 if by.name == "ann" else 2} | fields
        self.floor.handle(kind(id=id_, table=table, by=by, at_ms=START_MS + self.ids, **fields))

    def open(self) -> "House":
        """Open both tables, play a round, make tickets, and leave bets open at the first table."""
        for table in ("T1", "T2"):
            self.give(do.OpenTable, SHIFT, table, setup=Setup(game="fortune-six", source=Source.VIRTUAL))
            self.give(do.LoadShoe, table=table)
        self.give(do.BuyIn, ANN, cents=100_000, id="buy-ann")
        self.give(do.BuyIn, BOB, cents=50_000)
        for code in (SPENT, OPEN):
            self.give(do.CashOut, BOB, cents=10_000, id=issue_id(code))
        self.give(do.BuyIn, BOB, cents=10_000, id=redeem_id(SPENT))
        self.note(b'{"account":"greta"}')
        self.round("T1")
        self.round("T2")
        self.give(do.OpenBets)
        self.give(do.PlaceWager, ANN, wager="Banker", stake_cents=5_000, id="wager-ann")
        return self

    def round_only(self) -> "House":
        """Open a table and play a round; nothing here is found by an audit."""
        self.give(do.OpenTable, SHIFT, "T2", setup=Setup(game="fortune-six", source=Source.VIRTUAL))
        self.give(do.LoadShoe, table="T2")
        self.give(do.BuyIn, BOB, table="T2", cents=50_000)
        self.round("T2")
        return self

    def round(self, table: str) -> None:
        """A round with one wager."""
        self.give(do.OpenBets, table=table)
        self.give(do.PlaceWager, BOB, table, wager="Tie", stake_cents=500)
        self.give(do.CloseBets, table=table)
        while self.floor.table(table).deal.next is not None:
            self.give(do.DrawCard, table=table)

    def note(self, body: bytes) -> None:
        """Note something of the staff."""
        self.floor.note([(STAFF, body)], {STAFF: self.staff}, START_MS)
        self.staff += 1

    def facts(self) -> dict[str, object]:
        """What the floor believes, each fact by itself: a value, or the code of the refusal to say it."""
        floor = self.floor
        asked = {
            "ann": lambda: floor.balance("wallet/ann"),
            "bob": lambda: floor.balance("wallet/bob"),
            "mallory": lambda: floor.balance("wallet/mallory"),
            "T1": lambda: _table(floor, "T1"),
            "T2": lambda: _table(floor, "T2"),
            "T9": lambda: _table(floor, "T9"),
            "hold": lambda: floor.meters("T1").total.hold_cents,
            "spent ticket": lambda: floor.ticket_worth(SPENT),
            "open ticket": lambda: floor.ticket_worth(OPEN),
            "forged ticket": lambda: floor.ticket_worth("AAAA-AAAA-AAAA-AAAA"),
            "staff": lambda: [entry.body for entry in floor.history.read(STAFF)],
            "log": lambda: [entry.body for entry in floor.history.read("table/T1")],
            "security": lambda: [entry.body for entry in floor.history.read("security")],
        }
        return {name: told(ask) for name, ask in asked.items()}


def told(ask: Any) -> object:  # noqa: ANN401
    """What is answered, or the code of the refusal."""
    try:
        return ask()
    except PuntoError as refusal:
        return f"refused: {refusal.code}"


def _table(floor: Floor, key: str) -> object:
    table = floor.table(key)
    wagers = sorted((each.patron, each.wager, each.cents) for each in table.wagers.values())
    return table.phase.value, table.round, wagers, [str(laid.card) for laid in table.cards]


ANN, BOB = Actor("ann", Position.PATRON), Actor("bob", Position.PATRON)
