"""Gaming days where a clock has jumped."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.ledger.periods import believed_periods

MON, TUE, WED = (1, 0), (2, 0), (3, 0)
RUNS = st.lists(st.tuples(st.tuples(st.integers(0, 4), st.integers(0, 2)), st.integers(1, 9)), max_size=8)


@pytest.mark.parametrize(
    ("runs", "believed"),
    [
        ([(MON, 80), (TUE, 5), (MON, 60)], [MON, MON, MON]),
        ([(TUE, 80), (MON, 5), (TUE, 60)], [TUE, TUE, TUE]),
        ([(MON, 80), (WED, 5), (MON, 60), (TUE, 90), (WED, 40)], [MON, MON, MON, TUE, WED]),
        ([(WED, 5), (MON, 60), (TUE, 90)], [MON, MON, TUE]),
        ([(MON, 80), (TUE, 5)], [MON, TUE]),
        ([], []),
    ],
)
def test_a_jump_ahead_or_back_moves_nothing_to_another_day(
    runs: list[tuple[tuple[int, int], int]], believed: list[tuple[int, int]]
) -> None:
    assert believed_periods(runs) == believed


@given(RUNS)
def test_believed_periods_never_go_back_and_are_all_among_those_that_a_clock_said(
    runs: list[tuple[tuple[int, int], int]],
) -> None:
    said = [period for period, _ in runs]
    believed = believed_periods(runs)
    assert believed == sorted(believed)
    assert len(believed) == len(runs)
    assert {*believed} <= {*said}
    if said == sorted(said):
        assert believed == said
