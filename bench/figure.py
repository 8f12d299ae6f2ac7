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
        measured, asked = _shown(self.measured), _shown(self.asked)
        return f"{self.name:<60} {measured:>10} {self.unit:<9} asked {sign} {asked:<9} {verdict}"


def _shown(figure: float) -> str:
    return f"{figure:,.0f}" if figure >= 1000 else f"{figure:.4g}"


def told(figures: Iterable[Figure]) -> int:
    """Print figures as they come; 1 if one of them falls short, as an exit status."""
    met = True
    for figure in figures:
        met = met and figure.met
        print(figure, flush=True)
    return 0 if met else 1
