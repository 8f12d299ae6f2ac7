"""Ways of staking: steps, each with a stake, and where a win and a loss lead."""

import tomllib
from dataclasses import dataclass
from typing import Any, Final

from punto.errors import BadStakes, quoted

QUANTILES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
MOST_UNITS: Final = 10**9
_MOST_STEPS: Final = 100


@dataclass(frozen=True)
class Step:
    """A stake in units, and the step that follows a win and a loss; a push changes nothing."""

    stake: int
    win: int
    lose: int


@dataclass(frozen=True)
class Stakes:
    """A way of staking: steps, of which the first is the beginning.

    >>> [step.stake for step in Stakes.named("1-3-2-6").steps]
    [1, 3, 2, 6]
    """

    name: str
    steps: tuple[Step, ...]

    @classmethod
    def named(cls, name: str, most: int = 500) -> "Stakes":
        """One of the ways that everybody knows; martingale starts again rather than stake more than *most* units."""
        if not 1 <= most <= MOST_UNITS:
            raise BadStakes(f"a largest stake of {most:,} units: expected 1 to {MOST_UNITS:,}")
        match name:
            case "flat":
                return cls(name, (Step(1, 0, 0),))
            case "martingale":
                doubled = [1 << power for power in range(most.bit_length()) if 1 << power <= most] or [1]
                return cls(name, tuple(Step(s, 0, (n + 1) % len(doubled)) for n, s in enumerate(doubled)))
            case "paroli":
                return cls(name, (Step(1, 1, 0), Step(2, 2, 0), Step(4, 0, 0)))
            case "1-3-2-6":
                return cls(name, (Step(1, 1, 0), Step(3, 2, 0), Step(2, 3, 0), Step(6, 0, 0)))
        known = "flat, martingale, paroli, 1-3-2-6, or a FILE.toml"
        raise BadStakes(f"{quoted(name)} is no way of staking: expected {known}")

    @classmethod
    def loads(cls, text: str) -> "Stakes":
        """A way of staking declared in TOML: a name, and [[step]] with stake, win and lose, steps counted from 1."""
        try:
            declared = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise BadStakes(f"not TOML: {error}") from None
        steps = declared.get("step")
        if set(declared) - {"name", "step"} or not isinstance(steps, list) or not 1 <= len(steps) <= _MOST_STEPS:
            raise BadStakes(f"expected a name and 1 to {_MOST_STEPS} [[step]], each with stake, win and lose")
        return cls(
            str(declared.get("name", "declared")), tuple(_step(each, n, len(steps)) for n, each in enumerate(steps, 1))
        )


def _step(declared: Any, number: int, steps: int) -> Step:  # noqa: ANN401
    """One step, if its figures are whole and lead to steps that there are."""
    if not isinstance(declared, dict) or set(declared) != {"stake", "win", "lose"}:
        raise BadStakes(f"step {number}: expected stake, win and lose", number)
    figures = [declared[name] for name in ("stake", "win", "lose")]
    if any(type(figure) is not int for figure in figures) or not 0 <= figures[0] <= MOST_UNITS:
        raise BadStakes(f"step {number}: expected whole numbers, and a stake of 0 or more units", number)
    if not all(1 <= figure <= steps for figure in figures[1:]):
        raise BadStakes(f"step {number}: win and lose lead to a step from 1 to {steps}", number)
    return Step(figures[0], figures[1] - 1, figures[2] - 1)
