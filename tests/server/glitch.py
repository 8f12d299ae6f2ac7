"""A floor under a clock a day ahead, killed in the middle of a round: `python -m tests.server.glitch FOLDER`."""

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any, Final

from punto.floor import Floor, Keys
from punto.rules import Position
from punto.store import SqliteStore
from punto.table import Actor, Setup, Timings, with_virtual_cards
from punto.table import commands as do

DAY_MS: Final = 86_400_000
ANSWER_MS: Final = 600
SETUP: Final = with_virtual_cards(Setup(game="baccarat", timings=Timings(bets_ms=1_000, answer_ms=ANSWER_MS)))
STORE, KEY, TABLE = "floor.db", "floor.key", "1"
_SHIFT = Actor("greta", Position.GAMING_SHIFT_MANAGER)
_DEALER = Actor("dora", Position.DEALER)
_ANN = Actor("ann", Position.PATRON)


def play(floor: Floor, at_ms: int) -> None:
    """Open the table, take a wager, close bets, and draw the first card."""

    def give(kind: type[Any], by: Actor, **fields: Any) -> None:  # noqa: ANN401
        floor.handle(kind(id=f"{kind.__name__}-{at_ms}", table=TABLE, by=by, at_ms=at_ms, **fields))

    give(do.OpenTable, _SHIFT, setup=SETUP)
    give(do.LoadShoe, _DEALER)
    give(do.BuyIn, _ANN, patron="ann", cents=100_000, position=1)
    give(do.OpenBets, _DEALER)
    give(do.PlaceWager, _ANN, patron="ann", wager="Player", stake_cents=5_000, position=1)
    give(do.CloseBets, _DEALER)
    give(do.DrawCard, _DEALER)


def main(folder: Path) -> None:
    """Play, and be killed."""
    play(Floor(SqliteStore(folder / STORE), Keys.at(folder / KEY)), time.time_ns() // 1_000_000 + DAY_MS)
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
