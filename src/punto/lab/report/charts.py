"""The drawings of a report, as SVG that is the same each time."""

import warnings
from textwrap import fill
from typing import TYPE_CHECKING, Final

import numpy as np

from punto.lab.figures import COLOURS, QUIET, as_bytes, colours, figure
from punto.lab.odds import Comparison, GameOdds
from punto.lab.report.results import Spread
from punto.rules import Side

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from punto.lab.exact import Floats
    from punto.lab.exposure import Exposure

_ACROSS: Final = 4
_DECADES: Final = {10**power: f"$10^{power}$" for power in range(4, 8)}
_BARS: Final = 0.38
_LONG: Final = 17
_POINTS: Final = 121


def edges_by_decks(comparison: Comparison) -> str:
    """The edges against the number of decks; the caption is its title."""
    drawn = comparison.plot()
    drawn.set_size_inches(7.2, 3.4)
    drawn.suptitle("")
    return _svg(drawn)


def totals(odds: GameOdds) -> str:
    """How often each hand ends on each total."""
    with figure(height=2.4) as (drawn, axes):
        sides = ((Side.PLAYER, "Player", -_BARS / 2), (Side.BANKER, "Banker", _BARS / 2))
        for side, name, shift in sides:
            shares = [100 * count / odds.sequences for count in odds.totals[side]]
            places = [total + shift for total in range(len(shares))]
            axes.bar(places, shares, width=_BARS, color=COLOURS[name], label=name)
        axes.set_xticks(range(10))
        axes.grid(visible=False, axis="x")
        axes.set_xlabel("final total")
        axes.set_ylabel("probability, %")
        drawn.legend(loc="outside right upper")
    return _svg(drawn)


def funnels(spreads: "Mapping[str, Spread]") -> str:
    """The range of the return of every wager, narrowing as rounds go by."""
    shade = colours(list(spreads))
    across = min(_ACROSS, len(spreads))
    down = -(-len(spreads) // across)
    with figure(height=0.5 + 1.75 * down) as (drawn, spare):
        spare.remove()
        panels = drawn.subplots(down, across, squeeze=False).ravel()
        for axes, (name, spread) in zip(panels, spreads.items(), strict=False):
            _funnel(axes, name, spread, shade[name])
        for axes in panels[len(spreads) :]:
            axes.remove()
        drawn.supxlabel("rounds", fontsize=9)
        drawn.supylabel("return to the player, %", fontsize=9)
    return _svg(drawn)


def _funnel(axes: "Axes", name: str, spread: Spread, colour: str) -> None:
    if spread.returns:
        rounds, (low, less, more, high) = _smooth(spread)
        for below, above, strength in ((low, high, 0.22), (less, more, 0.45)):
            axes.fill_between(rounds, 100 * below, 100 * above, color=colour, alpha=strength, linewidth=0)
    axes.axhline(100, color=QUIET, linewidth=0.8, linestyle=(0, (4, 3)))
    axes.axhline(100 * float(spread.expected), color=colour, linewidth=1.2)
    axes.set_xscale("log")
    axes.set_xlim(min(_DECADES), max(_DECADES))
    axes.set_xticks(list(_DECADES), list(_DECADES.values()), fontsize=7)
    axes.set_xticks([], minor=True)
    axes.tick_params(labelsize=7)
    axes.set_title(fill(name, _LONG), fontsize=7.5)


def _smooth(spread: Spread) -> "tuple[Floats, list[Floats]]":
    """Curves through the quantiles: between two of them the distance to the mean shrinks as the root of the rounds."""
    exact = np.array(list(spread.returns), dtype=np.float64)
    rounds = np.geomspace(exact[0], exact[-1], _POINTS)
    mean = float(spread.expected)
    curves = []
    for quantiles in zip(*spread.returns.values(), strict=True):
        scaled = (np.array(quantiles) - mean) * np.sqrt(exact)
        curves.append(mean + np.interp(np.log(rounds), np.log(exact), scaled) / np.sqrt(rounds))
    return rounds, curves


def counted(exposures: "Sequence[Exposure]") -> str:
    """What perfect play wins on every wager, by depth."""
    shade = colours([exposure.wager.name for exposure in exposures])
    with figure(height=2.8) as (drawn, axes):
        for exposure in exposures:
            gone = [depth.decks_gone for depth in exposure.depths]
            won = [depth.won_per_hundred for depth in exposure.depths]
            name = exposure.wager.name
            axes.plot(gone, won, "o-", color=shade[name], markersize=3, linewidth=1.4, label=name)
        axes.set_xlabel("decks gone")
        axes.set_ylabel("units won in 100 rounds")
        axes.set_xlim(0, exposures[0].decks)
        axes.set_ylim(bottom=0)
        drawn.legend(loc="outside right upper")
    return _svg(drawn)


def _svg(drawn: "Figure") -> str:
    """The figure as text; a letter that the font lacks leaves a blank, and no more is said of it."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph ", category=UserWarning)
        return as_bytes(drawn, "svg").decode()
