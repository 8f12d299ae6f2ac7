"""The house's orders, order by order, as the floor's file names them: so that a change says what has changed."""

from collections.abc import Mapping
from typing import Any, Final, Protocol

from punto.rules import Position
from punto.rules.money import money

_HOUR_MS: Final = 3_600_000
_SECOND_MS: Final = 1_000


class _Ordered(Protocol):
    """Orders as they are in force, or as an entry has them."""

    @property
    def independence_ms(self) -> int: ...
    @property
    def shift_ms(self) -> int: ...
    @property
    def cash(self) -> Mapping[Position, Any]: ...
    @property
    def credits_take_two(self) -> bool: ...
    @property
    def own_device(self) -> bool: ...
    @property
    def young_alike(self) -> bool: ...
    @property
    def way_back_waits(self) -> bool: ...
    @property
    def second_factor(self) -> bool: ...
    @property
    def prove_again_ms(self) -> int: ...
    @property
    def report_cents(self) -> int: ...


def _yes(ordered: bool) -> str:  # noqa: FBT001
    return "yes" if ordered else "no"


def told(orders: _Ordered | None) -> dict[str, str]:
    """Each order and what it says; none where nothing is ordered."""
    if orders is None:
        return {}
    said = {
        "independence-hours": f"{orders.independence_ms / _HOUR_MS:g}",
        "shift-hours": f"{orders.shift_ms / _HOUR_MS:g}",
        "credits-take-two": _yes(orders.credits_take_two),
        "own-device": _yes(orders.own_device),
        "young-floors-alike": _yes(orders.young_alike),
        "way-back-waits": _yes(orders.way_back_waits),
        "second-factor": "required" if orders.second_factor else "offered",
        "prove-again-s": f"{orders.prove_again_ms // _SECOND_MS}" if orders.prove_again_ms else "",
        "cash-reports.threshold": money(orders.report_cents) if orders.report_cents else "none",
    }
    for position, limit in orders.cash.items():
        said[f"cash-limits.{position.value}.act"] = money(limit.act_cents)
        said[f"cash-limits.{position.value}.shift"] = money(limit.shift_cents)
    return said


def changed(before: _Ordered | None, now: _Ordered) -> dict[str, str]:
    """What was said before of each order that says something else now, empty where nothing was; none at first."""
    former, present = told(before), told(now)
    names = former.keys() | present.keys() if former else ()
    return {name: former.get(name, "") for name in sorted(names) if former.get(name) != present.get(name)}
