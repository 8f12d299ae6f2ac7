"""How far a wager is exposed to counting, as it shows in shoes dealt."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf, sqrt
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from punto.lab.classes import Ints
from punto.lab.counts import Count, Effect
from punto.lab.dealing import Procedure
from punto.lab.exact import Floats
from punto.lab.tabular import Drawable, Record, Tabular
from punto.rules import Game, Wager

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HUNDRED: Final = 100


@dataclass(frozen=True)
class Play:
    """What somebody wins who bets one unit whenever a rule says so, and otherwise waits."""

    bets: float
    won: float
    error: float
    rounds: float

    @property
    def won_per_hundred(self) -> float:
        """Units won in a hundred rounds, waited for or bet on."""
        return HUNDRED * self.won / self.rounds if self.rounds else 0.0

    @property
    def frequency(self) -> float:
        """The share of rounds on which there is a bet."""
        return self.bets / self.rounds if self.rounds else 0.0

    @property
    def edge(self) -> float:
        """The player's edge on a bet."""
        return self.won / self.bets if self.bets else 0.0


@dataclass(frozen=True)
class Counter:
    """Somebody who bets from some value of a count on: the trigger, without which there is no bet.

    Count and trigger were chosen on other shoes, in half of which they won what is *proved*; *play* is what they win
    here.
    """

    level: int
    count: Count
    trigger: float | None
    play: Play
    proved: float = 0.0

    @property
    def kind(self) -> str:
        """The count in a word: what its sum is used as, and its largest tag."""
        return f"{'running' if self.count.running else 'true'} ±{self.level}"


@dataclass(frozen=True)
class Depth:
    """How things stand when so many decks are gone: the share of rounds in the player's favour, and by how much."""

    decks_gone: float
    rounds: int
    favourable: float
    edge: float
    won_per_hundred: float


@dataclass(frozen=True)
class Exposure(Tabular, Drawable):
    """How far a wager can be counted: exact effects, counts, what perfect play and counters win."""

    game: Game
    wager: Wager
    decks: int
    procedure: Procedure
    shoes: int
    ev: Fraction
    effects: tuple[Effect, ...]
    counters: tuple[Counter, ...]
    rounds: float
    perfect: Play
    depths: tuple[Depth, ...]

    @cached_property
    def best(self) -> Counter:
        """The counter who won the most where counts were chosen; of equals the first, whose count is the simplest."""
        return max(self.counters, key=lambda counter: counter.proved if counter.trigger is not None else -inf)

    @property
    def count(self) -> Count:
        """The best counter's count."""
        return self.best.count

    @property
    def trigger(self) -> float | None:
        """The value of it from which on the best counter bets."""
        return self.best.trigger

    @property
    def counter(self) -> Play:
        """What the best counter wins."""
        return self.best.play

    def records(self) -> Sequence[Record]:
        """One record for each kind of card."""
        return [
            {
                "game": self.game.key,
                "wager": self.wager.name,
                "decks": self.decks,
                "cards": effect.name,
                "effect": float(effect.effect),
                "tag": tag,
                "running": self.count.running,
                "trigger": self.trigger,
                "perfect_won_per_shoe": self.perfect.won,
                "perfect_error": self.perfect.error,
                "counter_won_per_shoe": self.counter.won,
                "counter_error": self.counter.error,
                "rounds_per_shoe": self.rounds,
            }
            for effect, tag in zip(self.effects, self.count.tags, strict=True)
        ]

    def plot(self) -> "Figure":
        """The effects of removal, and what perfect play wins by depth."""
        from punto.lab.figures import COLOURS, QUIET, figure  # noqa: PLC0415

        with figure(height=5.2) as (drawn, spare):
            spare.remove()
            above, below = drawn.subplots(2, 1)
            values = [100 * float(effect.effect) for effect in self.effects]
            shade = [COLOURS["Tie"] if value > 0 else COLOURS["Banker"] for value in values]
            names = [effect.name for effect in self.effects]
            above.bar(range(len(values)), values, color=shade, width=0.7)
            above.set_xticks(range(len(values)), names, rotation=90 if max(map(len, names)) > 4 else 0)  # noqa: PLR2004
            above.axhline(0, color=QUIET, linewidth=0.8)
            above.set_title(f"{self.wager.name}: effect of removing one card from {self.decks} decks")
            above.set_ylabel("percentage points")
            gone = [depth.decks_gone for depth in self.depths]
            below.bar(gone, [depth.won_per_hundred for depth in self.depths], width=0.42, color=COLOURS["Player"])
            below.set_title("What perfect play wins, by depth")
            below.set_xlabel("decks gone")
            below.set_ylabel("units in 100 rounds")
            below.set_xlim(-0.5, self.decks)
        return drawn


class Bets:
    """What comes of one wager over many rounds."""

    def __init__(self, size: int, deck: int) -> None:
        self.size = size
        self.deck = deck
        self._shoe: list[Ints] = []
        self._left: list[Ints] = []
        self._favour: list[Floats] = []
        self._count: list[Floats] = []

    def add(self, shoe: Ints, left: Ints, favour: Floats, count: Floats) -> None:
        """Rounds with the player's edge and what each count says before them, a column for each count."""
        self._shoe.append(shoe)
        self._left.append(left)
        self._favour.append(favour)
        self._count.append(count)

    @cached_property
    def rounds(self) -> tuple[Ints, Ints, Floats, Floats]:
        """All rounds, put together."""
        return (
            np.concatenate(self._shoe),
            np.concatenate(self._left),
            np.concatenate(self._favour),
            np.concatenate(self._count),
        )

    def play(self, bet: NDArray[np.bool_], shoes: int) -> Play:
        """What betting on some of the rounds wins, per shoe."""
        shoe, _, favour, _ = self.rounds
        won = np.bincount(shoe[bet], favour[bet], minlength=shoes)
        error = float(won.std(ddof=1)) / sqrt(shoes) if shoes > 1 else 0.0
        return Play(float(bet.sum()) / shoes, float(won.mean()), error, len(shoe) / shoes)

    def trigger(self, place: int) -> float | None:
        """The value of a count from which on betting wins the most; none if it never wins."""
        _, _, favour, counts = self.rounds
        return _best_from(counts[:, place], favour)

    def proved(self, place: int, searched: int) -> float:
        """What a count wins in the shoes after the first ones, from the value on that served best in those.

        If there are no other shoes, what it wins in the first.
        """
        shoe, _, favour, counts = self.rounds
        first = shoe < searched
        trigger = _best_from(counts[first, place], favour[first])
        after = first if first.all() else ~first
        return 0.0 if trigger is None else float(favour[after & (counts[:, place] >= trigger)].sum())

    def from_count(self, place: int, trigger: float | None) -> NDArray[np.bool_]:
        """The rounds on which there is a bet."""
        counts = self.rounds[3][:, place]
        return np.zeros(len(counts), dtype=bool) if trigger is None else counts >= trigger

    def depths(self) -> tuple[Depth, ...]:
        """By half decks gone."""
        _, left, favour, _ = self.rounds
        halves = (self.size - left) * 2 // self.deck
        found = []
        for half in range(int(halves.max()) + 1):
            here = favour[halves == half]
            good = here[here > 0]
            if len(here):
                share = len(good) / len(here)
                edge = float(good.mean()) if len(good) else 0.0
                found.append(Depth(half / 2 + 0.25, len(here), share, edge, HUNDRED * share * edge))
        return tuple(found)


def _best_from(counts: Floats, favour: Floats) -> float | None:
    values, which = np.unique(counts, return_inverse=True)
    from_there = np.bincount(which, favour)[::-1].cumsum()[::-1]
    best = int(from_there.argmax())
    return float(values[best]) if from_there[best] > 0 else None
