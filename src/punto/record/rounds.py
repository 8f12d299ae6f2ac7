"""Rounds as they were written: every step of them, read straight from a table's log."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from punto.errors import Corrupt, NoSuchRound, NoSuchTable
from punto.store import Store

TABLE: Final = "table/"
_PAGE: Final = 500

Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """One event: when, by whom, by which command, and what."""

    version: int
    at_ms: int
    by: Plain
    command: str
    event: Plain

    @property
    def type(self) -> str:
        """What kind of event it is."""
        return str(self.event["type"])


@dataclass(slots=True)
class Round:
    """One round, from "place your bets" to whatever came before the next."""

    number: int
    setup: Plain
    steps: list[Step] = field(default_factory=list)

    def last(self, kind: str) -> Plain | None:
        """The last event of a kind."""
        return next((step.event for step in reversed(self.steps) if step.type == kind), None)

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
        """The settlement that stands, if there is one."""
        return None if self.voided else self.last("round-settled")

    @property
    def cards(self) -> str:
        """The cards as they finally lay; a question mark for one that nobody read."""
        settled = self.settled
        if settled:
            return str(settled["cards"])
        return " ".join(_dealt(self.steps))

    @property
    def commands(self) -> set[str]:
        """The commands that made up the round."""
        return {step.command for step in self.steps}

    def wagers(self) -> dict[int, Plain]:
        """The wagers of the round with the stakes that they came to, by number; what was taken back is not there."""
        wagers: dict[int, Plain] = {}
        for step in self.steps:
            event = step.event
            match step.type:
                case "wager-placed":
                    wagers[event["number"]] = dict(event)
                case "wager-changed" | "wager-removed" | "stake-found":
                    wagers[event["number"]]["stake_cents"] = event["to_cents"]
                case "wager-taken-back" | "wager-withdrawn":
                    wagers.pop(event["number"])
        return {number: wager for number, wager in wagers.items() if wager["stake_cents"]}


def _dealt(steps: Iterable[Step]) -> list[str]:
    """The cards of a round that was not settled, as far as they were seen."""
    cards: list[tuple[str, str]] = []
    for step in steps:
        event = step.event
        match step.type:
            case "card-drawn":
                cards.append((event["card"] or "?", event["side"]))
            case "cards-exposed":
                shown = iter(event["cards"].split())
                cards = [(next(shown), side) if side == event["side"] else (card, side) for card, side in cards]
            case "cards-rebuilt":
                cards = [(card, "") for card in event["cards"].split()]
            case "bets-reopened":
                cards = []
    return [card for card, _ in cards]


def read_step(version: int, body: bytes) -> Step:
    """One entry of a table's log."""
    try:
        plain = msgspec.json.decode(body)
        return Step(version, int(plain["at_ms"]), dict(plain["by"]), str(plain["command"]), dict(plain["event"]))
    except (msgspec.DecodeError, KeyError, TypeError, ValueError):
        raise Corrupt(f"entry {version} of the table's log does not read", version) from None


def steps_of(store: Store, table: str, after: int = 0) -> Iterator[Step]:
    """Every event of a table after a version."""
    for entry in store.read(TABLE + table, after):
        yield read_step(entry.version, entry.body)


def rounds_of(store: Store, table: str, after: int = 0) -> Iterator[Round]:
    """Every round of a table, one at a time; the last may be unfinished."""
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
        if current:
            current.steps.append(step)
    if current:
        yield current


def last_rounds(store: Store, table: str, count: int) -> list[Round]:
    """The last rounds of a table, the unfinished one included, without reading all that came before."""
    tip = store.tip(TABLE + table)
    if tip is None:
        raise no_table(store, table)
    after = tip.version
    found: list[Round] = []
    while after > 0 and len(found) < count:
        after = max(0, after - max(_PAGE, tip.version - after))
        found = list(rounds_of(store, table, after))
    return found[-count:]


def find_round(store: Store, table: str, number: int) -> Round:
    """The round of that number."""
    if store.tip(TABLE + table) is None:
        raise no_table(store, table)
    last = 0
    for each in rounds_of(store, table):
        if each.number == number:
            return each
        last = each.number
    raise NoSuchRound(f"table {table} has no round {number}: expected 1 to {last}")


def tables_of(store: Store) -> list[str]:
    """Every table that the store knows."""
    return [stream.removeprefix(TABLE) for stream, _ in store.streams() if stream.startswith(TABLE)]


def no_table(store: Store, table: str) -> NoSuchTable:
    """What is said of a table that the store does not know."""
    return NoSuchTable(
        f"the store knows no table {table!r}: expected {', '.join(tables_of(store)) or 'one, it has none'}"
    )


def credits_around(store: Store, patron: str, commands: set[str]) -> tuple[int, int] | None:
    """A patron's credits before the first and after the last of some commands, as the wallet has it."""
    stream = f"wallet/{patron}"
    tip = store.tip(stream)
    after = tip.version if tip else 0
    while after > 0:
        after = max(0, after - max(_PAGE, (tip.version if tip else 0) - after))
        found = _around(store, stream, after, commands)
        if found:
            return found
    return None


def _around(store: Store, stream: str, after: int, commands: set[str]) -> tuple[int, int] | None:
    """The balances around the commands, if the entries after this version show the one before them too."""
    before: int | None = 0 if after == 0 else None
    first: int | None = None
    last = 0
    for entry in store.read(stream, after):
        booked = msgspec.json.decode(entry.body)
        balance = int(booked.get("balance_cents", 0))
        if booked["command"] in commands:
            first = before if first is None else first
            last = balance
        elif first is None:
            before = balance
    return None if first is None else (first, last)
