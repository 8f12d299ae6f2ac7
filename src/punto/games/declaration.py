"""The TOML form of a game: written, read back equal, and identified by a digest.

A declaration that does not read is refused with the line and the column of the mistake, inside a condition too.
"""

import hashlib
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final, NoReturn, TypeVar

from punto.cards import DECKS, Deck
from punto.errors import BadCondition, BadDeclaration, quoted
from punto.games import names
from punto.games.bounds import OWN, Bounds, check_bounds
from punto.games.catalogue import EDITIONS, GAMES, RULEBOOKS
from punto.games.spans import Path, Spans, line_and_column
from punto.rules import OPENINGS, PUSH, Condition, Game, Label, Odds, Pay, Wager, parse_condition

_KEY: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_ODDS: Final = re.compile(r"(\d{1,7}(?:\.\d{1,4})?) to (\d{1,7}(?:\.\d{1,4})?)")
_DIGITS: Final = re.compile(r"[0-9_]{4300,}")
_TOMLLIB_PLACE: Final = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_CHINESE: Final = {label.en: label.zh for label in names.ALL}

# What is only said, and decides nothing.
_SAID: Final = frozenset({"title", "title-zh", "zh"})
_GAME_KEYS: Final = ("key", "title", "title-zh", "rulebook", "deck", "opening", "wager")
_WAGER_KEYS: Final = ("name", "zh", "clause", "pays")
_PAY_KEYS: Final = ("when", "odds", "clause")


def plain(game: Game) -> dict[str, Any]:
    """The declaration as plain values."""
    return {
        "key": game.key,
        "title": game.title.en,
        "title-zh": game.title.zh,
        "rulebook": game.rulebook,
        "deck": game.deck.key,
        "opening": game.opening.key,
        "wager": [
            {
                "name": wager.label.en,
                "zh": wager.label.zh,
                "clause": wager.clause,
                "pays": [
                    {"when": str(pay.when), "odds": _written(pay.odds), "clause": pay.clause} for pay in wager.pays
                ],
            }
            for wager in game.wagers
        ],
    }


def digest(game: Game) -> str:
    """The SHA-256 of what decides money: key, rulebook, deck, opening; each wager's name, clauses, conditions and odds.

    Titles and translations are left out, and so are the layout and comments of a file. What the deck holds, what the
    facts mean and how cards are drawn are not in it either: for those the rulebook's version stands.
    """
    declared = plain(game)
    judged = {key: value for key, value in declared.items() if key not in _SAID}
    judged["wager"] = [{key: value for key, value in each.items() if key not in _SAID} for each in declared["wager"]]
    text = json.dumps(judged, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def edition(key: str, declared: str) -> Game | None:
    """The game as it was declared under that digest; none when this Punto does not know such a declaration.

    A declaration that changes keeps its old form in `EDITIONS`, so that an old record is judged by the rules that it
    was played under.
    """
    candidates = [game for game in (GAMES.get(key), *EDITIONS.get(key, ())) if game]
    return next((game for game in candidates if digest(game) == declared), None)


def dumps(game: Game) -> str:
    """The game as a TOML text."""
    declaration = plain(game)
    wagers = declaration.pop("wager")
    lines = [f"{key} = {_string(value)}" for key, value in declaration.items()]
    for wager in wagers:
        pays = wager.pop("pays")
        lines += ["", "[[wager]]", *[f"{key} = {_string(value)}" for key, value in wager.items()], "pays = ["]
        lines += ["  { " + ", ".join(f"{key} = {_string(value)}" for key, value in pay.items()) + " }," for pay in pays]
        lines.append("]")
    return "\n".join(lines) + "\n"


def loads(text: str, bounds: Bounds = OWN) -> Game:
    """The game that a TOML text declares; `BadDeclaration` says what is wrong, and where.

    A text beyond the *bounds* is refused before it is read.
    """
    check_bounds(text, bounds)
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(text, str(error)) from None
    except ValueError:  # Python reads no whole number of thousands of digits
        found = _DIGITS.search(text)
        line, column = line_and_column(text, found.start() if found else 0)
        raise _at(line, column, "a number too long to be read: expected no number in a declaration") from None
    return _Reader(Spans(text), bounds).game(document)


def _written(odds: Odds) -> str:
    """The odds exactly, as a pair of whole numbers."""
    return "push" if odds == PUSH else f"{odds.won} to {odds.staked}"


def _string(text: str) -> str:
    """A TOML string; names are printable, so JSON's escapes are TOML's."""
    return json.dumps(text, ensure_ascii=False)


def _not_toml(text: str, message: str) -> BadDeclaration:
    """The refusal of a text that is no TOML, with the place that `tomllib` found."""
    match = _TOMLLIB_PLACE.search(message)
    said = message[: match.start()] if match else message
    if match and match.group(1):
        line, column = int(match.group(1)), int(match.group(2))
    else:
        line, column = line_and_column(text, len(text))
    return _at(line, column, f"not TOML: {said}")


_Kind = TypeVar("_Kind", str, list[Any], dict[str, Any])
_KIND_WORDS: Final[Mapping[type, str]] = {str: "a string", list: "a list", dict: "a table"}


# Whose keys are at a path of that length.
_OWNERS: Final = {0: "the game", 2: "this wager", 4: "this pay row"}


class _Reader:
    """Turns a document into a game, and knows where each of its values stands."""

    def __init__(self, spans: Spans, bounds: Bounds) -> None:
        self.spans = spans
        self.bounds = bounds
        self.rows = 0

    def game(self, document: dict[str, Any]) -> Game:
        self.only(document, (), _GAME_KEYS)
        key = self.text(document, (), "key")
        if not _KEY.fullmatch(key):
            self.fail(
                ("key",),
                f"{quoted(key)} is no key: expected lower-case words joined by hyphens, as in 'fortune-six'",
            )
        title = self.text(document, (), "title")
        deck = self.one_of(document, "deck", DECKS, "standard")
        opening = self.one_of(document, "opening", OPENINGS, "classic")
        wagers = tuple(self.wagers(document, deck))
        label = Label(title, self.text(document, (), "title-zh", title))
        rulebook = self.text(document, (), "rulebook", "")
        if rulebook and rulebook not in RULEBOOKS:
            self.fail(("rulebook",), f"{quoted(rulebook)} is no rulebook: expected {', '.join(RULEBOOKS)}, or none")
        return Game(key, label, rulebook, deck, wagers, opening)

    def wagers(self, document: dict[str, Any], deck: Deck) -> Iterator[Wager]:
        seen: set[str] = set()
        for place, table in self.tables(document, (), "wager"):
            path: Path = ("wager", place)
            if place >= self.bounds.wagers:
                self.fail(path, f"a game has {self.bounds.wagers} wagers at most")
            self.only(table, path, _WAGER_KEYS)
            name = self.text(table, path, "name")
            if name in seen:
                self.fail((*path, "name"), f"the wager '{name}' is declared twice")
            seen.add(name)
            clause = self.text(table, path, "clause", "")
            zh = self.text(table, path, "zh", _CHINESE.get(name, name))
            yield Wager(Label(name, zh), clause, tuple(self.pays(table, path, clause, deck)))

    def pays(self, wager: dict[str, Any], path: Path, clause: str, deck: Deck) -> Iterator[Pay]:
        for place, table in self.tables(wager, path, "pays"):
            row: Path = (*path, "pays", place)
            self.rows += 1
            if self.rows > self.bounds.rows:
                self.fail(row, f"a game has {self.bounds.rows:,} pay rows at most")
            self.only(table, row, _PAY_KEYS)
            when = self.condition(table, row, deck)
            yield Pay(self.text(table, row, "clause", clause), when, self.odds(table, row))

    def condition(self, table: dict[str, Any], row: Path, deck: Deck) -> Condition:
        try:
            return parse_condition(self.get(table, row, "when", str), deck)
        except BadCondition as error:
            self.fail((*row, "when"), error.message, error.at)

    def odds(self, table: dict[str, Any], row: Path) -> Odds:
        text = self.text(table, row, "odds")
        if text == "push":
            return PUSH
        match = _ODDS.fullmatch(text)
        won, staked = (Fraction(figure) for figure in match.groups()) if match else (Fraction(0), Fraction(0))
        if not won or not staked:
            self.fail((*row, "odds"), f"{quoted(text)} is no odds: expected e.g. '12 to 1', '0.95 to 1', or 'push'")
        ratio = won / staked
        return Odds(ratio.numerator, ratio.denominator)

    def text(self, table: dict[str, Any], path: Path, key: str, default: str | None = None) -> str:
        """A printable string of the table."""
        if default is not None and key not in table:
            return default
        text = self.get(table, path, key, str)
        if not text.isprintable() or (not text.strip() and default != ""):
            self.fail((*path, key), f"'{key}' is empty or not printable: expected a line of text")
        return text

    def tables(self, table: dict[str, Any], path: Path, key: str) -> Iterator[tuple[int, dict[str, Any]]]:
        """The tables of a list that must not be empty."""
        elements = self.get(table, path, key, list)
        if not elements:
            self.fail((*path, key), f"'{key}' is empty: expected at least one")
        for place, element in enumerate(elements):
            if not isinstance(element, dict):
                self.fail((*path, key, place), f"'{key}' must be a list of tables")
            yield place, element

    def one_of(self, document: dict[str, Any], key: str, known: Mapping[str, Any], default: str) -> Any:  # noqa: ANN401
        """The object that a name of the document stands for."""
        name = self.text(document, (), key, default)
        if name not in known:
            self.fail((key,), f"{quoted(name)} is no {key}: expected {' or '.join(known)}")
        return known[name]

    def get(self, table: dict[str, Any], path: Path, key: str, kind: type[_Kind]) -> _Kind:
        """A value of the table, of the kind expected."""
        if key not in table:
            self.fail(path, f"{_OWNERS[len(path)]} has no '{key}'")
        value = table[key]
        if not isinstance(value, kind):
            self.fail((*path, key), f"'{key}' must be {_KIND_WORDS[kind]}")
        return value

    def only(self, table: dict[str, Any], path: Path, keys: tuple[str, ...]) -> None:
        """Refuse a key that means nothing here."""
        for key in table:
            if key not in keys:
                line, column = self.spans.place((*path, key), key=True)
                raise _at(line, column, f"unknown key '{key}': expected {', '.join(keys)}")

    def fail(self, path: Path, message: str, letter: int | None = None) -> NoReturn:
        line, column = self.spans.place(path, letter)
        raise _at(line, column, message) from None


def _at(line: int, column: int, message: str) -> BadDeclaration:
    return BadDeclaration(f"line {line}, column {column}: {message}", line, column)
