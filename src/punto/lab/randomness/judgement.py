"""One judgement of many tests: Holm's, by which an even shuffle fails with a probability of 1 % at most."""

from collections.abc import Iterable, Sequence
from typing import Final

from punto.lab.randomness.battery import Finding

# Tests are made at 99 % confidence.
LEVEL: Final = 0.01


def rejected(chances: Sequence[float], level: float = LEVEL) -> list[bool]:
    """Which of several tests fail, by Holm: the smallest p is held against level/m, the next against level/(m - 1).

    However the tests depend on one another, the probability that any of them fails by chance alone is *level* at most.

    >>> rejected([0.02, 0.001, 0.6], 0.05)
    [True, True, False]
    >>> rejected([0.03, 0.04, 0.6], 0.05)
    [False, False, False]
    """
    found = [False] * len(chances)
    for place, at in enumerate(sorted(range(len(chances)), key=chances.__getitem__)):
        if chances[at] > level / (len(chances) - place):
            break
        found[at] = True
    return found


def caught(findings: Iterable[Finding], level: float = LEVEL) -> list[Finding]:
    """The tests that fail, the clearest first."""
    all_of_them = list(findings)
    failed = rejected([finding.verdict.p for finding in all_of_them], level)
    found = [finding for finding, fails in zip(all_of_them, failed, strict=True) if fails]
    return sorted(found, key=lambda finding: finding.verdict.p)
