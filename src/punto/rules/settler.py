"""Settlement by classes: coups with equal traits are settled once, by the same rows."""

from punto.rules.coup import Coup, Side
from punto.rules.pay import Settlement, Wager
from punto.rules.traits import Reading, Value

Class = tuple[Value, ...]


def _ordered(reading: Reading) -> tuple[str, str]:
    return reading.side.value, reading.trait.name


class Settler:
    """Settles a set of wagers together, and remembers what each class of coup came to.

    The classes are few (some hundreds for the eleven games), so the memory is bounded by the rules, not by use.
    """

    def __init__(self, wagers: tuple[Wager, ...]) -> None:
        self.wagers = wagers
        self.reads = tuple(sorted(frozenset[Reading]().union(*[wager.reads for wager in wagers]), key=_ordered))
        self._player = [reading.trait for reading in self.reads if reading.side is Side.PLAYER]
        self._banker = [reading.trait for reading in self.reads if reading.side is Side.BANKER]
        self._known: dict[Class, tuple[Settlement, ...]] = {}

    def class_of(self, coup: Coup) -> Class:
        """What of the coup matters to these wagers: the values of *reads*, in its order."""
        player, banker = coup.player, coup.banker
        return (*[trait.of(banker) for trait in self._banker], *[trait.of(player) for trait in self._player])

    def settle(self, coup: Coup) -> tuple[Settlement, ...]:
        """Every wager, settled on the coup."""
        coup_class = self.class_of(coup)
        settled = self._known.get(coup_class)
        if settled is None:
            settled = self._known[coup_class] = self.settle_class(coup_class)
        return settled

    def settle_class(self, coup_class: Class) -> tuple[Settlement, ...]:
        """Every wager, settled by its rows on a class of coups."""
        values = dict(zip(self.reads, coup_class, strict=True))
        return tuple(wager.settle(values) for wager in self.wagers)
