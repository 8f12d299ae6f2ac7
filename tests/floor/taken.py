"""A floor with wagers, a ticket and a cash-out on record, and the receipts that its patrons take."""

from pathlib import Path
from typing import Final

from tests.floor.floors import ANN, BOB, KEYS, OPEN, START_MS, House

from punto.floor.keys import Keys
from punto.floor.receipting import Found, Receipts
from punto.floor.searching import search
from punto.floor.sequencer import Sequencer
from punto.floor.tickets import issue_id
from punto.proof.receipts import Receipt
from punto.store import MemoryStore, Store
from punto.table import commands as do

WAGER: Final = "wager-ann"
RAISED: Final = "raise-ann"
TICKET: Final = issue_id(OPEN)
CASH_OUT: Final = "desk-1"


class Taken:
    """The floor, and how receipts are taken there."""

    def __init__(self, outside: Path | None = None, store: Store | None = None, keys: Keys = KEYS) -> None:
        self.store = store or MemoryStore()
        self.house = House(self.store, keys)
        self.history = self.house.floor.history
        self.receipts = Receipts(self.history)
        # Where this floor goes on; another may hold the other table.
        self.table = "T1"
        self.sequencer = Sequencer(self.history, [outside] if outside else [])

    def play(self) -> "Taken":
        """Two rounds, a raised wager, a ticket, a cash-out."""
        self.house.open()
        self.house.give(do.SetStake, ANN, wager="Banker", stake_cents=7_500, id=RAISED)
        self.house.give(do.CashOut, BOB, cents=500, id=CASH_OUT)
        return self

    def go_on(self, heads: int) -> None:
        """So many transactions more."""
        for _ in range(heads):
            self.house.give(do.BuyIn, BOB, self.table, cents=100)

    def checkpoint(self) -> None:
        assert self.sequencer.checkpoint(START_MS)

    def found(self, command: str) -> Found:
        """What the receipt of a command needs, as a search in the store finds it."""
        entry = self.history.find(command)
        assert entry is not None
        return search(self.store, self.history.believed, entry)

    def take(self, command: str) -> Receipt:
        """A receipt, with its path to the newest checkpoint if one covers it."""
        entry = self.history.find(command)
        assert entry is not None
        return self.receipts.included(self.receipts.make(entry, self.found(command)))
