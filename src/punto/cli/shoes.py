"""`punto export`, `punto import` and `punto verify`: shoes as portable texts."""

import sys
import time

from rich.text import Text

from punto.cli.files import read_text
from punto.cli.ink import console
from punto.cli.stores import is_empty, key_file, reading
from punto.cli.wire import encode
from punto.errors import BadShoeFile
from punto.floor.handler import Floor
from punto.floor.importing import Import
from punto.floor.keys import Keys
from punto.record.exporting import export
from punto.record.shoefile import ShoeFile, read
from punto.record.verifying import Wrong, verify
from punto.store import open_store

RIGHT = 0
WRONG = 1


def write_shoe(url: str, table: str, shoe: int) -> None:
    """Print a shoe of a table."""
    with reading(url) as store:
        sys.stdout.write(str(export(store, table, shoe)))


def check(name: str, *, as_json: bool) -> int:
    """Say whether a shoe's text is right, and what is not."""
    shoe = _read(name)
    wrong = list(verify(shoe))
    rounds, bets = len(shoe.coups), sum(len(coup.bets) for coup in shoe.coups)
    if as_json:
        said = [{"line": each.line, "said": each.said} for each in wrong]
        sys.stdout.write(encode({"right": not wrong, "rounds": rounds, "wagers": bets, "wrong": said}) + "\n")
        return WRONG if wrong else RIGHT
    for each in wrong:
        console().print(Text(_line(name, each), style="red"))
    if not wrong:
        console().print(Text(f"{name}: {rounds} rounds and {bets} wagers are right", style="green"))
    return WRONG if wrong else RIGHT


def bring_in(name: str, url: str, table: str, key: str | None) -> None:
    """Play a shoe again on a table of its own."""
    shoe = _read(name)
    wrong = next(verify(shoe), None)
    if wrong:
        raise BadShoeFile(_line(name, wrong), wrong.line)
    store = open_store(url)
    try:
        floor = Floor(store, Keys.at(key_file(store, key), create=is_empty(store)))
        rounds = Import(floor, table, shoe, int(time.time() * 1000)).run()
    finally:
        store.close()
    console().print(Text(f"{rounds} rounds are on table {table}"))


def _read(name: str) -> ShoeFile:
    try:
        return read(read_text(name))
    except BadShoeFile as error:
        raise BadShoeFile(f"{name}: {error.message}", error.at) from None


def _line(name: str, wrong: Wrong) -> str:
    return f"{name}: line {wrong.line}: {wrong.said}"
