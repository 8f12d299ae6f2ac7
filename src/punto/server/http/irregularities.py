"""What a table's rulebook says of irregularities, and how each is reported."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, Literal

import msgspec
from litestar import get
from litestar.params import FromPath
from msgspec import Struct

from punto.errors import OutOfTurn
from punto.games import RULEBOOKS
from punto.rules import Conduct, Duty, Found, Label, Position, Remedy, Rule
from punto.rules.positions import POSITIONS
from punto.server.faces.info import text
from punto.server.http.asking import Ask, server_of
from punto.server.http.problems import documented
from punto.server.wire.tells import Text
from punto.server.words.irregularities import (
    CIRCUMSTANCES,
    DECREASE,
    FOUND,
    HOW_MANY,
    INCREASE,
    INPUTS,
    REMEDIES,
    REMOVE,
)
from punto.table import commands as do
from punto.table.commands import Command
from punto.table.reports import REPORTED_WITH

Kind = Literal["flag", "text", "cards", "count", "side", "wager", "cents", "positions", "places"]

# Who decides, where the rulebook leaves something to decide.
_DECIDES: Final = {
    Remedy.REFER: Duty.RULE,
    Remedy.ORDER_THEN_OFFER: Duty.ORDER_CARDS,
    Remedy.COUNT: Duty.WITNESS_COUNT,
    Remedy.OFFER_THEN_PLAY_ON: Duty.ALLOW_WITHDRAWAL,
}
_KINDS: Final[dict[str, Kind]] = {
    "order_known": "flag",
    "player": "cards",
    "banker": "cards",
    "order": "cards",
    "left": "cards",
    "other_left": "cards",
    "other_cards": "count",
    "side": "side",
    "number": "wager",
    "stake_cents": "cents",
    "terminals": "positions",
    "together": "places",
    "places": "places",
}
# What the page or the floor fills in, or what only tells one interruption from the other.
_FILLED_IN: Final = frozenset({"id", "table", "by", "at_ms", "found", "confirmed_by"})


class PositionInfo(Struct, frozen=True):
    """A position of staff, and where it is said that it takes that one."""

    position: Position
    title: Text
    clause: str


class Input(Struct, frozen=True):
    """Something that a report must say, or may."""

    name: str
    kind: Kind
    label: Text
    required: bool


class ReportForm(Struct, frozen=True):
    """The command that reports it, what it needs, and who may give it at least."""

    do: str
    inputs: tuple[Input, ...]
    by: PositionInfo | None


class RuleInfo(Struct, frozen=True):
    """What follows, when all of the circumstances are there; *decides* where something is left to a person."""

    when: tuple[Text, ...]
    remedy: str
    text: Text
    clause: str
    decides: PositionInfo | None


class IrregularityInfo(Struct, frozen=True):
    """Something that may be found, and what the rulebook has follow; the first rule that fits applies.

    *covered* says whether the rulebook speaks of it: what it does not is referred.
    """

    found: Found
    title: Text
    means: Text
    covered: bool
    report: ReportForm
    rules: tuple[RuleInfo, ...]


class Irregularities(Struct, frozen=True):
    """All of them, for a table."""

    rulebook: str
    irregularities: tuple[IrregularityInfo, ...]


@get("/api/tables/{key:str}/irregularities", sync_to_thread=False, responses=documented(404, 409))
def irregularities(request: Ask, key: FromPath[str]) -> Irregularities:
    """What may be found at a table, how it is reported, and what its rulebook has follow from it."""
    table = server_of(request).hall.find(key).table
    if table.setup is None:
        raise OutOfTurn("the table is closed: it is played under no rulebook now")
    return _of_rulebook(table.book.code)


@lru_cache(maxsize=16)
def _of_rulebook(code: str) -> Irregularities:
    conduct = RULEBOOKS[code].conduct
    # What the table finds by itself is reported by nobody.
    return Irregularities(code, tuple(_irregularity(conduct, found) for found in Found if found in REPORTED_WITH))


def _irregularity(conduct: Conduct, found: Found) -> IrregularityInfo:
    meaning = FOUND[found]
    return IrregularityInfo(
        found=found,
        title=text(meaning.title),
        means=text(meaning.means),
        covered=found in conduct.rules or (found is Found.DIFFERENTIAL and conduct.differential is not None),
        report=_report(conduct, found),
        rules=tuple(_rules(conduct, found)),
    )


def _report(conduct: Conduct, found: Found) -> ReportForm:
    kind = REPORTED_WITH[found]
    inputs = [_input(kind, field) for field in msgspec.structs.fields(kind) if field.name not in _FILLED_IN]
    if found is Found.INTERRUPTION:
        inputs = []
    elif kind is do.ReportOrder:
        together = found is Found.DRAWN_TOGETHER
        required = [msgspec.structs.replace(each, required=each.required or each.name == "together") for each in inputs]
        inputs = required if together else [each for each in inputs if each.name != "together"]
    elif found is Found.TERMINALS_DOWN:
        inputs = [msgspec.structs.replace(each, required=True) for each in inputs]
    return ReportForm(str(kind.__struct_config__.tag), tuple(inputs), _holder(conduct, kind.duty))


def _input(command: type[Command], field: Any) -> Input:  # noqa: ANN401 (a field of any type)
    kind = _KINDS.get(field.name, "text")
    label = INPUTS[field.name]
    if field.name == "cards":
        kind, label = ("count", HOW_MANY) if field.type is int else ("cards", label)
    required = field.required or (command is do.RemoveWager and field.name == "number")
    return Input(field.name, kind, text(label), required)


def _rules(conduct: Conduct, found: Found) -> Iterator[RuleInfo]:
    """The rules in order; after the last that has circumstances, that it is referred."""
    differential = conduct.differential
    if found is Found.DIFFERENTIAL and differential is not None:
        remover = _holder(conduct, Duty.REMOVE_WAGERS)
        yield _told(DECREASE, differential.decrease, "decrease", None)
        yield _told(INCREASE, differential.increase, "increase", None)
        yield _told(REMOVE, differential.remove, "remove", remover)
        return
    rules = conduct.rules.get(found, ())
    if not any(not rule.when for rule in rules):
        rules = (*rules, Rule(conduct.other_clause or "", Remedy.REFER))
    for rule in rules:
        duty = _DECIDES.get(rule.remedy)
        when = tuple(text(CIRCUMSTANCES[each]) for each in sorted(rule.when, key=lambda each: each.value))
        decides = _holder(conduct, duty) if duty else None
        yield RuleInfo(when, rule.remedy.value, text(REMEDIES[rule.remedy]), rule.clause, decides)


def _told(said: Label, clause: str, step: str, decides: PositionInfo | None) -> RuleInfo:
    return RuleInfo((), step, text(said), clause, decides)


def _holder(conduct: Conduct, duty: Duty | None) -> PositionInfo | None:
    charge = conduct.duties.get(duty) if duty else None
    return PositionInfo(charge.position, text(POSITIONS[charge.position]), charge.clause or "") if charge else None
