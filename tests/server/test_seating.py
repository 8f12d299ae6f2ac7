"""Where a patron sits."""

import pytest

from punto.errors import NotSeated, TableIsFull
from punto.rules.money import Cents
from punto.server.seating import seat_for
from punto.table import Phase, Placed, Setup, Table
from punto.table.setup import complete

AT_MS = 1_800_000_000_000
OPEN = Table(phase=Phase.BETS_OPEN, setup=complete(Setup(game="fortune-six", positions=3), AT_MS))
ANNS: dict[int, tuple[Placed, ...]] = {2: (Placed(1, "ann", "Banker", Cents(1000), 2, 0),)}


def with_wagers(seats: dict[int, tuple[Placed, ...]]) -> Table:
    return Table(phase=OPEN.phase, setup=OPEN.setup, seats=seats)


@pytest.mark.parametrize(
    ("seats", "wanted", "expected"),
    [
        ({}, 0, 1),
        ({}, 3, 3),
        ({1: "bob"}, 0, 2),
        ({1: "bob"}, 1, 2),  # somebody sits there
        ({2: "ann"}, 0, 2),  # keeps the seat
        ({2: "ann"}, 3, 3),  # and may change it
        ({}, 99, 1),  # there is no such seat
        ({}, -1, 1),
    ],
)
def test_a_patron_gets_the_seat_asked_for_or_the_next_that_is_free(
    seats: dict[int, str], wanted: int, expected: int
) -> None:
    assert seat_for(OPEN, seats, "ann", wanted) == expected


def test_where_wagers_of_a_patron_lie_there_the_patron_sits() -> None:
    assert seat_for(with_wagers(ANNS), {1: "bob"}, "ann", 3) == 2
    assert seat_for(with_wagers(ANNS), {}, "bob", 2) == 1


def test_a_table_can_be_full_or_closed() -> None:
    with pytest.raises(TableIsFull, match="all 3 places"):
        seat_for(OPEN, {1: "bob", 2: "cho", 3: "dan"}, "ann", 0)
    with pytest.raises(TableIsFull):
        seat_for(with_wagers(ANNS), {1: "bob", 3: "dan"}, "eve", 0)
    with pytest.raises(NotSeated, match="closed"):
        seat_for(Table(), {}, "ann", 0)
