"""Logs of stores as they were once written: every later Punto must read them, and come to the same tables.

`python -m tests.record.old_logs NAME` writes tests/golden/logs/NAME.jsonl from scenarios that between them have every
kind of event that no older file has. That is done once, when the form of what is stored changes; a file that is
there is never written again. 0.4-tickets.jsonl has two tables, played by a floor of Punto 0.4 whose clocks differed.
In 0.5-aside.jsonl somebody wrote to a patron's wallet in the middle of a round, which no scenario does. In 0.6.jsonl
patrons and a beacon contribute to the order of shoes.
"""

import json
import sys
from base64 import b64decode, b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from tests.floor import contributors
from tests.floor.floors import ANN, SHIFT, House
from tests.marks import ROOT

from punto.floor import Keys, Runner, read_scenario
from punto.floor.handler import FLOOR
from punto.ledger import wallet
from punto.store import Entry, MemoryStore, start, verified
from punto.table import AnyEvent, Setup, Source, Table
from punto.table import commands as do
from punto.table.log import fold, read

LOGS = ROOT / "tests" / "golden" / "logs"
SCENARIOS = ROOT / "docs" / "scenarios"
KEYS = Keys.from_secret(b"old logs")


def stores_of(path: Path) -> Iterator[tuple[dict[str, Any], MemoryStore]]:
    """The stores that a file holds, each with what its table came to."""
    store = MemoryStore()
    for line in path.read_text().splitlines():
        plain = json.loads(line)
        if "phase" in plain:
            yield plain, store
            store = MemoryStore()
        else:
            body = b64decode(plain["body64"]) if "body64" in plain else plain["body"].encode()
            hash_ = bytes.fromhex(plain["hash"])
            store.append([Entry(plain["stream"], plain["version"], plain["command"], body, hash_)], {})


def table_of(store: MemoryStore) -> str:
    """The stream of a store's one table."""
    return next(stream for stream, _ in store.streams() if stream.startswith("table/"))


def came_to(store: MemoryStore) -> dict[str, Any]:
    """What a store's table and wallets came to."""
    stream = table_of(store)
    table = fold((entry.body for entry in verified(store.read(stream), start(stream))), Table())
    tip = store.tip(stream)
    assert tip
    streams = [stream for stream, _ in store.streams() if stream.startswith("wallet/")]
    wallets = {stream: json.loads([*store.read(stream)][-1].body).get("balance_cents", 0) for stream in streams}
    return {"phase": table.phase.value, "round": table.round, "version": tip.version, "wallets": wallets}


def kinds_in(store: MemoryStore) -> set[type]:
    """The kinds of event in a table's log."""
    return {type(read(entry.body).event) for entry in store.read(table_of(store))}


def _body(body: bytes) -> dict[str, str]:
    """A body as text; that of a head is none."""
    try:
        return {"body": body.decode()}
    except UnicodeDecodeError:
        return {"body64": b64encode(body).decode()}


def _with_a_stopped_wallet() -> MemoryStore:
    """A round in which a patron is paid whose wallet is stopped, and gets the money after the floor is opened anew."""
    store = MemoryStore()
    house = House(store, KEYS)
    house.give(do.OpenTable, SHIFT, setup=Setup(game="fortune-six", source=Source.VIRTUAL))
    house.give(do.LoadShoe)
    house.give(do.BuyIn, ANN, cents=100_000)
    house.give(do.OpenBets)
    for wager in ("Player", "Banker", "Tie"):
        house.give(do.PlaceWager, ANN, wager=wager, stake_cents=1_000)
    house.floor.history.coverage.stop(wallet("ann"), "somebody wrote to it")
    house.give(do.CloseBets)
    while house.floor.table("T1").deal.next is not None:
        house.give(do.DrawCard)
    again = House(store, KEYS, ids=house.ids)
    again.give(do.ReleaseCredits, FLOOR, patron="ann")
    again.give(do.EndShoe, SHIFT, reason="to see the cards")
    return store


def _with_contributions() -> MemoryStore:
    """Shoes to whose order patrons and a beacon contribute."""
    store = MemoryStore()
    contributors.played(store)
    return store


def lines() -> Iterator[str]:
    """Scenarios, the most telling first, until every kind of event has come that no older file has."""
    played = {"a wallet was stopped": _with_a_stopped_wallet(), "patrons contributed": _with_contributions()}
    for path in sorted(SCENARIOS.rglob("*.jsonl")):
        scenario = read_scenario(path.read_text())
        for book in scenario.heading.under[:1]:
            store = MemoryStore()
            list(Runner(store, scenario, book, KEYS).run())
            played[path.stem] = store
    older = {kind for path in LOGS.glob("*.jsonl") for _, store in stores_of(path) for kind in kinds_in(store)}
    wanted = set(get_args(AnyEvent)) - older
    while wanted:
        name = max(played, key=lambda each: len(kinds_in(played[each]) & wanted))
        store = played.pop(name)
        gained = kinds_in(store) & wanted
        if not gained:
            raise SystemExit(f"no scenario has {', '.join(sorted(kind.__name__ for kind in wanted))}")
        wanted -= gained
        for stream, _ in store.streams():
            for entry in store.read(stream):
                row = {"stream": stream, "version": entry.version, "command": entry.command}
                yield json.dumps(row | _body(entry.body) | {"hash": entry.hash.hex()}, ensure_ascii=False)
        yield json.dumps({"scenario": name, **came_to(store)})


if __name__ == "__main__":
    target = LOGS / f"{sys.argv[1]}.jsonl"
    if target.exists():
        raise SystemExit(f"{target} is there: an old log is never written again")
    LOGS.mkdir(exist_ok=True)
    written = [*lines()]
    target.write_text("\n".join(written) + "\n")
