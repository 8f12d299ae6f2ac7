"""The shapes of irregularities: what a case asks of the pages, whatever its cards and amounts are.

Cases of the same shapes fill in the same forms, see the same remedies follow, and are decided and answered in the same
places. The scenario of a case is run without a browser to see which those are. A line in which no page has a part, such
as a draw by which the table itself finds that cards are missing, has no shape.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

from tests.web.staff.casebook import Case
from tests.web.staff.stage import ACTS, DECISIONS, OURS, REPORTS

from punto.floor.scenario import Runner, Step
from punto.store.memory import MemoryStore
from punto.table import events as on


@cache
def steps(case: Case) -> tuple[Step, ...]:
    """What comes of each line of a case that the table does not refuse."""
    played = {line.number for line in case.lines()}
    run = Runner(MemoryStore(), case.written, case.book).run()
    return tuple(step for step in run if step.line.number in played and step.refusal is None)


def shapes(case: Case) -> frozenset[str]:
    """All shapes of a case, each as a line to read."""
    found: set[str] = set()
    whole = False
    for step in steps(case):
        found.update(_shapes(case, step, whole=whole))
        whole = next((each.whole for each in step.events if isinstance(each, on.WithdrawalOffered)), whole)
    return frozenset(found)


def _shapes(case: Case, step: Step, *, whole: bool) -> Iterator[str]:
    """The shapes of one line; *whole* says whether the offer that is open is of all wagers or none."""
    line = step.line.fields
    do = line.get("do", "draw-card")
    if do in REPORTS or do.startswith("report-"):
        yield f"{do} with {_filled(line)}"
        yield f"a report {case.room}"
        if line.get("confirmed_by"):
            yield "a report that two people make"
        if do == "report-order" and "?" in line["player"] + line["banker"]:
            yield "a report of cards without a name"
        yield from _remedies(step)
    elif do in DECISIONS:
        yield f"{do}{_variant(do, line)} by the {_position(line)}"
    elif do in ACTS or line.get("same_moment_as"):
        yield f"{do} with {_filled(line)}"
    elif do == "answer-offer":
        yield _answer(case, line["patron"], whole=whole, withdraws=bool(line["withdraw"]))
    elif do == "call-time" and case.patient:
        yield "time is called"
    elif do == "call-time":
        for patron in next(each.silent for each in step.events if isinstance(each, on.OfferClosed)):
            yield _answer(case, patron, whole=whole, withdraws=False)


def _filled(line: dict[str, Any]) -> str:
    """The fields of a report's form that are filled in."""
    names = [name for name, value in line.items() if name not in (*OURS, "found", "patron") and value]
    return " and ".join(sorted(names)) or "nothing"


def _remedies(step: Step) -> Iterator[str]:
    """What the rulebook has follow."""
    for event in step.events:
        if isinstance(event, on.IrregularityFound):
            yield f"{event.remedy.value} follows"


def _position(line: dict[str, Any]) -> str:
    """The position of who does it."""
    by = line["by"]
    return str(by["position"] if isinstance(by, dict) else by.partition(" ")[0])


def _variant(do: str, line: dict[str, Any]) -> str:
    """What tells one decision of a form from another."""
    match do:
        case "rule":
            return f" {line['ruling']}"
        case "remove-wager":
            return " in part" if line.get("stake_cents") else " whole"
        case _:
            return ""


def _answer(case: Case, patron: str, *, whole: bool, withdraws: bool) -> str:
    where = "at a terminal" if patron in case.seated else "by the dealer"
    offered = "all wagers or none" if whole else "any wagers"
    return f"{offered} offered, {'withdrawn' if withdraws else 'played on'} {where}"
