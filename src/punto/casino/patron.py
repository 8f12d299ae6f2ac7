"""A patron at a terminal: wagers, credits, tickets, cards to squeeze; and now and then something foolish."""

from functools import partial
from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING, Final

from punto.casino.people import Person, State
from punto.table.contributions import contribution_digest

if TYPE_CHECKING:
    from punto.casino.house import Casino

_STAKES: Final = (1, 1, 2, 5, 10, 40)
# Where patrons are quick, each places so many stakes, one right after the other.
_QUICK: Final = 0.4
_IN_A_ROW: Final = 4
_APART_S: Final = 0.003
_FOOLISH: Final = (-100, 0, 1, 50, 10_000_000, 2**53, 2**60)


class Patron(Person):
    """Somebody who plays at one table."""

    thinks_s = 1.2

    def __init__(self, casino: "Casino", name: str, table: str) -> None:
        super().__init__(casino, name)
        self.table = table
        self.codes: list[str] = []
        self._is_quick = Random(f"{casino.seed}/quick").random() < _QUICK

    def arrive(self) -> None:
        """Take a seat."""
        self.send({"t": "sit", "table": self.table})

    def was_turned_away(self, code: str) -> None:
        """There is no seat: the patron looks on, and learns what became of what lies there."""
        if code == "table-is-full":
            self.casino.trace.count("seats that were taken")

    def think(self) -> None:
        """Do what a patron does at this point of the round."""
        own, state = self.own.get(self.table), self.tables.get(self.table)
        if own is None or state is None or not state.get("info"):
            return
        if len(self.pending) > 4:
            return
        if self.credits_cents < 5_000 or self.now_and_then(0.02):
            self._buy()
        elif own.get("offer") and self.now_and_then(0.8):
            offer = own["offer"]
            wagers = offer["wagers"] if offer["whole"] else [each for each in offer["wagers"] if self.now_and_then(0.5)]
            self.act(self.table, "answer-offer", withdraw=wagers if self.now_and_then(0.4) else [])
        elif own.get("offered") and self.now_and_then(0.8):
            kind = "accept-cards" if self.now_and_then(0.7) else "refuse-cards"
            self.act(self.table, kind, side=self.chance.choice(own["offered"]))
        elif own.get("holding") and self.now_and_then(0.7):
            self._squeeze(own, state)
        elif self._contributes(own, state):
            pass
        elif state["shoe"]["may_cut"] and self.now_and_then(0.5):
            self.act(self.table, "cut-shoe", cards=self.chance.randrange(1, state["shoe"]["cards"]))
        elif state["phase"] == "bets-open" or self.now_and_then(0.04):
            for number in range(_IN_A_ROW if self._is_quick else 1):
                self.casino.agenda.after(number * _APART_S, partial(self._wager, own, state))
        elif self.now_and_then(0.03):
            self._cash_out()
        elif not self.pending and self.now_and_then(0.02):
            self._change_tables()
        elif self.now_and_then(0.01):
            self.act(self.table, "settle")  # not a patron's to do

    def _buy(self) -> None:
        if self.codes and self.now_and_then(0.6):
            self.ask({"t": "redeem", "table": self.table, "code": self.codes.pop()})
        elif self.casino.config.demonstration:
            self.ask({"t": "buy", "table": self.table, "cents": self.chance.choice((5_000, 20_000, 100_000))})
        else:
            self.casino.sell(self)

    def _cash_out(self) -> None:
        if not any(asked.message["t"] == "collect" for asked in self.pending.values()):
            self.ask({"t": "collect", "table": self.table})

    def _change_tables(self) -> None:
        """Play elsewhere, from the same wallet; what lies on the first table stays there."""
        self.send({"t": "leave", "table": self.table})
        self.table = self.chance.choice([table.key for table in self.casino.config.tables])
        self.casino.trace.count("changes of table")
        self.arrive()

    def _contributes(self, own: State, state: State) -> bool:
        """Contribute to the order of the shoe, and reveal that; now and then withhold it."""
        shoe, given = state["shoe"], own.get("contribution")
        secret = sha256(f"{self.name}/{shoe['commitment']}".encode()).hexdigest()
        if own.get("may_contribute") and self.now_and_then(0.7):
            digest = contribution_digest(shoe["commitment"], self.name, secret)
            self.act(self.table, "contribute", shoe=shoe["number"], commitment=digest)
            return True
        if given and shoe["closed"] and not given["revealed"] and self.now_and_then(0.9):
            wrong = self.now_and_then(0.02)
            self.act(self.table, "reveal-contribution", shoe=shoe["number"], secret=secret[::-1] if wrong else secret)
            return True
        return False

    def _squeeze(self, own: State, state: State) -> None:
        side = self.chance.choice(sorted(own["holding"]))
        if side in state["may_turn"]:
            self.act(self.table, "expose-cards", side=side)
        elif self.now_and_then(0.5):
            self.send({"t": "bend", "table": self.table, "side": side, "card": 0, "lift": 0.5, "edge": "left"})

    def _wager(self, own: State, state: State) -> None:
        wagers = state["info"]["wagers"]
        wager = self.chance.choice(wagers[:3] if self.now_and_then(0.6) else wagers)
        cents = wager["min_cents"] * self.chance.choice(_STAKES)
        if self.now_and_then(0.04):
            cents = self.chance.choice(_FOOLISH)
        if own["wagers"] and self.now_and_then(0.15):
            wager = {"name": self.chance.choice(own["wagers"])["wager"]}
            cents = 0
        stake = {"t": "stake", "table": self.table, "wager": wager["name"], "cents": cents, "round": state["round"]}
        self.ask(stake, state["round"])

    def was_accepted(self, _: State, answer: State) -> None:
        """A ticket's code is kept."""
        if answer["t"] == "ticket":
            self.casino.trace.count("tickets")
            self.codes.append(answer["code"])


class Onlooker(Person):
    """Somebody in front of a display, whom the floor does not know."""

    is_known_as = "floor"

    def arrive(self) -> None:
        """Look at every table."""
        self.send({"t": "watch-floor"})
        for table in self.casino.config.tables:
            self.send({"t": "watch", "table": table.key})
