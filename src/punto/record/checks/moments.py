"""When something was written, and from when on every floor on a store must have heard of it."""

from typing import Final, NamedTuple

# Every floor has heard by then what another floor wrote; their clocks may differ by less.
WORD_MS: Final = 5_000
# Later than any moment.
MOST_MS: Final = 2**63


class Moment(NamedTuple):
    """When something was written: its time, by which writer, and under which head, counted over all writers.

    *since_ms* is the time of the oldest claim that is still looked at again.
    """

    at_ms: int
    writer: str
    head: int
    since_ms: int = MOST_MS

    def must_know(self, earlier: "Moment") -> bool:
        """Whether the writer must have known by now what was written at an earlier moment."""
        return earlier.writer == self.writer or earlier.at_ms <= self.at_ms - WORD_MS
