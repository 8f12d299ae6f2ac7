"""The floor on which staff are tried: a table for each case of the book, and dealt ones for each test that needs one.

`python -m tests.web.staff.staffed FOLDER PORT` prints one line of JSON once it serves: the one-time links of its staff.
"""

import sys
from typing import Any, Final

from tests.web.served import FAST, main
from tests.web.staff.casebook import CASES

from punto.rules import Method
from punto.rules.money import Cents
from punto.server.config import TableConfig
from punto.table import Limit, Setup, Source, Timings

_LIMITS: Final = {"*": Limit(Cents(500), Cents(500_000))}
_LONG: Final = Timings(bets_ms=60_000, answer_ms=60_000)


def _baccarat(**more: Any) -> Setup:  # noqa: ANN401
    return Setup(**{"game": "baccarat", "hlga": True, "limits": _LIMITS, "timings": _LONG, **more})


# Dealt tables that wait for their dealer.
DEALT: Final = {
    "method-a": _baccarat(source=Source.VIRTUAL, method=Method.A),
    "method-a-short": _baccarat(
        source=Source.VIRTUAL, method=Method.A, timings=Timings(bets_ms=60_000, answer_ms=1_500)
    ),
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
    "edges": _baccarat(method=Method.B, decks=4),
    "recall": _baccarat(method=Method.B),
    "endings": _baccarat(method=Method.B),
    "texts": _baccarat(source=Source.VIRTUAL, method=Method.B),
    "audited": _baccarat(method=Method.B),
    "desk": _baccarat(method=Method.B),
    "correction": _baccarat(method=Method.B),
    "books": _baccarat(method=Method.B),
    "terminals": _baccarat(method=Method.B),
    "fa-fa": Setup(game="fa-fa-fabulous-4", limits=_LIMITS, timings=_LONG),
}
# Those that an automatic dealer runs when nobody else does.
AUTOMATIC: Final = {
    "automatic": _baccarat(source=Source.VIRTUAL, method=Method.B, timings=Timings(bets_ms=1_000)),
    "automatic-a": _baccarat(source=Source.VIRTUAL, method=Method.A, timings=Timings(bets_ms=6_000, answer_ms=3_000)),
    "automatic-both": _baccarat(
        source=Source.VIRTUAL, method=Method.A, timings=Timings(bets_ms=6_000, answer_ms=60_000)
    ),
}


def tables() -> tuple[TableConfig, ...]:
    """All of them."""
    setups = {case.key: case.setup() for case in CASES} | DEALT
    dealt = [TableConfig(key=key, setup=setup, automatic=False, pace=FAST) for key, setup in setups.items()]
    return (*dealt, *(TableConfig(key=key, setup=setup, pace=FAST) for key, setup in AUTOMATIC.items()))


if __name__ == "__main__":
    main(tables(), *sys.argv[1:])
