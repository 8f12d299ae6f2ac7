"""A table to try things at, without a floor: commands in, events out."""

from itertools import count
from typing import Any

from punto.rules import Position
from punto.table import Actor, AnyEvent, Setup, Table, act
from punto.table import commands as do

START_MS = 1_767_196_800_000
SYSTEM = Actor("clock", Position.SYSTEM)
DEALER = Actor("dora", Position.DEALER)
SUPERVISOR = Actor("susan", Position.PIT_SUPERVISOR)
MANAGER = Actor("mark", Position.PIT_MANAGER)
ASSISTANT = Actor("alan", Position.ASSISTANT_CASINO_MANAGER)
SHIFT = Actor("greta", Position.GAMING_SHIFT_MANAGER)


def patron(name: str) -> Actor:
    return Actor(name, Position.PATRON)


class Desk:
    """One table, and whoever gives commands to it."""

    def __init__(self, game: str = "baccarat", **setup: Any) -> None:  # noqa: ANN401
        self.table = Table()
        self.now_ms = START_MS
        self._ids = count(1)
        self(do.OpenTable, SHIFT, setup=Setup(game=game, **setup))

    def __call__(self, kind: type[Any], by: Actor = DEALER, **fields: Any) -> tuple[AnyEvent, ...]:  # noqa: ANN401
        """Give a command; what came of it."""
        self.now_ms += 1_000
        command = kind(id=str(next(self._ids)), table="T1", by=by, at_ms=self.now_ms, **fields)
        draft = act(self.table, command)
        self.table = draft.table
        return tuple(draft.events)

    def bets(self, *wagers: tuple[str, str, int]) -> None:
        """Load a shoe if there is none, open bets, and place these: patron, wager, cents."""
        if self.table.shoe.number == 0:
            self(do.LoadShoe)
        self(do.OpenBets)
        for position, (name, wager, cents) in enumerate(wagers, 1):
            self(do.PlaceWager, patron(name), patron=name, wager=wager, stake_cents=cents, position=position)

    def draw(self, cards: str, by: Actor = DEALER) -> tuple[AnyEvent, ...]:
        """Draw these cards, `?` for one that nobody reads; what came of the last."""
        events: tuple[AnyEvent, ...] = ()
        for card in cards.split():
            events = self(do.DrawCard, by, card=None if card == "?" else card)
        return events
