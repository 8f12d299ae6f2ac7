"""Settlement by classes: coups that a wager cannot tell apart are settled once, by its rows."""

from collections.abc import Callable
from operator import itemgetter
from typing import Any

from punto.rules.coup import Coup, Side
from punto.rules.pay import Settlement, Wager
from punto.rules.view import State, View


class Settler:
    """Settles a set of wagers together, and remembers what each class of coup came to.

    Each wager has its own classes, by the traits that it alone reads: some thousands at most, however long it is used.
    It may be shared between threads: two that meet an unknown class at once both find the same answer.
    """

    def __init__(self, wagers: tuple[Wager, ...]) -> None:
        reads = [reading for wager in wagers for reading in wager.reads]
        self.player = View(Side.PLAYER, reads)
        self.banker = View(Side.BANKER, reads)
        self._readings = self.player.readings + self.banker.readings
        self._rulings = [_Ruling(wager, self._pick(wager)) for wager in wagers]

    def settle(self, coup: Coup) -> dict[str, Settlement]:
        """Every wager, settled on the coup, by name."""
        state = self.player.of(coup.player.cards) + self.banker.of(coup.banker.cards)
        settled = {}
        for ruling in self._rulings:
            key = ruling.pick(state)
            found = ruling.known.get(key)
            if found is None:
                found = ruling.known[key] = self._settle(ruling, state)
            settled[ruling.name] = found
        return settled

    def _settle(self, ruling: "_Ruling", state: State) -> Settlement:
        row = ruling.wager.row(dict(zip(self._readings, state, strict=True)))
        return ruling.lost if row is None else ruling.rows[row]

    def _pick(self, wager: Wager) -> Callable[[State], Any]:
        """Takes out of a state what the wager reads."""
        reads = wager.reads
        return itemgetter(*[place for place, reading in enumerate(self._readings) if reading in reads] or [0])


class _Ruling:
    """A wager, its possible settlements, and those already found."""

    def __init__(self, wager: Wager, pick: Callable[[State], Any]) -> None:
        self.wager = wager
        self.name = wager.name
        self.pick = pick
        *self.rows, self.lost = wager.settlements
        self.known: dict[Any, Settlement] = {}
