"""The patrol: reads the whole record again while the floor is open, a little at a time, from any thread.

A floor that opens looks at the end of every stream, and builds on nothing else. What was damaged long before the end
would wait for an audit; the patrol comes by sooner. A stream that does not hold what was signed is stopped.
"""

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from punto.errors import BrokenChain, StreamStopped, named
from punto.proof.coverage import Coverage
from punto.store.chain import start, verified
from punto.store.contract import Entry, Store, Tip


class Patrol:
    """Goes round all streams, and begins anew."""

    def __init__(self, store: Store, coverage: Coverage) -> None:
        self._store = store
        self._coverage = coverage
        self._round = self._streams()

    def step(self, entries: int) -> bool:
        """Read so many entries more; whether the round is over. The next one begins with the next step."""
        read = sum(1 for _ in islice(self._round, entries))
        if read < entries:
            self._round = self._streams()
        return read < entries

    def _streams(self) -> Iterator[Entry]:
        coverage = self._coverage
        for stream, tip in coverage.believed_heads().items():
            yield from self._heads(stream, tip)
        for stream in coverage.streams():
            if stream not in coverage.stopped:
                with suppress(StreamStopped):  # it is stopped now, which is told
                    yield from coverage.read(stream)

    def _heads(self, stream: str, end: Tip) -> Iterator[Entry]:
        """A writer's heads: those that were believed are chained, up to the last one."""
        try:
            yield from heads_up_to(self._store, stream, end)
        except BrokenChain as error:
            self._coverage.stop(stream, f"head {error.at} is not the one that was signed")


def heads_up_to(store: Store, stream: str, end: Tip) -> Iterator[Entry]:
    """A writer's heads, chained up to the end that is believed; `BrokenChain` where they are not."""
    last = start(stream)
    for entry in verified(islice(store.read(stream), end.version), last):
        last = Tip(entry.version, entry.hash)
        yield entry
    if last != end:
        raise BrokenChain(f"{named(stream)}: head {end.version} is not the one that was signed", end.version)
