"""Checking: what came of a line against what was written, and a heading against what may be cited."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

from msgspec import Struct

from punto.errors import PuntoError, quoted
from punto.floor.scenario.reading import EXPECTATIONS, Heading, Line
from punto.games import GAMES
from punto.games.citations import CLAUSE_NUMBERS, LAST_READING, READING_NUMBERS
from punto.rules import Position
from punto.table import AnyEvent

# What a field may be that was left out because it has nothing to say.
_NOTHING: Final[tuple[object, ...]] = (None, False, "", 0, [], {})


@dataclass(frozen=True)
class Expectation:
    """What must come of a line; what is None may be anything."""

    events: Sequence[str | Mapping[str, Any]] | None = None
    refused: str | None = None
    phase: str | None = None
    credits: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_stated(self) -> bool:
        """Whether the line says what becomes of its command."""
        return self.events is not None or self.refused is not None


# A line


def against(expected: Expectation, events: Sequence[AnyEvent], refusal: PuntoError | None) -> Iterator[str]:
    """Whatever came otherwise than expected of a command."""
    if refusal is not None and expected.refused is None:
        yield f"expected to be accepted, was refused with {refusal.code}: {refusal.message}"
        return
    if expected.refused is not None and (refusal is None or refusal.code != expected.refused):
        came = f"refused with {refusal.code}: {refusal.message}" if refusal else "accepted"
        yield f"expected to be refused with {expected.refused}, was {came}"
        return
    if expected.events is not None:
        yield from _events_against(expected.events, events)


def _events_against(expected: Sequence[str | Mapping[str, Any]], events: Sequence[AnyEvent]) -> Iterator[str]:
    found = [_type_of(event) for event in events]
    wanted = [each if isinstance(each, str) else str(each["type"]) for each in expected]
    if found != wanted:
        yield f"expected {', '.join(wanted) or 'no event'}; came {', '.join(found) or 'none'}"
        return
    for event, each in zip(events, expected, strict=True):
        if isinstance(each, Mapping):
            fields = {key: value for key, value in each.items() if key != "type"}
            yield from _differences(fields, _plain(event), _type_of(event))


def _type_of(event: AnyEvent) -> str:
    return str(event.__struct_config__.tag)


def _plain(value: Any) -> Any:  # noqa: ANN401
    """The value as JSON, including fields that are left out when they have their default."""
    match value:
        case Struct():
            return {name: _plain(getattr(value, name)) for name in value.__struct_fields__}
        case Enum():
            return value.value
        case list() | tuple():
            return [_plain(each) for each in value]
        case dict():
            return {str(_plain(key)): _plain(each) for key, each in value.items()}
    return value


def _differences(expected: Any, found: Any, where: str) -> Iterator[str]:  # noqa: ANN401
    """Fields of the expected value that are otherwise; a field that is left out may be anything."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key, value in expected.items():
            if key in found:
                yield from _differences(value, found[key], f"{where}.{key}")
            else:
                yield f"{where} has no field {quoted(key)}: expected one of {', '.join(found) or 'none'}"
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for place, (one, other) in enumerate(zip(expected, found, strict=True), 1):
            yield from _differences(one, other, f"{where}[{place}]")
    elif expected != found and not (expected in _NOTHING and found in _NOTHING):
        yield f"{where}: expected {expected!r}; came {found!r}"


# A heading


def mistakes_in(heading: Heading, book: str, lines: Sequence[Line]) -> Iterator[str]:
    """Clauses that are not in the rulebook, and readings that are not in the register."""
    books = (book,) if book else tuple(dict.fromkeys(_books_of(lines))) or tuple(CLAUSE_NUMBERS)
    for number in heading.clauses:
        if not any(number in CLAUSE_NUMBERS[each] for each in books):
            none = f"{books[0]} has no" if len(books) == 1 else f"none of {', '.join(books)} has a"
            yield f"clauses: {none} clause {quoted(number)}{_like(number, books)}"
    for reading in heading.readings:
        if reading not in READING_NUMBERS:
            yield f"readings: the register has no entry {reading}: expected 1 to {LAST_READING}"


def _like(number: str, books: Sequence[str]) -> str:
    """What the same section has, where there is one."""
    section = number.partition(".")[0]
    near = [each for book in books for each in CLAUSE_NUMBERS[book] if each.partition(".")[0] == section]
    numbers = list(dict.fromkeys(near))
    if not numbers:
        return ": expected a number such as 3.1"
    return f": section {section} goes from {numbers[0]} to {numbers[-1]}"


def _books_of(lines: Sequence[Line]) -> Iterator[str]:
    """The rulebooks of the games that the lines open tables with."""
    for line in lines:
        setup = line.fields.get("setup")
        game = setup.get("game") if isinstance(setup, dict) else None
        if isinstance(game, str) and game in GAMES and GAMES[game].rulebook:
            yield GAMES[game].rulebook


# Patrons


def patrons_in(fields: Mapping[str, Any]) -> Iterator[str]:
    """Everybody whom a line names as a patron, other than in what it expects."""
    for key, value in fields.items():
        if key == "patron" and isinstance(value, str):
            yield value
        elif key == "by":
            yield from _patron_by(value)
        elif key not in EXPECTATIONS:
            for each in value if isinstance(value, list) else [value]:
                yield from patrons_in(each) if isinstance(each, dict) else ()


def _patron_by(by: object) -> Iterator[str]:
    """The patron who acts, if it is one."""
    if isinstance(by, str):
        position, _, name = by.strip().partition(" ")
        by = {"position": position, "name": name.strip()}
    if isinstance(by, dict) and str(by.get("position")).casefold() == Position.PATRON.value:
        yield str(by.get("name"))
