"""Spelling: what people write in a line, brought into the one form that commands have.

The commands themselves say which fields they have and which words each field takes, so that nothing is listed twice.
What is not among them is answered with what is.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from functools import cache
from typing import Any, Final

from msgspec import inspect

from punto.cards import spell_cards
from punto.errors import BadCommand, BadReport, UnknownCard
from punto.floor.scenario.reading import OURS, shown
from punto.rules import Found, Position
from punto.table import Actor, AnyCommand
from punto.table.events import ShoeRuling
from punto.table.reports import REPORTED_WITH, reported_elsewhere

RESTART: Final = "restart"
DRAW: Final = "draw-card"
# Fields, of commands and of events, whose text is cards.
CARD_FIELDS: Final = frozenset(
    {
        "banker",
        "before",
        "burn",
        "burnt",
        "card",
        "cards",
        "device",
        "discarded",
        "discards",
        "draw",
        "kept",
        "left",
        "missing",
        "order",
        "other_left",
        "out",
        "play",
        "played",
        "player",
        "surplus",
    }
)
# Fields that name wagers: as text, in a list, or as the keys of an object.
_WAGER_FIELDS: Final = frozenset({"limits", "wager", "wagers"})
# What every command has, and what a line may have beside it: told last where the fields of a command are listed.
_COMMON: Final = ("by", "id", "table", "at_ms")
# What the words of a list are, where the name of the list does not say it in plain English.
_NOUNS: Final[Mapping[type[Enum], str]] = {Found: "finding", ShoeRuling: "decision about the shoe"}


class Wagers:
    """The names of the wagers at a table, however they are written.

    >>> Wagers(["Super 7's"]).spelt("SUPER 7’S")
    "Super 7's"
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names = {_letters(name): name for name in names}

    def spelt(self, written: str) -> str:
        """The name that is meant; what is none stays as it is, for the table to refuse."""
        return self._names.get(_letters(written), written)


def _letters(name: str) -> str:
    """A name without case, spaces and signs."""
    return "".join(sign for sign in name.casefold() if sign.isalnum())


def words_of(written: str) -> str:
    """A word of a list in its usual form.

    >>> words_of("Gaming Shift  Manager"), words_of("DEALER")
    ('gaming-shift-manager', 'dealer')
    """
    return "-".join(written.casefold().replace("-", " ").replace("_", " ").split())


# Commands


@cache
def commands() -> Mapping[str, inspect.StructType]:
    """Every command by its name, with the fields that it has."""
    kinds = inspect.type_info(AnyCommand)
    assert isinstance(kinds, inspect.UnionType)
    return {str(kind.tag): kind for kind in kinds.types if isinstance(kind, inspect.StructType)}


def spell_command(fields: Mapping[str, Any], wagers: Wagers) -> dict[str, Any]:
    """The fields of a command with every word of them as the command has it."""
    do = fields.get("do")
    known = commands()
    name = words_of(do) if isinstance(do, str) else do
    if not isinstance(name, str) or name not in known:
        said = "do is missing" if do is None else f"do: {shown(do)} is no command"
        raise BadCommand(f"{said}: expected draw with cards, or one of {', '.join((*known, RESTART))}")
    try:
        return _Speller(wagers).fields({**fields, "do": name}, known[name], name)
    except BadCommand:
        _check_finding(fields.get("found"), known[name])
        raise


def _check_finding(written: object, kind: inspect.StructType) -> None:
    """A finding that comes with the wrong command usually has the wrong fields, too: name the right command first."""
    for found, command in REPORTED_WITH.items():
        if isinstance(written, str) and words_of(written) == found.value and command is not kind.cls:
            raise BadReport(reported_elsewhere(found))


def check_restart(fields: Mapping[str, Any]) -> None:
    """Refuse what a restart does not have: it is done by nobody, and to the whole floor."""
    for key in fields.keys() - {"do", *_COMMON}:
        raise BadCommand(f"{RESTART} has no field {shown(key)}: expected {', '.join(OURS[1:])}")


class _Speller:
    """Goes through the fields of one command, by their types."""

    def __init__(self, wagers: Wagers) -> None:
        self._wagers = wagers

    def fields(self, written: Mapping[str, Any], kind: inspect.StructType, name: str) -> dict[str, Any]:
        """The fields of a command, or of an object in it, with none unknown and none missing."""
        types = {field.encode_name: field.type for field in kind.fields}
        for key in written:
            if key not in types and key != kind.tag_field:
                raise BadCommand(f"{name} has no field {shown(key)}: expected {', '.join(_listed(kind))}")
        for field in kind.fields:
            if field.required and field.encode_name not in written:
                raise BadCommand(f"{name}: {field.encode_name} is missing")
        return {
            key: self._spelt(value, types[key], key, kind) if key in types else value for key, value in written.items()
        }

    def _spelt(self, value: Any, kind: inspect.Type, key: str, owner: inspect.StructType) -> Any:  # noqa: ANN401
        match kind, value:
            case inspect.UnionType(), _:
                return self._of_union(value, kind, key, owner)
            case inspect.StructType(), _ if kind.cls is Actor and not isinstance(value, dict):
                return _actor(value, key)
            case inspect.StructType(), dict():
                return self.fields(value, kind, key)
            case inspect.EnumType(), _:
                return _word(value, kind.cls, key, owner)
            case inspect.StrType(), str() if key in CARD_FIELDS:
                return spell_field(key, value)
            case inspect.StrType(), str() if key in _WAGER_FIELDS:
                return self._wagers.spelt(value)
            case ((inspect.VarTupleType() | inspect.ListType()), list()):
                return [self._spelt(each, kind.item_type, key, owner) for each in value]
            case inspect.DictType(), dict():
                inside = {each: self._spelt(value[each], kind.value_type, key, owner) for each in value}
                return self._by_wager(inside, key) if key in _WAGER_FIELDS else inside
        return value

    def _by_wager(self, value: dict[str, Any], key: str) -> dict[str, Any]:
        """An object whose keys are wagers, each of them once."""
        spelt: dict[str, Any] = {}
        for written, each in value.items():
            name = self._wagers.spelt(written)
            if name in spelt:
                raise BadCommand(f"{key}: {name} comes twice")
            spelt[name] = each
        return spelt

    def _of_union(self, value: Any, kind: inspect.UnionType, key: str, owner: inspect.StructType) -> Any:  # noqa: ANN401
        """The value as the one of several types that it can be; objects tell by their tag which they are."""
        tagged = {each.tag: each for each in kind.types if isinstance(each, inspect.StructType) and each.tag_field}
        if tagged and isinstance(value, dict):
            field = next(iter(tagged.values())).tag_field
            tag = value.get(str(field))
            if not isinstance(tag, str) or tag not in tagged:
                raise BadCommand(f"{key}: {field} {shown(tag)}: expected one of {', '.join(map(str, tagged))}")
            return self.fields(value, tagged[tag], f"{key} {tag}")
        for each in kind.types:
            if isinstance(value, _TAKES.get(type(each), ())):
                return self._spelt(value, each, key, owner)
        return value


# What plain values a type can be read from, as far as there is something to spell in them.
_TAKES: Final[Mapping[type[inspect.Type], tuple[type, ...]]] = {
    inspect.EnumType: (str,),
    inspect.StrType: (str,),
    inspect.StructType: (dict, str),
    inspect.VarTupleType: (list,),
    inspect.ListType: (list,),
    inspect.DictType: (dict,),
}


def _listed(kind: inspect.StructType) -> list[str]:
    """The fields of a command, its own first; or those of an object."""
    names = [field.encode_name for field in kind.fields]
    if kind.cls not in {each.cls for each in commands().values()}:
        return names
    order = ("order",) if kind.tag == "load-shoe" else ()
    return [*order, *(name for name in names if name not in _COMMON), *_COMMON, *OURS[1:]]


def _word(written: object, words: type[Enum], key: str, owner: inspect.StructType) -> str:
    """The word of a list that is meant."""
    known = {words_of(each.value): str(each.value) for each in words}
    spelt = known.get(words_of(written)) if isinstance(written, str) else None
    if spelt is not None:
        return spelt
    noun = _NOUNS.get(words, words.__name__.lower())
    own = [found.value for found, command in REPORTED_WITH.items() if command is owner.cls] if words is Found else []
    of = f" of {owner.tag}" if own else ""
    raise BadCommand(f"{key}: {shown(written)} is no {noun}{of}: expected {', '.join(own or known.values())}")


def _actor(written: object, key: str) -> dict[str, str]:
    """Who acts: as many words as make a position, and the rest is the name."""
    words = written.split() if isinstance(written, str) else []
    positions = [position.value for position in Position]
    for length in range(len(words), 0, -1):
        position = words_of(" ".join(words[:length]))
        if position in positions:
            return {"position": position, "name": " ".join(words[length:]) or position}
    raise BadCommand(f"{key}: {shown(written)} is no position: expected {', '.join(positions)}, and then a name")


def spell_field(key: str, written: object) -> str:
    """The cards of a field."""
    if not isinstance(written, str):
        raise BadCommand(f'{key}: {shown(written)}: expected cards, such as "Ks 2h"')
    try:
        return spell_cards(written)
    except UnknownCard as error:
        raise UnknownCard(f"{key}: {error.message}", error.at) from None


# What is expected


def spell_expected(value: Any, wagers: Wagers, key: str = "") -> Any:  # noqa: ANN401
    """An expected value with its cards and wagers spelt; what cannot be read is left as it is, and will not come."""
    match value:
        case dict():
            return {each: spell_expected(inner, wagers, each) for each, inner in value.items()}
        case list():
            return [spell_expected(each, wagers, key) for each in value]
        case str() if key in CARD_FIELDS:
            try:
                return spell_cards(value)
            except UnknownCard:
                return value
        case str() if key in _WAGER_FIELDS:
            return wagers.spelt(value)
    return value
