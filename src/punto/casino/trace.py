"""What happened in a run: the last steps in words, a digest of all of them, and counts of every kind."""

from collections import Counter, deque
from hashlib import sha256
from typing import Final

LAST: Final = 40


class Broken(Exception):
    """Something that must always hold did not hold."""


class Trace:
    """The steps of one run."""

    def __init__(self) -> None:
        self.steps = 0
        self.counts: Counter[str] = Counter()
        self.last: deque[str] = deque(maxlen=LAST)
        self._digest = sha256()

    def step(self, now_s: float, who: str, what: str) -> None:
        """Something has happened."""
        self.steps += 1
        line = f"{self.steps:6} {now_s:10.6f} s  {who}: {what}"
        self.last.append(line)
        self._digest.update(line.encode())

    def count(self, kind: str, times: int = 1) -> None:
        """Count something."""
        self.counts[kind] += times

    def note(self, data: bytes) -> None:
        """Take something into the digest that is no step of its own."""
        self._digest.update(data)

    def digest(self) -> str:
        """One value for all that happened."""
        return self._digest.hexdigest()
