"""The floor that the browser tests visit: a real server in a process of its own, with tables that deal fast.

`python -m tests.web.served FOLDER PORT` prints one line of JSON once it serves: the one-time links of its staff.
"""

import json
import sys
from pathlib import Path
from typing import Any, Final

from punto.games import GAMES
from punto.rules import Position
from punto.rules.money import Cents
from punto.server.app import Server
from punto.server.clockwork import Pace
from punto.server.config import FloorConfig, TableConfig
from punto.server.serving import serve
from punto.table import Limit, Setup, Source, Timings

FAST: Final = Pace(card_ms=250, speech_ms=200, result_ms=4_000, shoe_ms=100, cut_ms=400)
# As fast as a page can show, for whole shoes; but a patron has time to cut.
RACING: Final = Pace(card_ms=30, speech_ms=20, result_ms=250, shoe_ms=50, cut_ms=10_000)
# What a round came to stays for as long as a page may take to load.
LINGERING: Final = Pace(card_ms=250, speech_ms=200, result_ms=30_000, shoe_ms=100, cut_ms=400)
LINKS: Final = 12
STAFF: Final = {
    "dealer": Position.DEALER,
    "supervisor": Position.PIT_SUPERVISOR,
    "manager": Position.PIT_MANAGER,
    "assistant": Position.ASSISTANT_CASINO_MANAGER,
    "shift": Position.GAMING_SHIFT_MANAGER,
}
# Tables of their own for tests that must not meet: dealt ones wait for their dealer.
DEALT: Final = ("method-a", "method-b", "method-c", "irregular", "counted", "device")
# Tables where bets stay open for as long as a test may take.
CALM: Final = tuple(f"calm-{number}" for number in range(1, 9))


def _setup(game: str, bets_ms: int = 5_000, **more: Any) -> Setup:  # noqa: ANN401
    return Setup(
        game=game,
        source=more.pop("source", Source.VIRTUAL),
        timings=Timings(bets_ms=bets_ms, answer_ms=more.pop("answer_ms", 20_000)),
        limits={"*": Limit(Cents(500), Cents(500_000))},
        **more,
    )


def tables() -> tuple[TableConfig, ...]:
    """One table for each game under its number, one that races, one that lingers, calm ones, and dealt ones."""
    plain = [TableConfig(key=str(n), setup=_setup(game), pace=FAST) for n, game in enumerate(GAMES, 1)]
    racing = TableConfig(key="racing", setup=_setup("fortune-six", bets_ms=500, decks=4), pace=RACING)
    lingering = TableConfig(key="lingering", setup=_setup("fortune-six"), pace=LINGERING)
    calm = [TableConfig(key=key, setup=_setup("fortune-six", bets_ms=40_000), pace=FAST) for key in CALM]
    dealt = [
        TableConfig(
            key=key,
            setup=_setup("baccarat", hlga=True, source=Source.DEVICE if key == "device" else Source.VIRTUAL),
            automatic=False,
            pace=FAST,
        )
        for key in DEALT
    ]
    return (*plain, racing, lingering, *calm, *dealt)


async def tell_links(server: Server) -> None:
    """Print one-time links for everybody who may be needed."""
    links = {name: [server.identity.link(name, position) for _ in range(LINKS)] for name, position in STAFF.items()}
    print(json.dumps(links), flush=True)  # noqa: T201


def main(tables: tuple[TableConfig, ...], folder: str, port: str) -> None:
    """Serve until told to stop."""
    place = Path(folder)
    config = FloorConfig(
        tables=tables,
        store=f"sqlite:{place / 'floor.db'}",
        key_file=str(place / "floor.key"),
        port=int(port),
        demonstration=True,
        grace_s=1.0,
    )
    serve(config, tell_links)


if __name__ == "__main__":
    main(tables(), *sys.argv[1:])
