"""Reading a scenario: its heading and its lines, or the one line that says what is wrong and where."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, get_args

from punto.errors import BadScenario, PuntoError, quoted
from punto.games import RULEBOOKS, find
from punto.table import AnyEvent, Phase

# What a line may have beside the fields of its command.
EXPECTATIONS: Final = ("expect", "refused", "phase", "credits")
OURS: Final = ("draw", "after_s", *EXPECTATIONS)
_HEADING: Final = ("scenario", "clauses", "under", "readings", "game")
_LONGEST_S: Final = 10**9
# No command nests deeper by far.
_DEEPEST: Final = 20
_LONGEST_SHOWN: Final = 40


@dataclass(frozen=True)
class Line:
    """One line: what is done, and what is expected of it."""

    number: int
    fields: dict[str, Any]


@dataclass(frozen=True)
class Heading:
    """What a scenario is about, and the line that says so."""

    title: str = ""
    clauses: tuple[str, ...] = ()
    under: tuple[str, ...] = ()
    readings: tuple[int, ...] = ()
    game: str = ""
    line: Line | None = None

    def named(self, book: str) -> tuple[str, ...]:
        """The clauses under one rulebook, by their full names."""
        return tuple(f"{book} {number}" for number in self.clauses)


@dataclass(frozen=True)
class Scenario:
    """A heading and lines."""

    heading: Heading
    lines: tuple[Line, ...]


def read_scenario(text: str) -> Scenario:
    """A scenario from its text."""
    heading = Heading()
    lines: list[Line] = []
    for line in _lines_of(text):
        if "scenario" in line.fields:
            if lines or heading.line:
                raise _wrong(line, "a heading comes first, and only once")
            heading = _heading(line)
        else:
            _check_shapes(line)
            lines.append(line)
    if not lines:
        raise BadScenario("a scenario without a line: expected one command a line")
    return Scenario(heading, tuple(lines))


def shown(value: object) -> str:
    """A value fit for one line of a message.

    >>> shown("king"), shown(["B8"]), shown(True)
    ("'king'", '["B8"]', 'true')
    """
    if isinstance(value, str):
        return quoted(value, _LONGEST_SHOWN)
    text = json.dumps(value)
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


def _wrong(line: Line, said: str) -> BadScenario:
    return BadScenario(f"line {line.number}: {said}", line.number)


# JSON


def _lines_of(text: str) -> Iterator[Line]:
    """Every line that is not empty and no comment."""
    for number, content in enumerate(text.split("\n"), 1):
        if content.strip() and not content.lstrip().startswith("#"):
            yield Line(number, _object(content, number))


def _object(content: str, number: int) -> dict[str, Any]:
    try:
        value = json.loads(content, object_pairs_hook=_without_repetition, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise BadScenario(f"line {number}: not JSON: {_said(error)}", number) from None
    if not isinstance(value, dict):
        raise BadScenario(f"line {number}: expected a JSON object", number)
    if _nests_beyond(value, _DEEPEST):
        raise BadScenario(f"line {number}: it nests too deeply: expected {_DEEPEST} levels at most", number)
    if not _is_whole_text(value):
        raise BadScenario(f"line {number}: half a sign, as in \\ud83d alone: expected whole ones", number)
    return value


def _said(error: ValueError | RecursionError) -> str:
    match error:
        case json.JSONDecodeError():
            # Some of its messages end with this word themselves.
            return f"{error.msg.removesuffix(' at')} at character {error.colno}"
        case _NotJson():
            return str(error)
        case RecursionError():
            return "it nests too deeply"
        case _:
            return "a number has too many digits"


class _NotJson(ValueError):
    """Something that Python reads and JSON does not have, or that nobody could mean."""


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object, if no key comes twice: only one of the two would count."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _NotJson(f"the key {quoted(key)} comes twice")
        found[key] = value
    return found


def _no_number(word: str) -> None:
    raise _NotJson(f"{word} is no number")


def _nests_beyond(value: object, depth: int) -> bool:
    """Whether lists and objects lie in one another more than *depth* times."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return depth < 0 or any(_nests_beyond(each, depth - 1) for each in inside)


def _is_whole_text(value: object) -> bool:
    """Whether every sign in it can be written down; JSON can name halves of signs, which stand for nothing."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


# The heading


def _heading(line: Line) -> Heading:
    fields = line.fields
    unknown = [key for key in fields if key not in _HEADING]
    if unknown:
        raise _wrong(line, f"a heading has {', '.join(_HEADING)}: {quoted(unknown[0])} is none of them")
    title, game = (_text(line, key, fields.get(key, "")) for key in ("scenario", "game"))
    heading = Heading(
        title,
        tuple(_list(line, "clauses", _is_text, 'numbers as text, such as ["3.1", "5.17.2"]')),
        tuple(_list(line, "under", _is_text, 'rulebooks, such as ["B8", "TNC5"]')),
        tuple(_list(line, "readings", _is_whole, "whole numbers, such as [14, 23]")),
        game,
        line,
    )
    for book in heading.under:
        if book not in RULEBOOKS:
            raise _wrong(line, f"{quoted(book)} is no rulebook: expected {', '.join(RULEBOOKS)}")
    _check_game(line, heading)
    return heading


def _text(line: Line, key: str, value: object) -> str:
    if not isinstance(value, str):
        raise _wrong(line, f"{key}: {shown(value)}: expected text")
    return value


def _list(line: Line, key: str, fits: Callable[[object], bool], expected: str) -> list[Any]:
    values = line.fields.get(key, [])
    if not isinstance(values, list) or not all(map(fits, values)):
        raise _wrong(line, f"{key}: {shown(values)}: expected a list of {expected}")
    return values


def _check_game(line: Line, heading: Heading) -> None:
    """Refuse a game that is none, or that is played under another rulebook."""
    if not heading.game:
        return
    try:
        book = find(heading.game).rulebook
    except PuntoError as error:
        raise _wrong(line, f"game: {error.message}") from None
    if heading.under != (book,):
        named = ", ".join(heading.under) or "none"
        raise _wrong(line, f"{heading.game} is not played under {named}: expected {shown([book])}")


# What stands beside a command


def _check_shapes(line: Line) -> None:
    """Refuse an expectation that could never be met, whatever the table does."""
    for key, (fits, expected) in _SHAPES.items():
        if key in line.fields and not fits(line.fields[key]):
            raise _wrong(line, f"{key}: {shown(line.fields[key])}: expected {expected}")
    _check_words(line)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_time(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= _LONGEST_S


def _are_events(value: object) -> bool:
    return isinstance(value, list) and all(
        _is_text(each.get("type") if isinstance(each, dict) else each) for each in value
    )


def _check_words(line: Line) -> None:
    """Refuse an event that there is not, and a code that no refusal has."""
    for each in line.fields.get("expect", ()):
        type_ = each["type"] if isinstance(each, dict) else each
        if type_ not in _EVENTS:
            raise _wrong(line, f"expect: {shown(type_)} is no event: expected one of {', '.join(_EVENTS)}")
    code = line.fields.get("refused")
    if code is not None and code not in _codes():
        raise _wrong(line, f"refused: {shown(code)} is no code: expected one of {', '.join(_codes())}")


@cache
def _codes() -> tuple[str, ...]:
    """The codes of all that a floor may refuse a command with."""
    kinds: list[type[PuntoError]] = [PuntoError]
    for kind in kinds:
        kinds += kind.__subclasses__()
    return tuple(sorted({kind.code for kind in kinds[1:]}))


def _are_credits(value: object) -> bool:
    return isinstance(value, dict) and all(map(_is_whole, value.values()))


_EVENTS: Final = tuple(sorted(str(kind.__struct_config__.tag) for kind in get_args(AnyEvent)))
_PHASES: Final = tuple(phase.value for phase in Phase)
_SHAPES: Final[Mapping[str, tuple[Callable[[object], bool], str]]] = {
    "draw": (lambda value: _is_text(value) and bool(str(value).strip()), 'cards, such as "Ks 2h ?"'),
    "after_s": (_is_time, f"seconds, from 0 to {_LONGEST_S}"),
    "expect": (_are_events, 'a list of events, each a type or an object with a "type"'),
    "refused": (_is_text, 'the code of a refusal, such as "out-of-turn"'),
    "phase": (_PHASES.__contains__, f"one of {', '.join(_PHASES)}"),
    "credits": (_are_credits, 'whole cents by patron, such as {"ann": 5000}'),
}
