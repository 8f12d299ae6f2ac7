"""What a benchmark says: a figure beside what is asked of it."""

from collections.abc import Iterable
from typing import NamedTuple


class Figure(NamedTuple):
    """What was measured, and what is asked."""

    name: str
    measured: float
    asked: float
    unit: str
    more_is_better: bool = True

    @property
    def met(self) -> bool:
        """Whether it is good enough."""
        return self.measured >= self.asked if self.more_is_better else self.measured <= self.asked

    def __str__(self) -> str:
        sign = "≥" if self.more_is_better else "≤"
        verdict = "ok" if self.met else "SHORT"
        return f"{self.name:<60} {self.measured:>10,.4g} {self.unit:<9} asked {sign} {self.asked:<9,.4g} {verdict}"


def told(figures: Iterable[Figure]) -> int:
    """Print figures as they come; 1 if one of them falls short, as an exit status."""
    met = True
    for figure in figures:
        met = met and figure.met
        print(figure, flush=True)
    return 0 if met else 1
