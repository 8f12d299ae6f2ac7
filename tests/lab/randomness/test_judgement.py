"""The one judgement of many tests."""

import numpy as np

from punto.lab.randomness import Finding, Verdict, caught, rejected


def test_the_published_example_of_holm() -> None:
    """Four hypotheses with p 0.01, 0.04, 0.03 and 0.005 at 5 %: the first and the fourth are rejected."""
    assert rejected([0.01, 0.04, 0.03, 0.005], 0.05) == [True, False, False, True]


def test_nothing_after_a_test_that_passes_is_rejected() -> None:
    assert rejected([0.03, 0.04, 0.05], 0.05) == [False, False, False]
    assert rejected([]) == []


def test_even_values_of_p_fail_once_in_a_hundred() -> None:
    chance = np.random.default_rng(1)
    failed = sum(any(rejected(list(chance.random(40)))) for _ in range(20_000))
    assert 150 < failed < 250  # 199 are expected, with a deviation of 14


def test_what_is_caught_comes_with_the_clearest_first() -> None:
    found = [Finding("topic", name, Verdict("law", 1, 1, p)) for name, p in (("a", 1e-4), ("b", 0.5), ("c", 1e-9))]
    assert [finding.name for finding in caught(found)] == ["c", "a"]
