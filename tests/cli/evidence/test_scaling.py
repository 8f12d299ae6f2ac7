"""The count of words: even for the permutation's own scaling, and uneven for any other."""

from collections.abc import Iterator

import pytest

from punto.cards import STANDARD
from punto.cli.evidence import scaling
from punto.lab.randomness import Battery


def test_the_permutations_own_scaling_is_even_and_the_planted_remainder_is_not() -> None:
    found = scaling.examined(Battery(STANDARD, 4), 208)
    assert found.holds
    assert (found.uneven_small, found.uneven_edges) == ([], [])
    assert (found.planted_is_uneven, found.planted_bound, found.planted_favour) == (True, 208, "0.3175%")
    assert found.planted_caught_by == []
    assert [each.bound for each in found.bounds] == list(range(2, 651))
    assert all(int(each.accepted) % each.bound == 0 for each in found.bounds)
    assert found.most_passed < 650 / 2**64


@pytest.mark.parametrize("edge", [1, -1])
def test_a_scaling_that_draws_the_line_elsewhere_is_found_out(edge: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def moved(bound: int, words: Iterator[int], of: int = 2**64) -> int:
        return next(word for word in words if word < of - of % bound + edge) % bound

    monkeypatch.setattr(scaling, "below", moved)
    found = scaling.examined(Battery(STANDARD, 4), 208)
    assert not found.holds
    assert found.uneven_small
    assert len(found.uneven_edges) > 600
