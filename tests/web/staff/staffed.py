"""The floor on which staff are tried: a table for each case of the book, and dealt ones for each test that needs one.

`python -m tests.web.staff.staffed FOLDER PORT` prints one line of JSON once it serves: the one-time links of its staff.
A file `cases` in the folder names the cases that will be played. On its standard input the floor reads names of tables,
one to a line: whatever time runs there is up at once, and the floor answers with a line when it is.
"""

import asyncio
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from tests.web.served import FAST, check_no_program, tell_links
from tests.web.staff.casebook import CASES

from punto.rules import Method
from punto.rules.money import Cents
from punto.server.app import Server, make
from punto.server.clockwork import Pace, Timer, on_time
from punto.server.config import CashReporting, FloorConfig, TableConfig
from punto.server.serving import serve
from punto.table import Limit, Setup, Source, Timings, with_virtual_cards

_LIMITS: Final = {"*": Limit(Cents(500), Cents(500_000))}
# Tests move the clocks of pages on, which takes nothing from times as long as these.
_LONG: Final = Timings(bets_ms=600_000, answer_ms=600_000)
_ENOUGH: Final = Timings(bets_ms=60_000, answer_ms=60_000)


def _baccarat(**more: Any) -> Setup:  # noqa: ANN401
    setup = Setup(**{"game": "baccarat", "hlga": True, "limits": _LIMITS, "timings": _LONG, **more})
    return with_virtual_cards(setup) if setup.source is Source.VIRTUAL else setup


# Dealt tables that wait for their dealer.
DEALT: Final = {
    "method-a": _baccarat(source=Source.VIRTUAL, method=Method.A),
    "method-a-short": _baccarat(source=Source.VIRTUAL, method=Method.A),
    "method-a-touch": _baccarat(source=Source.VIRTUAL, method=Method.A),
    "method-b": _baccarat(source=Source.VIRTUAL, method=Method.B),
    "method-c": _baccarat(source=Source.VIRTUAL, method=Method.B),
    "rounds": _baccarat(source=Source.VIRTUAL, method=Method.B),
    "wagers": _baccarat(method=Method.B),
    "payouts": _baccarat(method=Method.B),
    "bought": _baccarat(method=Method.B),
    "late": _baccarat(method=Method.B, timings=Timings(bets_ms=60_000, answer_ms=1_500)),
    "ordered": _baccarat(method=Method.B, differential_cents=Cents(10_000)),
    "counted": _baccarat(method=Method.B, reads=False, decks=4),
    "cards": _baccarat(method=Method.B),
    "scans": _baccarat(method=Method.B),
    "scans-5": _baccarat(method=Method.B),
    "scans-refused": _baccarat(method=Method.B, decks=4),
    "halves": _baccarat(method=Method.B),
    "heavy": _baccarat(method=Method.B, differential_cents=Cents(10_000)),
    "deserted": _baccarat(method=Method.B),
    "relief": _baccarat(method=Method.B),
    "unread": _baccarat(method=Method.A, reads=False),
    "readings": _baccarat(method=Method.B),
    "shoes": _baccarat(source=Source.VIRTUAL, method=Method.B),
    "reloads": _baccarat(source=Source.VIRTUAL, method=Method.B),
    "clicks": _baccarat(source=Source.VIRTUAL, method=Method.B),
    "keys": _baccarat(method=Method.B),
    "barred": _baccarat(method=Method.B),
    "matters": _baccarat(method=Method.B),
    "cleared": _baccarat(method=Method.B),
    "looks": _baccarat(method=Method.A, differential_cents=Cents(10_000)),
    "dialogs": _baccarat(method=Method.B),
    "words": _baccarat(method=Method.A),
    # In each language, with cards that nobody reads, a patron at the device, and terminals.
    "words-en": _baccarat(method=Method.A, reads=False),
    "words-zh": _baccarat(method=Method.A, reads=False),
    "words-device-en": _baccarat(source=Source.VIRTUAL, method=Method.B),
    "words-device-zh": _baccarat(source=Source.VIRTUAL, method=Method.B),
    "words-electronic-en": Setup(game="fortune-six", limits=_LIMITS, timings=_LONG),
    "words-electronic-zh": Setup(game="fortune-six", limits=_LIMITS, timings=_LONG),
    "glance": _baccarat(method=Method.B, differential_cents=Cents(10_000)),
    "balance": _baccarat(method=Method.B, differential_cents=Cents(10_000)),
    "limits": _baccarat(method=Method.B),
    "amounts": _baccarat(method=Method.B, differential_cents=Cents(10_000)),
    "back": _baccarat(method=Method.B),
    "methods": _baccarat(method=Method.B),
    "areas": _baccarat(method=Method.B),
    "squeeze": _baccarat(method=Method.B),
    "closing": _baccarat(method=Method.B, differential_cents=Cents(10_000)),
    "kept": _baccarat(method=Method.B),
    "wished": _baccarat(method=Method.B),
    "wished-kept": _baccarat(source=Source.VIRTUAL, method=Method.B),
    "setups": _baccarat(method=Method.B),
    "two-en": _baccarat(method=Method.B),
    "two-zh": _baccarat(method=Method.B),
    "two-turned-en": _baccarat(method=Method.B),
    "two-turned-zh": _baccarat(method=Method.B),
    "two-limits-en": _baccarat(method=Method.B),
    "two-limits-zh": _baccarat(method=Method.B),
    "two-marked-en": _baccarat(method=Method.B),
    "two-marked-zh": _baccarat(method=Method.B),
    "two-stake-en": _baccarat(method=Method.B),
    "two-stake-zh": _baccarat(method=Method.B),
    "edges": _baccarat(method=Method.B, decks=4),
    "recall": _baccarat(method=Method.B),
    "claims-en": _baccarat(method=Method.B),
    "claims-zh": _baccarat(method=Method.B),
    "claims-own": _baccarat(method=Method.B),
    "endings": _baccarat(method=Method.B),
    "texts": _baccarat(source=Source.VIRTUAL, method=Method.B),
    "audited": _baccarat(method=Method.B),
    "desk": _baccarat(method=Method.B),
    "correction": _baccarat(method=Method.B),
    "cash": _baccarat(method=Method.B),
    "excluded": Setup(game="fortune-six", source=Source.DEVICE, limits=_LIMITS, timings=_LONG),
    "reported": _baccarat(method=Method.B),
    "excluded-desk": _baccarat(method=Method.B),
    "books": _baccarat(method=Method.B),
    "terminals": _baccarat(method=Method.B),
    "fa-fa": Setup(game="fa-fa-fabulous-4", limits=_LIMITS, timings=_LONG),
    "decided-en": Setup(game="fa-fa-fabulous-4", limits=_LIMITS, timings=_LONG),
    "decided-zh": Setup(game="fa-fa-fabulous-4", limits=_LIMITS, timings=_LONG),
    "prospects-en": _baccarat(method=Method.B),
    "prospects-zh": _baccarat(method=Method.B),
    "reopened-en": _baccarat(method=Method.B),
    "reopened-zh": _baccarat(method=Method.B),
    "another-en": _baccarat(method=Method.B),
    "another-zh": _baccarat(method=Method.B),
    "proposed-en": _baccarat(method=Method.B),
    "proposed-zh": _baccarat(method=Method.B),
    "down-en": Setup(game="fortune-six", source=Source.VIRTUAL, limits=_LIMITS, timings=_LONG),
    "down-zh": Setup(game="fortune-six", source=Source.VIRTUAL, limits=_LIMITS, timings=_LONG),
    "marked-en": _baccarat(source=Source.VIRTUAL, method=Method.B),
    "marked-zh": _baccarat(source=Source.VIRTUAL, method=Method.B),
    "electronic": Setup(game="fortune-six", limits=_LIMITS, timings=_LONG),
}
# Those that an automatic dealer runs when nobody else does.
AUTOMATIC: Final = {
    "automatic": _baccarat(source=Source.VIRTUAL, method=Method.B, timings=_ENOUGH),
    "automatic-a": _baccarat(source=Source.VIRTUAL, method=Method.A, timings=_ENOUGH),
    "automatic-both": _baccarat(source=Source.VIRTUAL, method=Method.A, timings=_ENOUGH),
}
# Deals as fast as pages can show, and leaves the result for as long as a page may take to load.
_BRISK: Final = Pace(card_ms=50, speech_ms=50, result_ms=60_000, shoe_ms=50, cut_ms=50)


def tables(cases: list[str]) -> tuple[TableConfig, ...]:
    """All of them, with those of the cases that are named."""
    setups = {case.key: case.setup() for case in CASES if case.key in cases} | DEALT
    dealt = [TableConfig(key=key, setup=setup, automatic=False, pace=FAST) for key, setup in setups.items()]
    return (*dealt, *(TableConfig(key=key, setup=setup, pace=_BRISK) for key, setup in AUTOMATIC.items()))


class Hourglass:
    """The floor's time of day and what waits for it: a test turns the glass when the time at a table should be up."""

    def __init__(self) -> None:
        self._ahead_ms = 0
        self._acts: dict[str, tuple[Timer, Callable[[], None]]] = {}
        self._asked = b""

    def schedule(self, table: str, at_s: float, act: Callable[[], None]) -> Timer:
        """Do an act on time, or when the time is up before."""
        timer = on_time(table, at_s, act)
        self._acts[table] = timer, act
        return timer

    async def begin(self, server: Server) -> None:
        """Keep the floor's time from now on, listen, and say that the floor is open."""
        by_itself = server.hall.now_ms
        server.hall.now_ms = lambda: by_itself() + self._ahead_ms  # type: ignore[method-assign]
        asyncio.get_running_loop().add_reader(sys.stdin.fileno(), self._heard, server)
        await tell_links(server)

    def _heard(self, server: Server) -> None:
        heard = os.read(sys.stdin.fileno(), 4096)
        if not heard:
            asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        *lines, self._asked = (self._asked + heard).split(b"\n")
        for line in lines:
            print(self._turn(server, line.decode()), flush=True)  # noqa: T201

    def _turn(self, server: Server, table: str) -> str:
        hosted = server.hall.find(table)
        clock = hosted.clockwork
        shown = clock.shown()
        if shown is None:
            return f"no time runs at {table}"
        self._ahead_ms += shown.remaining_ms + 50
        if hosted.deals_itself:
            timer, act = self._acts.pop(table)
            timer.cancel()
            act()
        else:
            # Nothing happens by itself where somebody deals: pages are told that no time is left.
            clock._deadline = asyncio.get_running_loop().time()  # noqa: SLF001
            hosted.tell()
        return "up"


def main(folder: str, port: str) -> None:
    """Serve until told to stop."""
    check_no_program()
    place = Path(folder)
    config = FloorConfig(
        tables=tables((place / "cases").read_text(encoding="utf-8").split()),
        store=f"sqlite:{place / 'floor.db'}",
        key_file=str(place / "floor.key"),
        port=int(port),
        demonstration=True,
        cash_reports=CashReporting(Cents(20_000_000)),
        grace_s=1.0,
        # Tests turn the hour on for tables, and not for sessions.
        prove_again_s=43_200,
    )
    hourglass = Hourglass()
    serve(config, hourglass.begin, made=partial(make, schedule=hourglass.schedule))


if __name__ == "__main__":
    main(*sys.argv[1:])
