"""Running a simulation: blocks handed out to workers, and gathered in their order."""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from typing import Final, Protocol

from punto.errors import BadRounds, BadUsage
from punto.lab.simulation.stream import Stream
from punto.lab.simulation.tally import Part, Tally

MOST_ROUNDS: Final = 10**15
MOST_WORKERS: Final = 1024


class Handed(Protocol):
    """Work that was handed out."""

    def result(self) -> Part:
        """What came of it, waited for."""

    def cancel(self) -> object:
        """It is not needed any more."""


class Crew(Protocol):
    """Whoever deals blocks: threads of this process, or the workers of a cluster."""

    @property
    def blocks(self) -> int:
        """How many blocks make a piece of work."""

    @property
    def ahead(self) -> int:
        """How many pieces are handed out before the first is back."""

    def hand_out(self, stream: Stream, first: int, blocks: int, limit: int) -> Handed:
        """Have so many blocks dealt."""


class Gathering:
    """Adds up parts of a stream, each once and in order, up to a number of rounds.

    Whoever deals may do so twice, late, or in any order: a part is known by its first block.
    """

    def __init__(self, begun: Tally, rounds: int) -> None:
        self.tally = begun
        self.rounds = rounds

    @property
    def left(self) -> int:
        """Rounds still to be dealt."""
        return self.rounds - self.tally.part.rounds

    def take(self, first: int, blocks: int, dealt: Part) -> bool:
        """Add a part, if it is the next one and leaves more to be dealt."""
        if first != self.tally.blocks or dealt.rounds >= self.left:
            return False
        self.tally = Tally(self.tally.terms, first + blocks, self.tally.part + dealt)
        return True

    def end(self, dealt: Part) -> Tally:
        """All rounds, the last ones beyond the last whole block."""
        assert dealt.rounds == self.left, "exactly the rounds asked for"
        return Tally(self.tally.terms, self.tally.blocks, self.tally.part, dealt)


def run(stream: Stream, rounds: int, crew: Crew, begun: Tally | None = None) -> Iterator[Tally]:
    """The tally as it grows by whole blocks, and last with exactly the rounds asked for."""
    if not 1 <= rounds <= MOST_ROUNDS:
        raise BadRounds(f"{rounds:,} rounds: expected 1 to {MOST_ROUNDS:,}")
    begun = begun or Tally(stream.terms, 0, Part.nothing(stream.tables.cells.size))
    if begun.part.rounds >= rounds:
        raise BadRounds(f"{rounds:,} rounds: {begun.part.rounds:,} are dealt already: expected more")
    gathering = Gathering(begun, rounds)
    numbers = count(begun.blocks, crew.blocks)
    handed: deque[tuple[int, Handed]] = deque()
    try:
        while True:
            while len(handed) < crew.ahead:
                first = next(numbers)
                handed.append((first, crew.hand_out(stream, first, crew.blocks, gathering.left)))
            first, work = handed.popleft()
            dealt = work.result()
            if dealt.rounds >= gathering.left:
                if dealt.rounds > gathering.left:
                    dealt = crew.hand_out(stream, first, crew.blocks, gathering.left).result()
                yield gathering.end(dealt)
                return
            gathering.take(first, crew.blocks, dealt)
            yield gathering.tally
    finally:
        for _, work in handed:
            work.cancel()


class Threads:
    """Workers of this process; the kernel lets them run side by side."""

    def __init__(self, pool: ThreadPoolExecutor, workers: int) -> None:
        self._pool = pool
        self.blocks = 1
        self.ahead = workers + 1 if workers > 1 else 1

    def hand_out(self, stream: Stream, first: int, blocks: int, limit: int) -> Handed:
        """Have a block dealt by the next thread that is free."""
        return self._pool.submit(stream.deal, first, blocks, limit)


@contextmanager
def threads(workers: int) -> Iterator[Threads]:
    """So many threads, until they are not needed any more."""
    if not 1 <= workers <= MOST_WORKERS:
        raise BadUsage(f"--workers: {workers} is too many or too few: expected 1 to {MOST_WORKERS:,}")
    with ThreadPoolExecutor(workers) as pool:
        yield Threads(pool, workers)
