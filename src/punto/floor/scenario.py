"""Scenarios: what is done at a table, line by line, and what is expected to come of it.

A line is a JSON object: a command as in `punto schema commands`, with what is expected beside it. For the eye's sake

- *by* may be a word, or a position and a name: `"dealer"`, `"patron ann"`;
- *id*, *table* and *at_ms* may be left out: the line's number, `T1`, and a second after the line before;
- *after_s* lets more time pass, and `"do": "restart"` stops the floor and starts it again on the same store;
- *draw* draws several cards, one command each, and *order* of `load-shoe` is how a virtual shoe begins.

What is expected: *expect*, the events in order, each a type or an object whose fields must be there; *refused*, the
code of the refusal; *phase* after the line; *credits* in cents by patron. A line that begins with `#` is a comment.

The first line may be a heading: *scenario* (its title), *clauses*, *readings* (entries of the register of
interpretations), and *under*, the rulebooks that it is played under, one after the other. Then `open-table` may leave
out the game, and `$book` stands for the rulebook's code.
"""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from punto.cards import Card, parse_cards
from punto.errors import BadCommand, BadScenario, PuntoError
from punto.floor.handler import TABLE, Floor
from punto.floor.keys import Keys
from punto.floor.wire import as_command
from punto.games import GAMES, RULEBOOKS, find
from punto.ledger import wallet
from punto.store.contract import Store
from punto.table import AnyCommand, AnyEvent

# 1 January 2026, 00:00 in Singapore.
START_MS: Final = 1_767_196_800_000
_SECOND: Final = 1000
_OURS: Final[tuple[str, ...]] = ("expect", "refused", "phase", "credits", "after_s", "draw")
_HEADING: Final = ("scenario", "clauses", "under", "readings", "game")
_DEFAULT_TABLE: Final = "T1"
_LONGEST_S: Final = 10**9


@dataclass(frozen=True)
class Heading:
    """What a scenario is about."""

    title: str = ""
    clauses: tuple[str, ...] = ()
    under: tuple[str, ...] = ()
    readings: tuple[int, ...] = ()
    game: str = ""

    def named(self, book: str) -> tuple[str, ...]:
        """The clauses under one rulebook, by their full names."""
        return tuple(f"{book} {number}" for number in self.clauses)


@dataclass(frozen=True)
class Line:
    """One line: what is done, and what is expected of it."""

    number: int
    fields: dict[str, Any]


@dataclass(frozen=True)
class Scenario:
    """A heading and lines."""

    heading: Heading
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Step:
    """What came of a line: its events or its refusal, and whatever was expected otherwise."""

    line: Line
    events: tuple[AnyEvent, ...] = ()
    refusal: PuntoError | None = None
    wrong: tuple[str, ...] = ()
    checked: bool = False


def read_scenario(text: str) -> Scenario:
    """A scenario from its text."""
    heading = Heading()
    lines: list[Line] = []
    for number, content in enumerate(text.splitlines(), 1):
        if not content.strip() or content.lstrip().startswith("#"):
            continue
        fields = _fields(content, number)
        if "scenario" in fields:
            if lines:
                raise BadScenario(f"line {number}: a heading comes first", number)
            heading = _heading(fields, number)
        else:
            lines.append(Line(number, fields))
    if not lines:
        raise BadScenario("a scenario without a line: expected one command a line")
    return Scenario(heading, tuple(lines))


def _fields(content: str, number: int) -> dict[str, Any]:
    try:
        fields = json.loads(content)
    except (ValueError, RecursionError) as error:
        said = str(error).partition(":")[0] if isinstance(error, ValueError) else "it nests too deeply"
        raise BadScenario(f"line {number}: not JSON: {said}", number) from None
    if not isinstance(fields, dict):
        raise BadScenario(f"line {number}: expected a JSON object", number)
    return fields


def _heading(fields: dict[str, Any], number: int) -> Heading:
    unknown = [key for key in fields if key not in _HEADING]
    under, clauses, readings = (fields.get(key, []) for key in ("under", "clauses", "readings"))
    if unknown or not all(isinstance(each, list) for each in (under, clauses, readings)):
        raise BadScenario(f"line {number}: a heading has {', '.join(_HEADING)}, those in the middle as lists", number)
    for book in under:
        if not isinstance(book, str) or book not in RULEBOOKS:
            raise BadScenario(f"line {number}: {book!r} is no rulebook: expected {', '.join(RULEBOOKS)}", number)
    title, game = str(fields["scenario"]), str(fields.get("game", ""))
    if game and [find(game).rulebook] != under:
        raise BadScenario(f"line {number}: {game} is not played under {', '.join(under) or 'none'}", number)
    return Heading(title, tuple(map(str, clauses)), tuple(under), tuple(readings), game)


class Runner:
    """Plays a scenario on a store, under one rulebook or as it is written."""

    def __init__(self, store: Store, scenario: Scenario, book: str = "", keys: Keys | None = None) -> None:
        self.store = store
        self.scenario = scenario
        self.book = book
        self.keys = keys or Keys.fresh()
        self.at_ms = START_MS
        self.begins: tuple[Card, ...] = ()
        self.floor = self._floor()
        # Several rulebooks on one store have a table each.
        self.table = book if len(scenario.heading.under) > 1 else _DEFAULT_TABLE
        tip = store.tip(TABLE + self.table)
        self.prefix = f"{self.table}-{tip.version if tip else 0}-"

    def _floor(self) -> Floor:
        return Floor(self.store, self.keys, self._shuffle)

    def _shuffle(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """The order that a line asks for at the front, and the rest always the same way: a scenario repeats itself."""
        rest = random.Random(len(cards)).sample(cards, len(cards))  # noqa: S311 (nobody plays for these)
        for card in self.begins:
            rest.remove(card)
        return (*self.begins, *rest)

    def run(self) -> Iterator[Step]:
        """Play line by line; a round that was under way on a store that is kept was interrupted before that."""
        self.floor.recover(self.at_ms, self._tables())
        for line in self.scenario.lines:
            try:
                yield self._step(line)
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
                raise BadScenario(f"line {line.number}: {type(error).__name__}: {error}", line.number) from None

    def _tables(self) -> list[str]:
        """The tables of the scenario that are there; others on the same store are nobody's business here."""
        own = {line.fields.get("table", self.table) for line in self.scenario.lines}
        return [key for key in self.floor.tables() if key in own]

    def _step(self, line: Line) -> Step:
        fields = self._filled(line)
        self.at_ms = fields.get("at_ms", self.at_ms)
        ours = {key: fields.pop(key) for key in _OURS if key in fields}
        if fields.get("do") == "load-shoe" and "order" in fields:
            ours["order"] = fields.pop("order")
        fields["at_ms"] = self.at_ms
        ours["table"] = fields["table"]
        try:
            if fields.get("do") == "restart":
                self.floor = self._floor()
                events = tuple(
                    event for answer in self.floor.recover(self.at_ms, self._tables()) for event in answer.events
                )
            else:
                events = self._played(fields, ours)
        except PuntoError as refusal:
            return Step(line, (), refusal, self._against(ours, (), refusal), _has_expectation(ours))
        return Step(line, events, None, self._against(ours, events, None), _has_expectation(ours))

    def _filled(self, line: Line) -> dict[str, Any]:
        fields: dict[str, Any] = self._spelt(line.fields)
        fields.setdefault("id", f"{self.prefix}{line.number}")
        fields.setdefault("table", self.table)
        self.at_ms += _after_ms(fields.get("after_s", 1), line.number)
        by = fields.get("by")
        if isinstance(by, str):
            position, _, name = by.partition(" ")
            fields["by"] = {"position": position, "name": name or position}
        if fields.get("do") == "open-table" and self.book:
            setup = {"game": self.scenario.heading.game or _game_of(self.book), **fields.get("setup", {})}
            fields["setup"] = setup
        return fields

    def _spelt(self, value: Any) -> Any:  # noqa: ANN401
        """The value with the rulebook's code wherever `$book` stands."""
        if isinstance(value, str):
            return value.replace("$book", self.book)
        if isinstance(value, list):
            return [self._spelt(each) for each in value]
        if isinstance(value, dict):
            return {key: self._spelt(each) for key, each in value.items()}
        return value

    def _played(self, fields: dict[str, Any], ours: dict[str, Any]) -> tuple[AnyEvent, ...]:
        self.begins = parse_cards(str(ours.get("order", "")))
        if "draw" in ours:
            events: tuple[AnyEvent, ...] = ()
            for place, card in enumerate(str(ours["draw"]).split(), 1):
                drawn = None if card == "?" else card
                command = as_command({**fields, "do": "draw-card", "card": drawn, "id": f"{fields['id']}.{place}"})
                events = (*events, *self._handled(command))
            return events
        return self._handled(as_command(fields))

    def _handled(self, command: AnyCommand) -> tuple[AnyEvent, ...]:
        return self.floor.handle(command).events

    def _against(
        self, ours: dict[str, Any], events: tuple[AnyEvent, ...], refusal: PuntoError | None
    ) -> tuple[str, ...]:
        """Whatever came otherwise than expected."""
        return tuple(wrong for check in _CHECKS for wrong in check(self, ours, events, refusal))


Check = Callable[[Runner, dict[str, Any], tuple[AnyEvent, ...], PuntoError | None], Iterator[str]]


def _check_refusal(
    _: Runner, ours: dict[str, Any], __: tuple[AnyEvent, ...], refusal: PuntoError | None
) -> Iterator[str]:
    expected = ours.get("refused")
    if expected is not None and (refusal is None or refusal.code != expected):
        yield f"expected to be refused with {expected}, was {refusal.code if refusal else 'accepted'}"
    if refusal is not None and "expect" in ours:
        yield f"expected events, was refused with {refusal.code}: {refusal.message}"
    elif isinstance(refusal, BadCommand) and expected is None:
        yield "expected a command"


def _check_events(
    _: Runner, ours: dict[str, Any], events: tuple[AnyEvent, ...], refusal: PuntoError | None
) -> Iterator[str]:
    expected = ours.get("expect")
    if expected is None or refusal is not None:
        return
    plain = [msgspec.to_builtins(event) for event in events]
    found = [event["type"] for event in plain]
    wanted = [each if isinstance(each, str) else each.get("type") for each in expected]
    if found != wanted:
        yield f"expected {', '.join(map(str, wanted)) or 'no event'}; came {', '.join(found) or 'none'}"
        return
    for event, each in zip(plain, expected, strict=True):
        if isinstance(each, dict):
            yield from _differences(each, event, str(event["type"]))


def _differences(expected: Any, found: Any, where: str) -> Iterator[str]:  # noqa: ANN401
    """Fields of the expected value that are otherwise; a field that is left out may be anything."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key, value in expected.items():
            if key not in found and value not in (None, False, "", 0, []):
                yield f"{where}: expected {key} {value!r}; there is none"
            elif key in found:
                yield from _differences(value, found[key], f"{where}.{key}")
    elif isinstance(expected, list) and isinstance(found, (list, tuple)) and len(expected) == len(found):
        for place, (one, other) in enumerate(zip(expected, found, strict=True), 1):
            yield from _differences(one, other, f"{where}[{place}]")
    elif expected != found:
        yield f"{where}: expected {expected!r}; came {found!r}"


def _check_state(runner: Runner, ours: dict[str, Any], _: tuple[AnyEvent, ...], __: PuntoError | None) -> Iterator[str]:
    phase = ours.get("phase")
    if phase is not None:
        found = runner.floor.table(ours.get("table", runner.table)).phase.value
        if found != phase:
            yield f"expected phase {phase}; it is {found}"
    for patron, cents in ours.get("credits", {}).items():
        has = runner.floor.balance(wallet(patron))
        if has != cents:
            yield f"expected {patron} to have {cents} cents; there are {has}"


_CHECKS: Final[tuple[Check, ...]] = (_check_refusal, _check_events, _check_state)


def _after_ms(seconds: object, number: int) -> int:
    """The time between a line and the one before it."""
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 <= seconds <= _LONGEST_S:
        raise BadScenario(f"line {number}: after_s: expected seconds, from 0 to {_LONGEST_S}", number)
    return int(seconds * _SECOND)


def _has_expectation(ours: dict[str, Any]) -> bool:
    return "expect" in ours or "refused" in ours


def _game_of(book: str) -> str:
    """The first game of a rulebook."""
    return next(game.key for game in GAMES.values() if game.rulebook == book)
