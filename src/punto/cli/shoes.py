"""`punto export`, `punto import` and `punto verify`: shoes as portable texts."""

import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Final

from rich.text import Text

from punto.cli.entry import one_line
from punto.cli.files import read_text
from punto.cli.ink import console
from punto.cli.noting import note, who
from punto.cli.options import Source
from punto.cli.showing import showing
from punto.cli.stores import is_empty, key_file, store_named
from punto.cli.wire import encode
from punto.errors import BadShoeFile
from punto.floor.handler import Floor
from punto.floor.importing import Import
from punto.floor.keys import Keys
from punto.record.exporting import export
from punto.record.fairness import Chosen, Fairness, Wrong, fairness_of
from punto.record.journal import RecordExported
from punto.record.shoefile import ShoeFile, read
from punto.record.verifying import cut_of, game_of, is_demonstration, sealed, verify
from punto.rules import Position
from punto.store import open_store
from punto.table.actor import one

RIGHT = 0
WRONG = 1
# More is not said one by one, except in JSON.
MOST_SAID = 1_000


def write_shoe(source: Source, table: str, shoe: int) -> int:
    """Print a shoe of a table, as far as it is signed."""
    with showing(source) as shown:
        text = str(export(shown.store, table, shoe))
    note(store_named(source.store), RecordExported("shoe text", f"table {table}, shoe {shoe}", who()))
    sys.stdout.write(text)
    return shown.status


def check(name: str, text: str, *, as_json: bool) -> int:
    """Say whether a shoe's text is right, and what is not."""
    with _naming(name):
        shoe = read(text)
    rounds, bets = len(shoe.coups), sum(len(coup.bets) for coup in shoe.coups)
    if as_json:
        said = [{"line": each.line, "said": each.said} for each in verify(shoe)]
        right = {"right": not said, "sealed": sealed(shoe), "rounds": rounds, "wagers": bets, "wrong": said}
        cut = cut_of(shoe)
        when = {"cut_at": cut.at if cut else "", "first_bets": shoe.headers.get("first-bets", "")}
        demonstration = {"demonstration": is_demonstration(shoe)}
        order = {"order": fairness_of(shoe)._asdict() | {"chosen": fairness_of(shoe).chosen.value}}
        sys.stdout.write(encode(right | {"declared": bool(shoe.declaration)} | when | demonstration | order) + "\n")
        return WRONG if said else RIGHT
    out = console()
    wrong = list(islice(verify(shoe), MOST_SAID + 1))
    for each in wrong[:MOST_SAID]:
        out.print(Text(_line(name, each), style="red"))
    if len(wrong) > MOST_SAID:
        out.print(Text(f"{name}: and more: --json lists everything", style="red"))
    if not wrong:
        by = f", by the shoe's own declaration of {shoe.headers['game']}" if shoe.declaration else ""
        out.print(Text(f"{name}: {_right(rounds, bets)}{by}", style="green"))
        for line in (_seal(name, shoe), *_order(name, shoe), *_notes(name, shoe)):
            out.print(line)
    return WRONG if wrong else RIGHT


def bring_in(name: str, url: str, table: str, key: str | None) -> None:
    """Play a shoe again on a table of its own; the store is not touched before the shoe has been tried in memory."""
    shoe = _read(name)
    wrong = next(verify(shoe), None)
    if wrong:
        raise BadShoeFile(_line(name, wrong), wrong.line)
    with _naming(name):
        tried = Import(shoe, table, int(time.time() * 1000))
    store = open_store(url)
    try:
        tried.onto(Floor(store, Keys.at(key_file(store, key), create=is_empty(store))))
    finally:
        store.close()
    console().print(Text(f"{len(shoe.coups)} rounds are on table {table}"))


def _read(name: str) -> ShoeFile:
    with _naming(name):
        return read(read_text(name))


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """What is wrong with a shoe's text is said with the name of its file."""
    try:
        yield
    except BadShoeFile as error:
        raise BadShoeFile(f"{name}: {error.message}", error.at) from None


def _seal(name: str, shoe: ShoeFile) -> Text:
    """Whether the text shows that the cards were fixed before the first bet."""
    made = sealed(shoe)
    if made:
        return Text(f"{name}: the cards are in the order that was committed to: {made}", style="green")
    return Text(f"{name}: not sealed: nothing here shows that the order was fixed before the first bet", style="yellow")


def _order(name: str, shoe: ShoeFile) -> Iterator[Text]:
    """Who could have chosen the order of the cards, where it was committed to; and why the shoe was taken out."""
    found = fairness_of(shoe)
    if not (shoe.coups or shoe.headers.get("first-bets")):
        yield Text(f"{name}: no bets opened on this shoe")
    elif found.chosen is Chosen.FLOOR:
        yield Text(f"{name}: nobody contributed to the order: the floor could have tried many before it", "yellow")
    elif found.chosen is Chosen.NOBODY:
        yield Text(f"{name}: {_contributors(found)}")
    if found.unreached:
        yield Text(f"{name}: the floor's file names a beacon, which the floor says it did not reach", "yellow")
    if found.abandoned:
        tries = found.abandoned + 1
        told = (
            f"shoes given up just before: {found.abandoned}; if one party was honest, whoever caused that chose among"
        )
        yield Text(f"{name}: {told} at most {tries} orders", style="yellow")
    if shoe.headers.get("ended"):
        yield Text(f"{name}: by this text, the shoe was taken out {_why_out(shoe.headers['ended'], found.withheld)}")


def _right(rounds: int, bets: int) -> str:
    """What is right.

    >>> _right(1, 0), _right(2, 1)
    ('1 round and 0 wagers are right', '2 rounds and 1 wager are right')
    """
    return f"{rounds} round{'s' * (rounds != 1)} and {bets} wager{'s' * (bets != 1)} are right"


def _why_out(ended: str, withheld: Sequence[str] = ()) -> str:
    r"""Why a shoe was taken out, and whose decision that was, or who withheld a contribution.

    >>> _why_out("spent"), _why_out("decided by pit-manager: a torn card")
    ('because its last round was played', 'because a Pit Manager decided so: a torn card')
    >>> _why_out("unrevealed", ["eve"]), _why_out("no\x1b[2K")
    ('because contributions were not revealed, those of eve', 'as it says: no\\x1b[2K')
    """
    if withheld:
        names = ", ".join(_printable(each) for each in withheld[:_MOST_NAMED])
        more = f" and {len(withheld) - _MOST_NAMED} more" if len(withheld) > _MOST_NAMED else ""
        return f"{_WHY_OUT['unrevealed']}, those of {names}{more}"
    decided = _DECIDED.fullmatch(ended)
    if decided is None or decided["position"] not in {each.value for each in Position}:
        return _WHY_OUT.get(ended, f"as it says: {_printable(ended)}")
    return f"because {one(Position(decided['position']))} decided so: {_printable(decided['reason'])}"


def _printable(text: str) -> str:
    """The text without anything that moves a cursor: whoever made it may want to hide other lines."""
    return text if text.isprintable() else repr(text)[1:-1]


_DECIDED: Final = re.compile(r"decided by (?P<position>[a-z-]+): (?P<reason>.*)")
_MOST_NAMED: Final = 10
_WHY_OUT: Final = {
    "spent": "because its last round was played",
    "proposed": "because a decision said so",
    "unrevealed": "because contributions were not revealed",
    "decided": "because somebody on the staff decided so",
}


def _contributors(found: Fairness) -> str:
    """Who contributed, and what follows."""
    count, beacon = found.contributors, f"the beacon {_printable(found.beacon.split()[0])}" if found.beacon else ""
    patrons = f"{count} patron{'' if count == 1 else 's'}"
    who = " and ".join([*([patrons] if count else []), *([beacon] if beacon else [])])
    honest = "the floor or the patron" if count == 1 else "the floor or one of the patrons" if count else "the floor"
    said = f"{who} contributed to the order: nobody chose it if {honest} was honest"
    return f"{said}, or if the beacon was and the floor's clock was right" if beacon else said


def _notes(name: str, shoe: ShoeFile) -> Iterator[Text]:
    """When a virtual shoe was cut, and whether its rules are for demonstration."""
    if shoe.headers.get("cut"):
        cut = cut_of(shoe)
        if cut is None:
            yield Text(f"{name}: when the shoe was cut is not in the text", style="yellow")
        else:
            before = f", before its first bets opened at {cut.first_bets}" if cut.first_bets else ", before any bets"
            yield Text(f"{name}: the shoe was cut at {cut.at}{before}")
    elif shoe.headers.get("commitment"):
        yield Text(f"{name}: nobody cut the shoe")
    if is_demonstration(shoe):
        rulebook = game_of(shoe).rulebook
        yield Text(
            f"{name}: demonstration rules: {rulebook} has a dealing device, and the cards were virtual", "yellow"
        )


def _line(name: str, wrong: Wrong) -> str:
    return one_line(f"{name}: line {wrong.line}: {wrong.said}")
