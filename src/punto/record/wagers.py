"""Wagers of a round as they were written: what became of each."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

# What becomes of a wager besides winning, losing and a push.
OPEN: Final = "open"
VOID: Final = "void"
RETURNED: Final = "returned"
WITHDRAWN: Final = "withdrawn"
REMOVED: Final = "removed"

_OF_PAYMENT: Final = ("result", "counted_cents", "paid_cents", "clause")

Plain = dict[str, Any]


@dataclass(slots=True)
class Wagers:
    """The wagers of a round so far, by number, and the clause by which something was last referred."""

    placed: dict[int, Plain] = field(default_factory=dict)
    clause: str = ""

    def give_back(self, number: int, result: str, cents: int, clause: str) -> None:
        """A stake went back."""
        self.placed[number] |= {"result": result, "paid_cents": cents, "clause": clause}


def _placed(wagers: Wagers, event: Plain) -> None:
    told = {key: value for key, value in event.items() if key != "type"}
    wagers.placed[event["number"]] = {**told, "result": OPEN}


def _stake_set(wagers: Wagers, event: Plain) -> None:
    if event["to_cents"]:
        wagers.placed[event["number"]]["stake_cents"] = event["to_cents"]
    else:
        _taken_back(wagers, event)


def _taken_back(wagers: Wagers, event: Plain) -> None:
    del wagers.placed[event["number"]]


def _removed(wagers: Wagers, event: Plain) -> None:
    """A wager, or part of it; once all of it is gone, it is told as it was at first."""
    number, left = event["number"], event["to_cents"]
    wager = wagers.placed[number]
    removed = wager.pop("removed_cents", 0) + event["from_cents"] - left
    if left:
        wager |= {"stake_cents": left, "removed_cents": removed}
    else:
        wager["stake_cents"] = removed
        wagers.give_back(number, REMOVED, removed, event["clause"])


def _withdrawn(wagers: Wagers, event: Plain) -> None:
    wagers.give_back(event["number"], WITHDRAWN, event["cents"], event["clause"])


def _referred(wagers: Wagers, event: Plain) -> None:
    wagers.clause = event.get("clause", "")


def _ruled(wagers: Wagers, event: Plain) -> None:
    """Wagers went back, or parts of them: what is left of such a wager stays and is settled."""
    for each in event.get("returns", ()):
        number, cents = each["number"], each["cents"]
        wager = wagers.placed[number]
        left = wager["stake_cents"] - cents
        if left > 0:
            wager |= {"stake_cents": left, "returned_cents": wager.get("returned_cents", 0) + cents}
        else:
            wagers.give_back(number, RETURNED, cents, wagers.clause)
    for each in event.get("results", ()):
        wagers.placed[each["number"]]["decided"] = True


def _voided(wagers: Wagers, event: Plain) -> None:
    for each in event["returns"]:
        wagers.give_back(each["number"], VOID, each["cents"], event["clause"])


def _settled(wagers: Wagers, event: Plain) -> None:
    for payment in event["payments"]:
        wagers.placed[payment["number"]] |= {key: payment[key] for key in _OF_PAYMENT}


def _reversed(wagers: Wagers, event: Plain) -> None:
    for payment in event["payments"]:
        wager = wagers.placed[payment["number"]]
        for key in _OF_PAYMENT:
            wager.pop(key, None)
        wager["result"] = OPEN


CHANGES: Final[dict[str, Callable[[Wagers, Plain], None]]] = {
    "wager-placed": _placed,
    "wager-changed": _stake_set,
    "stake-found": _stake_set,
    "wager-taken-back": _taken_back,
    "wager-removed": _removed,
    "wager-withdrawn": _withdrawn,
    "referred": _referred,
    "ruled": _ruled,
    "round-voided": _voided,
    "round-settled": _settled,
    "settlement-reversed": _reversed,
}
