from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
import pytest
from tests.web.staff.casebook import CASES, GATE, Case, Follows
from tests.web.staff.conftest import House
from tests.web.staff.shapes import shapes, steps
from tests.web.staff.stage import Stage

from punto.games import RULEBOOKS
from punto.rules import Found, Remedy


def tried() -> Iterator[Any]:
    """Every case; those that have no shape of their own are left to the night."""
    for case in CASES:
        marks = () if case.name in GATE else pytest.mark.nightly
        yield pytest.param(case, id=case.name, marks=marks)


@pytest.mark.parametrize("case", list(tried()))
def test_an_irregularity_is_reported_and_decided_on_the_consoles(house: House, case: Case) -> None:
    Stage(house, case).play()
    assert followed(house.record.events(case.key)) == sorted(case.follows, key=str)


def followed(events: Iterable[dict[str, str]]) -> list[Follows]:
    """What was found, and what followed from it."""
    found = [_follows(event) for event in events if event["type"] == "irregularity-found"]
    referred = [_referral(event) for event in events if event["type"] == "referred" and event["found"] == "other"]
    return sorted((*found, *referred), key=str)


def _follows(event: dict[str, str]) -> Follows:
    return Follows(Found(event["found"]), Remedy(event["remedy"]), event.get("clause", ""))


def _referral(event: dict[str, str]) -> Follows:
    return Follows(Found.OTHER, Remedy.REFER, event.get("clause", ""))


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CASES])
def test_a_scenario_finds_what_the_casebook_says(case: Case) -> None:
    events = [msgspec.to_builtins(event) for step in steps(case) for event in step.events]
    assert followed(events) == sorted(case.follows, key=str)


def test_every_shape_of_irregularity_is_on_the_pages_before_the_night() -> None:
    chosen = [case for case in CASES if case.name in GATE]
    assert len(chosen) == len(GATE), "a name of the gate belongs to no case"
    tried_by_day = Counter(shape for case in chosen for shape in shapes(case))
    uncovered = {shape: case.name for case in CASES for shape in shapes(case) if not tried_by_day[shape]}
    assert not uncovered, "add a case of each shape to the gate"
    spare = [case.name for case in chosen if all(tried_by_day[shape] > 1 for shape in shapes(case))]
    assert not spare, "the night has these cases too, and the gate needs none of them"


# In an ordinary room the cutting card changes nothing: there is nothing to report (B8 3.17).
_NOTHING_TO_REPORT = {("B8", Found.CUTTING_CARD_FIRST, Remedy.PLAY_ON)}


@pytest.mark.parametrize("book", ["B8", "EB4", "FF2"])
def test_every_rule_of_every_kind_of_rulebook_is_in_the_casebook(book: str) -> None:
    tried = {(case.book.replace("E7U", "EB4"), each.found, each.remedy) for case in CASES for each in case.follows}
    rules = RULEBOOKS[book].conduct.rules
    wanted = {(book, found, rule.remedy) for found, of_found in rules.items() for rule in of_found}
    assert wanted - tried <= _NOTHING_TO_REPORT
