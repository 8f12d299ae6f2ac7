"""Running: a scenario played on a store, line by line, and what came of each."""

import random
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from punto.cards import UNNAMED, Card, parse_cards
from punto.errors import BadCommand, BadScenario, BadShoe, PuntoError, quoted
from punto.floor.handler import TABLE, Floor
from punto.floor.keys import Keys
from punto.floor.scenario.checking import Expectation, against, mistakes_in, patrons_in
from punto.floor.scenario.reading import EXPECTATIONS, Line, Scenario
from punto.floor.scenario.spelling import (
    DRAW,
    RESTART,
    Wagers,
    check_restart,
    spell_command,
    spell_expected,
    spell_field,
    words_of,
)
from punto.floor.wire import as_command
from punto.games import GAMES
from punto.ledger import wallet
from punto.store.batch import is_name
from punto.store.contract import Store
from punto.table import AnyEvent, Setup, Source
from punto.table.setup import game_of

# 1 January 2026, 00:00 in Singapore.
START_MS: Final = 1_767_196_800_000
_SECOND: Final = 1000
_DEFAULT_TABLE: Final = "T1"
# What a line can make Python say if it slips through everything that reads it.
_SLIPS: Final = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


@dataclass(frozen=True)
class Step:
    """What came of a line: its events, its refusal, and whatever was expected otherwise.

    A line that draws several cards may have both: the events of the cards before the one that was refused.
    """

    line: Line
    events: tuple[AnyEvent, ...] = ()
    refusal: PuntoError | None = None
    wrong: tuple[str, ...] = ()
    checked: bool = False


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
        for place, card in enumerate(self.begins, 1):
            if card not in rest:
                raise BadShoe(f"order: card {place}, {card}: the shoe has none, or no more of them", place)
            rest.remove(card)
        return (*self.begins, *rest)

    def run(self) -> Iterator[Step]:
        """Play line by line; a round that was under way on a store that is kept was interrupted before that.

        A heading with mistakes in it is the first step.
        """
        self.floor.recover(self.at_ms, self._tables())
        heading = self.scenario.heading
        mistakes = tuple(mistakes_in(heading, self.book, self.scenario.lines))
        if heading.line and mistakes:
            yield Step(heading.line, wrong=mistakes)
        for line in self.scenario.lines:
            try:
                yield self._step(line)
            except _SLIPS as error:
                raise BadScenario(f"line {line.number}: {type(error).__name__}: {error}", line.number) from None

    def _tables(self) -> list[str]:
        """The tables of the scenario that are there; others on the same store are nobody's business here."""
        own = [self._spelt(line.fields.get("table", self.table)) for line in self.scenario.lines]
        return [key for key in self.floor.tables() if key in own]

    @cached_property
    def _patrons(self) -> tuple[str, ...]:
        """Everybody whom a line names as a patron."""
        named = (patrons_in(self._spelt(line.fields)) for line in self.scenario.lines)
        return tuple(dict.fromkeys(patron for each in named for patron in each))

    # One line

    def _step(self, line: Line) -> Step:
        fields = self._filled(line)
        wagers = self._wagers(fields)
        written = {key: fields.pop(key) for key in EXPECTATIONS if key in fields}
        expected = Expectation(
            events=spell_expected(written.get("expect"), wagers),
            refused=written.get("refused"),
            phase=written.get("phase"),
            credits=written.get("credits", {}),
        )
        events, refusal = self._played(fields, wagers)
        wrong = (*against(expected, events, refusal), *self._state_against(expected, fields["table"]))
        return Step(line, events, refusal, wrong, expected.is_stated)

    def _filled(self, line: Line) -> dict[str, Any]:
        """The fields of a line with all that may be left out."""
        fields: dict[str, Any] = self._spelt(line.fields)
        fields.setdefault("id", f"{self.prefix}{line.number}")
        fields.setdefault("table", self.table)
        self.at_ms += int(fields.pop("after_s", 1) * _SECOND)
        if type(fields.setdefault("at_ms", self.at_ms)) is int:
            self.at_ms = fields["at_ms"]
        if isinstance(fields.get("do"), str):
            fields["do"] = words_of(fields["do"])
        if fields.get("do") == "open-table" and self.book and isinstance(fields.setdefault("setup", {}), dict):
            fields["setup"] = {"game": self.scenario.heading.game or _game_of(self.book), **fields["setup"]}
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

    def _setup(self, table: object) -> Setup | None:
        """The setup of a table, if it is open."""
        try:
            return self.floor.table(table).setup if isinstance(table, str) else None
        except PuntoError:
            return None

    def _wagers(self, fields: dict[str, Any]) -> Wagers:
        """The wagers of the table, or of the game that it is about to be opened with."""
        setup = fields.get("setup") if fields.get("do") == "open-table" else self._setup(fields["table"])
        if isinstance(setup, dict):
            game, declaration = setup.get("game"), setup.get("declaration", "")
        else:
            game, declaration = (setup.game, setup.declaration) if isinstance(setup, Setup) else (None, "")
        if not isinstance(game, str) or not isinstance(declaration, str):
            return Wagers()
        try:
            return Wagers(wager.name for wager in game_of(game, declaration).wagers)
        except PuntoError:
            return Wagers()

    # What is done

    def _played(self, fields: dict[str, Any], wagers: Wagers) -> tuple[tuple[AnyEvent, ...], PuntoError | None]:
        """The events of a line, and the refusal that ended it."""
        events: tuple[AnyEvent, ...] = ()
        try:
            for caused in self._caused(fields, wagers):
                events += caused
        except PuntoError as refusal:
            return events, refusal
        return events, None

    def _caused(self, fields: dict[str, Any], wagers: Wagers) -> Iterator[tuple[AnyEvent, ...]]:
        """The events of each command that a line stands for."""
        if "draw" in fields:
            yield from self._drawn(fields, wagers)
        elif fields.get("do") == RESTART:
            check_restart(fields)
            self.floor = self._floor()
            for answer in self.floor.recover(self.at_ms, self._tables()):
                yield answer.events
        else:
            self.begins = self._beginning(fields)
            yield self.floor.handle(as_command(spell_command(fields, wagers))).events

    def _drawn(self, fields: dict[str, Any], wagers: Wagers) -> Iterator[tuple[AnyEvent, ...]]:
        """The events of each card; where one is refused, its place is told."""
        cards = spell_field("draw", fields.pop("draw")).split()
        if fields.get("do", DRAW) != DRAW or "card" in fields:
            raise BadCommand("draw stands in place of do and of card: expected one of them")
        spelt = spell_command({**fields, "do": DRAW}, wagers)
        for place, card in enumerate(cards, 1):
            named = {"card": None if card == UNNAMED else card, "id": f"{fields['id']}.{place}"}
            try:
                yield self.floor.handle(as_command(spelt | named)).events
            except PuntoError as refusal:
                raise _at_card(refusal, card, place, len(cards)) from None

    def _beginning(self, fields: dict[str, Any]) -> tuple[Card, ...]:
        """How a virtual shoe begins, as the line that loads it says."""
        if fields.get("do") != "load-shoe" or "order" not in fields:
            return ()
        setup = self._setup(fields["table"])
        if setup is not None and setup.source is not Source.VIRTUAL:
            raise BadCommand("order: only a virtual shoe begins as it is told: expected a table with source virtual")
        return parse_cards(spell_field("order", fields.pop("order")))

    # What is the case afterwards

    def _state_against(self, expected: Expectation, table: object) -> Iterator[str]:
        """Where the round is and what patrons have, if it is otherwise than expected."""
        if expected.phase is not None:
            try:
                found = self.floor.table(str(table)).phase.value
            except PuntoError as error:
                found = f"none: {error.message}"
            if found != expected.phase:
                yield f"expected phase {expected.phase}; it is {found}"
        for patron, cents in expected.credits.items():
            if not self._is_patron(patron):
                known = ", ".join(self._patrons) or "somebody who buys in"
                yield f"credits: no patron is called {quoted(patron)} here: expected {known}"
            elif (has := self.floor.balance(wallet(patron))) != cents:
                yield f"expected {patron} to have {cents} cents; there are {has}"

    def _is_patron(self, name: str) -> bool:
        """Whether somebody of that name is in the scenario, or has a wallet on the store."""
        return name in self._patrons or (is_name(wallet(name)) and self.store.tip(wallet(name)) is not None)


def _at_card(refusal: PuntoError, card: str, place: int, cards: int) -> PuntoError:
    """The refusal of one of several cards, with the place of that card."""
    if cards == 1:
        return refusal
    placed = copy(refusal)
    placed.message = f"card {place} of {cards}, {card}: {refusal.message.removeprefix('card 1: ')}"
    placed.args = (placed.message,)
    placed.at = place
    return placed


def _game_of(book: str) -> str:
    """The first game of a rulebook."""
    return next(game.key for game in GAMES.values() if game.rulebook == book)
