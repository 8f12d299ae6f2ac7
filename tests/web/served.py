"""The floor that the browser tests visit: a real server in a process of its own, whose tables move as tests ask.

`python -m tests.web.served FOLDER PORT` prints one line of JSON once it serves: the one-time links of its staff. From
then on `tests.web.steps` tells how its tables are moved.
"""

import json
import sys
from functools import partial
from pathlib import Path
from typing import Any, Final

from tests.web.steps import Steps
from tests.width import width

from punto.games import GAMES
from punto.rules import Position
from punto.rules.money import Cents
from punto.server import programcheck
from punto.server.app import Server, make
from punto.server.clockwork import Pace
from punto.server.config import FloorConfig, TableConfig
from punto.server.serving import serve
from punto.table import Limit, Setup, Source, Timings, with_virtual_cards

FAST: Final = Pace(card_ms=250, speech_ms=200, result_ms=4_000, shoe_ms=100, cut_ms=400)
SOON: Final = Pace(card_ms=100, speech_ms=100, result_ms=1_000, shoe_ms=100, cut_ms=200)
LINKS: Final = 12
STAFF: Final = {
    "dealer": Position.DEALER,
    "supervisor": Position.PIT_SUPERVISOR,
    "manager": Position.PIT_MANAGER,
    "assistant": Position.ASSISTANT_CASINO_MANAGER,
    "shift": Position.GAMING_SHIFT_MANAGER,
    # Hires whom "shift" does not, so that two who were hired are independent.
    "night": Position.GAMING_SHIFT_MANAGER,
}
# Tables that wait for their dealer.
DEALT: Final = {"method-a": Source.VIRTUAL, "device": Source.DEVICE}
# Tables of one game, for tests that must not meet.
CALM: Final = tuple(f"calm-{number}" for number in range(1, 9))
# A table that goes on by itself, for tests of the clock.
BY_CLOCK: Final = "by-clock"
# A table with so few cards that a shoe is soon over.
SHORT: Final = "short-shoe"
# Bets stay open for as long as a test may take.
_LONG_MS: Final = 60_000


def _setup(game: str, bets_ms: int = _LONG_MS, **more: Any) -> Setup:  # noqa: ANN401
    source = more.pop("source", Source.VIRTUAL)
    setup = Setup(
        game=game,
        timings=Timings(bets_ms=bets_ms, answer_ms=20_000),
        limits={"*": Limit(Cents(500), Cents(500_000))},
        **more,
    )
    return with_virtual_cards(setup) if source is Source.VIRTUAL else setup


def tables() -> tuple[TableConfig, ...]:
    """One table for each game under its number, one with a short shoe, calm and dealt ones, one by the clock."""
    plain = [TableConfig(key=str(n), setup=_setup(game), pace=FAST) for n, game in enumerate(GAMES, 1)]
    short = TableConfig(key=SHORT, setup=_setup("fortune-six", decks=4, behind=width(120, 14)), pace=FAST)
    calm = [TableConfig(key=key, setup=_setup("fortune-six"), pace=FAST) for key in CALM]
    dealt = [
        TableConfig(key=key, setup=_setup("baccarat", hlga=True, source=source), automatic=False, pace=FAST)
        for key, source in DEALT.items()
    ]
    by_clock = TableConfig(key=BY_CLOCK, setup=_setup("fortune-six", bets_ms=5_000), pace=SOON)
    return (*plain, short, *calm, *dealt, by_clock)


async def tell_links(server: Server) -> None:
    """Print one-time links for everybody who may be needed."""
    links = {name: [server.identity.link(name, position) for _ in range(LINKS)] for name, position in STAFF.items()}
    print(json.dumps(links), flush=True)  # noqa: T201


def check_no_program() -> None:
    """Have this floor check its program when it is asked to, and not by itself: each check takes seconds."""
    vars(programcheck)["_SOON_S"] = 86_400.0


def main(tables: tuple[TableConfig, ...], folder: str, port: str, steps: Steps | None = None) -> None:
    """Serve until told to stop; without *steps* all tables go by the clock."""
    check_no_program()
    place = Path(folder)
    config = FloorConfig(
        tables=tables,
        store=f"sqlite:{place / 'floor.db'}",
        key_file=str(place / "floor.key"),
        port=int(port),
        demonstration=True,
        grace_s=1.0,
    )
    if steps is None:
        serve(config, tell_links)
        return

    async def tell(server: Server) -> None:
        await steps.begin(server.hall)
        await tell_links(server)

    serve(config, tell, made=partial(make, schedule=steps.schedule))


if __name__ == "__main__":
    main(tables(), sys.argv[1], sys.argv[2], Steps({BY_CLOCK}))
