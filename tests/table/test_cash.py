"""What a table owes a patron whose wallet is stopped lies aside, and the floor alone releases it."""

import pytest
from tests.table.desk import SHIFT, Desk, patron

from punto.errors import NotAllowed, NothingPending
from punto.rules import Position
from punto.rules.money import Cents
from punto.table import Actor, evolve
from punto.table import commands as do
from punto.table import events as on

FLOOR = Actor("floor", Position.SYSTEM)


def owing(*sums: tuple[str, int]) -> Desk:
    desk = Desk()
    for name, cents in sums:
        desk.table = evolve(desk.table, on.CreditsWithheld(name, Cents(cents)))
    return desk


def test_what_lies_aside_for_a_patron_adds_up() -> None:
    assert owing(("ann", 100), ("bob", 30), ("ann", 20)).table.withheld == {"ann": 120, "bob": 30}


def test_all_that_lies_aside_for_one_patron_is_released_at_once_and_only_once() -> None:
    desk = owing(("ann", 100), ("bob", 30), ("ann", 20))
    assert desk(do.ReleaseCredits, FLOOR, patron="ann") == (on.CreditsReleased("ann", Cents(120)),)
    assert desk.table.withheld == {"bob": 30}
    with pytest.raises(NothingPending, match="for ann"):
        desk(do.ReleaseCredits, FLOOR, patron="ann")


@pytest.mark.parametrize("by", [SHIFT, patron("ann")], ids=["manager", "patron"])
def test_nobody_but_the_floor_itself_releases(by: Actor) -> None:
    desk = owing(("ann", 100))
    with pytest.raises(NotAllowed):
        desk(do.ReleaseCredits, by, patron="ann")
    assert desk.table.withheld == {"ann": 100}
