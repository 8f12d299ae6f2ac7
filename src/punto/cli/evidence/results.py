"""All figures of the evidence, as `evidence.json` holds them."""

from collections.abc import Iterable

from msgspec import Struct

from punto.cli.evidence.apart import Apart
from punto.cli.evidence.machine import Machine
from punto.cli.evidence.programs import Run
from punto.lab.randomness import LEVEL, Finding, caught, rejected


class Tested(Struct, frozen=True):
    """One test of one sample: its topic and name, what it came to, and the probability of that by chance."""

    topic: str
    name: str
    law: str
    value: float | None
    freedom: float
    p: float

    @classmethod
    def of(cls, finding: Finding) -> "Tested":
        """A finding of the battery; a value beyond all numbers is left out."""
        verdict = finding.verdict
        value = verdict.value if verdict.value < float("inf") else None
        return cls(finding.topic, finding.name, verdict.law, value, verdict.freedom, verdict.p)


class Sampled(Struct, frozen=True):
    """What the battery found in the shoes of one sample, and what public programs said of the choices behind them."""

    key: str
    title: str
    says: str
    tests: list[Tested]
    programs: list[Run]

    @property
    def chances(self) -> list[tuple[str, float]]:
        """Every p with the name of its test."""
        ours = [(f"{self.title}: {test.name}", test.p) for test in self.tests]
        theirs = [(f"{self.title}: {row.program} {row.test}", row.p) for run in self.programs for row in run.rows]
        return ours + theirs


class Sown(Struct, frozen=True):
    """A planted shuffle: its fault, how many shoes were tried from which seed, and the tests that caught it."""

    name: str
    fault: str
    shoes: int
    seed: int
    caught_by: list[Tested]

    @classmethod
    def of(cls, name: str, fault: str, made: tuple[int, int], findings: Iterable[Finding]) -> "Sown":
        """What the battery found; *made* is the number of shoes and the seed."""
        return cls(name, fault, *made, [Tested.of(finding) for finding in caught(findings)])


class Words(Struct, frozen=True):
    """How one bound divides the words of the permutation: accepted words are a multiple of the bound."""

    bound: int
    accepted: str
    each: str
    passed: int


class Scaling(Struct, frozen=True):
    """Whether the permutation scales its words without bias: all words of small sizes, the edges of the real one."""

    small_sizes: list[int]
    small_words: int
    uneven_small: list[int]
    bounds: list[Words]
    uneven_edges: list[int]
    # The largest share of words that is passed over, and what is expected in a shoe.
    most_passed: float
    passed_in_a_shoe: float
    # What a remainder without passing over does, which no test of shoes sees.
    planted: str
    planted_bound: int
    planted_favour: str
    planted_is_uneven: bool
    # In how many shoes' tests the planted remainder was caught.
    planted_caught_by: list[str]

    @property
    def holds(self) -> bool:
        """Whether no number is favoured, and the planted remainder shows."""
        return not self.uneven_small and not self.uneven_edges and self.planted_is_uneven


class Evidence(Struct, frozen=True):
    """Everything."""

    made: str
    game_deck: str
    decks: int
    cards: int
    shoes: int
    machine: Machine
    samples: list[Sampled]
    planted: list[Sown]
    scaling: Scaling
    apart: Apart

    @property
    def chances(self) -> list[tuple[str, float]]:
        """Every p of the whole battery, all samples and programs together."""
        return [each for sample in self.samples for each in sample.chances]

    @property
    def failed(self) -> list[str]:
        """The tests that fail at 99 % confidence, corrected for their number."""
        chances = self.chances
        fails = rejected([p for _, p in chances], LEVEL)
        return [name for (name, _), failed in zip(chances, fails, strict=True) if failed]

    @property
    def missed(self) -> list[str]:
        """The planted shuffles that no test caught."""
        return [each.name for each in self.planted if not each.caught_by]

    @property
    def wrong(self) -> list[str]:
        """All that is wrong, one line each."""
        found = [f"the test fails: {name}" for name in self.failed]
        found += [f"the planted fault was not caught: {name}" for name in self.missed]
        if not self.scaling.holds:
            found.append("the permutation's scaling is not shown to be even")
        return found + wrong_apart(self.apart)


def wrong_apart(apart: Apart) -> list[str]:
    """All that is wrong with what a process of its own found."""
    found = []
    if not apart.copies_differ:
        found.append("copied processes are not shown to deal different shoes")
    if not apart.scales_evenly:
        found.append("Python's scaling is not even")
    return found
