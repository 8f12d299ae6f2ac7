"""Who may give which command, written down by hand from the rulebooks and the house's orders, and not from the code."""

from typing import Any, Final

import msgspec

from punto.rules import HIGHER_RANKS, RANKS, Position
from punto.table.commands import AnyCommand, Command
from punto.table.events import Ruling

STAFF: Final = (*RANKS, *HIGHER_RANKS)
DEALER, SUPERVISOR, MANAGER, ASSISTANT, SHIFT = RANKS
# Nobody's: the rulebook knows no such act, or only the floor itself does it.
NOBODY: Final = None
Least = Position | None

# By the least position that gives it, on terminals and at dealt tables; the same in both where one is named.
_LEAST: Final[dict[Least, str]] = {
    DEALER: (
        "load-shoe cut-shoe close-contributions end-shoe open-bets close-bets announce settle accept-cards "
        "refuse-cards take-device give-up-device report-cards report-order report-delivery report-reset "
        "report-absence report-carried-off report-stake report-interruption restore-terminals answer-offer "
        "report-display refer buy-in cash-out"
    ),
    SUPERVISOR: "open-table close-table change-limits correct-credits",
    MANAGER: "keep-shoe",
    SHIFT: "rule",
}
_AT_DEALT_TABLES: Final[dict[Least, str]] = {
    DEALER: "place-wager change-wager take-back-wager pass-hand choose-first allow-withdrawal",
    SUPERVISOR: "choose-holder",
    MANAGER: "restrict-areas choose-method permit-squeeze order-cards remove-wager",
    ASSISTANT: "permit-drawing",
    SHIFT: "set-cards-aside count-cards assign-missing",
}
# Whoever deals does these, and patrons with cards of their own, where the cards and the method allow it.
OF_THE_CARDS: Final = frozenset("draw-card show-cutting-card expose-cards call-time attest".split())
# Only patrons themselves, only the floor itself, and what has a message of its own.
OF_OTHERS: Final = frozenset("contribute reveal-contribution release-credits draw-beacon set-stake".split())
# What a patron gives at the patron's own terminal or place.
OF_PATRONS: Final = frozenset(
    (
        "cut-shoe contribute reveal-contribution place-wager change-wager take-back-wager set-stake accept-cards "
        "refuse-cards take-device give-up-device answer-offer buy-in cash-out"
    ).split()
)


# What the clock and the floor's own devices do; `draw-beacon` and `release-credits` nobody else.
OF_THE_CLOCK: Final = frozenset(
    (
        "load-shoe end-shoe close-contributions open-bets close-bets announce settle report-interruption "
        "restore-terminals release-credits draw-beacon draw-card show-cutting-card call-time"
    ).split()
)


def least_of(*, terminals: bool) -> dict[str, Least]:
    """The least position for each command, by its name."""
    found = {name: least for least, names in _LEAST.items() for name in names.split()}
    dealt = {name: least for least, names in _AT_DEALT_TABLES.items() for name in names.split()}
    found |= dict.fromkeys(dealt, NOBODY) if terminals else dealt
    # Nobody on the staff contributes for a patron, and stakes are placed for one at dealt tables only.
    others: dict[str, Least] = dict.fromkeys(OF_OTHERS, NOBODY) | {"set-stake": NOBODY if terminals else DEALER}
    return found | others | dict.fromkeys(OF_THE_CARDS, DEALER)


def may(position: Position, least: Least) -> bool:
    """Whether a position of the usual ranks gives what takes so much; a higher one has no rank unless it is named."""
    return least is not NOBODY and position in RANKS and RANKS.index(position) >= RANKS.index(least)


def name_of(kind: type[Command]) -> str:
    return str(kind.__struct_config__.tag)


KINDS: Final = {name_of(kind): kind for kind in AnyCommand.__args__}
_VALUES: Final[dict[str, Any]] = {
    "patron": "ann", "position": 1, "cents": 500, "stake_cents": 500, "wager": "Banker", "number": 1, "card": None,
    "cards": "", "side": "player", "by_patron": "ann", "reason": "so it is", "matter": "a chip fell", "note": "seen",
    "terminals": [1], "limits": {"*": {"min_cents": 500, "max_cents": 1000}}, "most": 2, "method": "B", "order": "9s",
    "player": "", "banker": "", "ruling": Ruling.CONTINUE.value, "device": "", "discards": "", "to": "ann",
    "designee": "", "holder": "ann", "first": "player", "digest": "0" * 64, "value": "0" * 64, "secret": "0" * 64,
    "missing": "9s", "commitment": "0" * 64, "signature": "0" * 96, "shown": "nothing", "left": "9s", "account": "ann",
}  # fmt: skip


def fields_of(kind: type[Any], setup: Any = None) -> dict[str, Any]:  # noqa: ANN401
    """As much as a command must say, with values that can be."""
    fields: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):
        if field.required and field.name not in Command.__struct_fields__:
            fields[field.encode_name] = setup if field.name == "setup" else _value(field.name, field.type)
    return fields


def _value(name: str, type_: Any) -> Any:  # noqa: ANN401
    info = msgspec.inspect.type_info(type_)
    match info:
        case msgspec.inspect.EnumType(cls=cls):
            values = [each.value for each in cls]
            return _VALUES[name] if _VALUES.get(name) in values else values[0]
        case msgspec.inspect.IntType():
            return _VALUES[name] if isinstance(_VALUES.get(name), int) else 1
        case _:
            return _VALUES[name]


def made(kind: type[Command], by: Any, setup: Any = None) -> Any:  # noqa: ANN401
    """A command that says as much as it must."""
    plain = {name: msgspec.to_builtins(value) for name, value in fields_of(kind, setup).items()}
    common = {"id": "cell", "table": "T1", "by": msgspec.to_builtins(by), "at_ms": 1_800_000_000_000}
    return msgspec.convert({"do": name_of(kind), **common, **plain}, kind, strict=False)
