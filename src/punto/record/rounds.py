"""Rounds as they were written: every step of them, read straight from a table's log.

Nothing is taken on trust: an entry that is missing, or is not of the shape that entries have, ends the reading.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import msgspec

from punto.cards import parse_cards
from punto.errors import Corrupt, NoSuchRound, NoSuchTable, PuntoError, named, quoted
from punto.games import digest, edition, loads
from punto.record.checks.matters import read_logged
from punto.record.entries import does_not_read, end_of, entries_of, pages
from punto.record.lying import cards_of
from punto.record.wagers import CHANGES, REMOVED, VOID, WITHDRAWN, Wagers
from punto.rules import Coup, Deal, Game
from punto.store import Entry, Store

TABLE: Final = "table/"
# So many tables are named to somebody who asked for one that is not there.
_MOST_NAMED: Final = 20

Plain = dict[str, Any]

# The rounds of a table have their game in common: its declaration is read once.
_declared: Final = lru_cache(maxsize=32)(loads)


@dataclass(frozen=True, slots=True)
class Step:
    """One event: when, by whom, by which command, and what."""

    version: int
    at_ms: int
    by: Plain
    command: str
    event: Plain
    stream: str

    @property
    def type(self) -> str:
        """What kind of event it is."""
        return str(self.event["type"])

    @property
    def patrons(self) -> set[str]:
        """Whose money it may move."""
        each = [*self.event.get("payments", ()), *self.event.get("returns", ())]
        return {one["patron"] for one in (self.event, *each) if "patron" in one}

    def wrong(self, why: str) -> Corrupt:
        """What is said of a step that cannot be."""
        return Corrupt(f"{named(self.stream)}: entry {self.version} {why}", self.version)


# With these the next shoe begins, or the table's next opening.
_OF_NEXT_SHOE: Final = frozenset(
    {
        *("shoe-loaded", "contribution-committed", "contributions-closed", "contribution-revealed", "beacon-drawn"),
        *("shoe-cut", "table-closed", "table-opened"),
    }
)
# What may still put right a round that is over, whatever has come since.
_PUTS_RIGHT: Final = frozenset(
    {
        *CHANGES,
        *("cards-rebuilt", "totals-announced", "outcome-announced"),
    }
)


@dataclass(slots=True)
class Round:
    """One round, from "place your bets" to whatever came before the next, or before the next shoe."""

    number: int
    setup: Plain
    steps: list[Step] = field(default_factory=list)
    # Whether the next shoe has come: what follows is of the round only where it puts something right there.
    is_past: bool = False

    def last(self, *kinds: str) -> Plain | None:
        """The last event of a kind, or of several."""
        return next((step.event for step in reversed(self.steps) if step.type in kinds), None)

    @property
    def opened(self) -> Plain:
        """How the round began."""
        return self.steps[0].event

    @property
    def voided(self) -> Plain | None:
        """How the round was made void, if it was."""
        return self.last("round-voided")

    @property
    def settled(self) -> Plain | None:
        """The settlement that stands, if there is one: neither reversed nor made void."""
        last = self.last("round-settled", "settlement-reversed", "round-voided")
        return last if last and last["type"] == "round-settled" else None

    @property
    def state(self) -> str:
        """Whether the round is settled, void or unfinished."""
        return VOID if self.voided else "settled" if self.settled else "unfinished"

    @property
    def winner(self) -> str | None:
        """Who won, once that is settled."""
        announced = self.last("outcome-announced")
        return str(announced["winner"]) if announced and self.settled else None

    @property
    def cards(self) -> str:
        """The cards as they finally lay; a question mark for one that nobody read."""
        settled = self.settled
        if settled:
            return str(settled["cards"])
        return " ".join(cards_of(step.event for step in self.steps))

    @property
    def game(self) -> Game | None:
        """The game as it was declared then, by the table or a rulebook; none that this Punto does not know."""
        declared = self.setup.get("declaration")
        if not declared:
            return edition(self.setup.get("game", ""), self.opened["digest"])
        try:
            game = _declared(declared)
        except PuntoError:
            raise self.steps[0].wrong("is played by a declaration that does not read") from None
        return game if digest(game) == self.opened["digest"] else None

    @property
    def coup(self) -> Coup | None:
        """The coup that was settled, where the game is known."""
        game = self.game
        if game is None or not self.settled:
            return None
        step = next(step for step in reversed(self.steps) if step.type == "round-settled")
        try:
            coup = Deal.of(game.opening, parse_cards(self.cards, game.deck)).coup
        except PuntoError:
            coup = None
        if coup is None:
            raise step.wrong("settles cards that make no coup")
        return coup

    def commands_of(self, patron: str) -> list[str]:
        """The commands of the round that may have moved a patron's money, in order."""
        own = (step.command for step in self.steps if step.type in CHANGES and patron in step.patrons)
        return list(dict.fromkeys(own))

    def wagers(self) -> dict[int, Plain]:
        """The wagers that stayed until they were settled, made void or returned, by number."""
        gone = {WITHDRAWN, REMOVED}
        return {number: wager for number, wager in self.every_wager().items() if wager["result"] not in gone}

    def every_wager(self) -> dict[int, Plain]:
        """The wagers of the round with what became of each, by number; what was taken back in time is not there.

        *result* says what became of it, *paid_cents* what went back to the patron in all, *clause* by which clause;
        *removed_cents* is what was removed of a wager that stayed.
        """
        wagers = Wagers()
        for step in self.steps:
            change = CHANGES.get(step.type)
            try:
                if change:
                    change(wagers, step.event)
            except KeyError:
                raise step.wrong("is about a wager that was never placed") from None
        return wagers.placed


def read_step(entry: Entry) -> Step:
    """One entry of a table's log, if it is of the shape that the audit knows."""
    try:
        logged = read_logged(entry.body)
        plain = msgspec.json.decode(entry.body)
    except ValueError as error:
        raise does_not_read(entry, error) from None
    return Step(entry.version, logged.at_ms, plain["by"], logged.command, plain["event"], entry.stream)


def steps_of(store: Store, table: str, after: int = 0) -> Iterator[Step]:
    """Every event of a table after a version."""
    return map(read_step, entries_of(store, TABLE + table, after))


def rounds_of(store: Store, table: str, after: int = 0) -> Iterator[Round]:
    """Every round of a table, one at a time; the last may be unfinished.

    A round knows its setup only if the opening of the table is among what is read.
    """
    setup: Plain = {}
    current: Round | None = None
    for step in steps_of(store, table, after):
        match step.type:
            case "table-opened":
                setup = step.event["setup"]
            case "bets-opened":
                if current:
                    yield current
                current = Round(step.event["round"], setup)
        if current and not _is_later(current, step):
            current.steps.append(step)
    if current:
        yield current


def _is_later(current: Round, step: Step) -> bool:
    """Whether a step belongs to what comes after a round that is over: the next shoe, but for what is put right."""
    if step.type in _OF_NEXT_SHOE and current.state != "unfinished":
        current.is_past = True
    about = step.event.get("round", current.number) == current.number
    return current.is_past and not (about and step.type in _PUTS_RIGHT)


def last_rounds(store: Store, table: str, count: int) -> list[Round]:
    """The last rounds of a table, the unfinished one included, without reading all that came before."""
    end = end_of(store, TABLE + table)
    if not end:
        raise no_table(store, table)
    found: list[Round] = []
    for after in pages(end):
        found = list(rounds_of(store, table, after))
        if len(found) >= count:
            break
    return found[-count:]


def find_round(store: Store, table: str, number: int) -> Round:
    """The round of that number."""
    if not end_of(store, TABLE + table):
        raise no_table(store, table)
    last = 0
    for each in rounds_of(store, table):
        if each.number == number:
            return each
        last = each.number
    expected = f"expected 1 to {last}" if last else "it has had none"
    raise NoSuchRound(f"table {named(table)} has no round {number}: {expected}")


def tables_of(store: Store) -> list[str]:
    """Every table that the store knows."""
    return [stream.removeprefix(TABLE) for stream, _ in store.streams(TABLE)]


def no_table(store: Store, table: str) -> NoSuchTable:
    """What is said of a table that the store does not know."""
    known = tables_of(store)
    some = [*map(named, known[:_MOST_NAMED]), *(("…",) if len(known) > _MOST_NAMED else ())]
    expected = ", ".join(some) or "one, it has none"
    return NoSuchTable(f"the store knows no table {quoted(table, 100)}: expected {expected}")
