"""The stream of shoes that a seed stands for, in numbered blocks that can be dealt anywhere, in any order."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from punto.lab.composition import Composition
from punto.lab.dealing import check_cut, check_seed, last_start, shoe_seed
from punto.lab.simulation.tables import Tables
from punto.lab.simulation.tally import MOST_ROUNDS_A_SHOE, SHOES_IN_A_BLOCK, Part, Terms
from punto.lab.tabular import part

if TYPE_CHECKING:
    from punto.lab.simulation.kernel import Kernel


@dataclass(frozen=True)
class Stream:
    """Shoes of one game, dealt one after the other to the cutting card, as a seed has them.

    It goes from process to process as its terms alone; the tables are worked out again where it arrives.
    """

    terms: Terms

    def __post_init__(self) -> None:
        check_cut(self.terms.cut, Composition.full(self.terms.game.deck, self.terms.decks).size)
        check_seed(self.terms.seed)

    def __getstate__(self) -> dict[str, Any]:
        return {"terms": self.terms}

    @cached_property
    def tables(self) -> Tables:
        """The game as the kernel reads it."""
        return Tables.of(self.terms.game)

    @cached_property
    def _kernel(self) -> "Kernel":
        part("numba", "simulation")
        from punto.lab.simulation.kernel import Kernel  # noqa: PLC0415

        cards = self.tables.shoe(self.terms.decks)
        last = last_start(len(cards), self.terms.cut, self.tables.drawn)
        # As many as there is room for even if every coup takes all the cards that it can.
        most = last // self.tables.drawn + 1 if self.terms.same_rounds else MOST_ROUNDS_A_SHOE
        return Kernel(self.tables.rules, cards, last, most)

    @cached_property
    def _seed(self) -> int:
        return shoe_seed(self.terms.seed, self.terms.game)

    def with_seed(self, seed: int) -> "Stream":
        """The same game and procedure with other shoes; what was worked out for this stream serves that one too."""
        stream = Stream(replace(self.terms, seed=seed))
        object.__setattr__(stream, "tables", self.tables)
        object.__setattr__(stream, "_kernel", self._kernel)
        return stream

    def deal(self, first: int, blocks: int, limit: int) -> Part:
        """The counts of the first *limit* rounds of so many blocks from the *first* on, or of all their rounds."""
        counts = Part.nothing(self.tables.cells.size)
        rounds = 0
        for block in range(first, first + blocks):
            if rounds < limit:
                rounds += self._kernel.deal(self._seed, block, SHOES_IN_A_BLOCK, limit - rounds, counts)
        return Part(counts.cells, counts.reach, counts.lengths, rounds)
