from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.roads import Cell, lay_out


def drawn(lengths: list[int]) -> str:
    """The streaks as a picture: each by its letter, rows joined by slashes."""
    cells = {cell: "abcdefghij"[place] for place, streak in enumerate(lay_out(lengths)) for cell in streak}
    columns = range(1, max(cell.column for cell in cells) + 1)
    return "/".join("".join(cells.get(Cell(column, row), ".") for column in columns) for row in range(1, 7))


@pytest.mark.parametrize(
    ("lengths", "picture"),
    [
        ([1], "a/././././."),
        ([6], "a/a/a/a/a/a"),
        ([7], "a./a./a./a./a./aa"),  # the turn at the bottom
        ([9, 1], "ab../a.../a.../a.../a.../aaaa"),
        ([9, 6], "ab../ab../ab../ab../abb./aaaa"),  # the turn at a collision: a's tail lies under b
        ([8, 7, 6], "abc../abc../abc../abccc/abbb./aaa.."),
        ([7, 2, 6], "abc/abc/a.c/a.c/a.c/aac"),  # the tail has ended before c comes down
        # Each tail lies on the one before, until a streak turns in the top row and the next begins after it.
        ([11, 10, 9, 8, 7, 3, 2], "abcdefffgg/abcdeeeeee/abcdddddd./abcccccc../abbbbbb.../aaaaaa...."),
    ],
)
def test_streaks_go_down_and_turn_right(lengths: list[int], picture: str) -> None:
    assert drawn(lengths) == picture


@given(st.lists(st.integers(1, 25), max_size=40))
def test_no_two_rounds_share_a_cell_and_each_streak_is_one_line(lengths: list[int]) -> None:
    streaks = lay_out(lengths)
    cells = [cell for streak in streaks for cell in streak]
    assert len(set(cells)) == len(cells) == sum(lengths)
    assert [len(streak) for streak in streaks] == lengths
    starts = [streak[0] for streak in streaks]
    assert all(start.row == 1 for start in starts)
    assert all(left.column < right.column for left, right in pairwise(starts))
    for streak in streaks:
        turned = False
        for one, other in pairwise(streak):
            step = (other.column - one.column, other.row - one.row)
            assert step in {(0, 1), (1, 0)}
            assert not (turned and step == (0, 1)), "a streak that has turned never goes down again"
            turned = turned or step == (1, 0)
        assert max(cell.row for cell in streak) <= 6
