"""Cash in the hands of staff: what each person has taken in and paid out alone, on all tables and floors of a store.

Each person has a stream. Floors that share a store write to the same one, so that neither goes by an old sum.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from punto.errors import Corrupt
from punto.floor.history import History

CASHIER: Final = "cashier/"
# So many entries are read at a time, the newest first.
_PAGE: Final = 100
# Commands of a group may bear times that are a little apart: entries are known for somewhat longer than is asked.
_SLACK_MS: Final = 600_000


class Handled(Struct, frozen=True):
    """An entry: the cash that a command moved, and all that the person has moved so far."""

    at_ms: int
    command: str
    cents: int
    total_cents: int


class Sums(NamedTuple):
    """What is known of a person: entries since a time, the newest last, and all that was ever moved."""

    since_ms: int
    entries: tuple[Handled, ...]
    total_cents: int


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Handled)


class Cashiers:
    """What was worked out of the streams of cash, until another floor moves them."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._known: dict[str, Sums] = {}

    def forget(self, stream: str) -> None:
        """A stream is otherwise than it was thought to be."""
        self._known.pop(stream, None)

    def is_known(self, person: str, at_ms: int) -> bool:
        """Whether nothing needs to be read to know what somebody has moved since a time."""
        known = self._known.get(CASHIER + person)
        return known is not None and known.since_ms <= at_ms

    def since(self, person: str, at_ms: int) -> int:
        """How much cash somebody has moved alone since a time."""
        sums = self._sums(person, at_ms)
        return sum(each.cents for each in sums.entries if each.at_ms > at_ms)

    def add(self, person: str, at_ms: int, command: str, cents: int) -> bytes:
        """Somebody moves more; the entry that says so."""
        sums = self._known.get(CASHIER + person) or self._read(CASHIER + person, at_ms)
        handled = Handled(at_ms, command, cents, sums.total_cents + cents)
        self._known[CASHIER + person] = Sums(sums.since_ms, (*sums.entries, handled), handled.total_cents)
        return _ENCODER.encode(handled)

    def _sums(self, person: str, at_ms: int) -> Sums:
        stream = CASHIER + person
        known = self._known.get(stream)
        if known is None or known.since_ms > at_ms:
            self._history.check([stream])
            known = self._read(stream, at_ms - _SLACK_MS)
        elif known.entries and known.entries[0].at_ms <= at_ms - _SLACK_MS:
            recent = tuple(each for each in known.entries if each.at_ms > at_ms - _SLACK_MS)
            known = Sums(at_ms - _SLACK_MS, recent, known.total_cents)
        self._known[stream] = known
        return known

    def _read(self, stream: str, at_ms: int) -> Sums:
        """The entries of a stream that are newer, and as many before them as are read along."""
        first = self._history.end(stream).version
        found: list[Handled] = []
        total_cents = 0
        while first > 0:
            until, first = first, max(0, first - _PAGE)
            page = [*_handled(self._history, stream, first, until)]
            total_cents = total_cents or page[-1].total_cents
            found = page + found
            if page[0].at_ms <= at_ms:
                break
        return Sums(at_ms, tuple(each for each in found if each.at_ms > at_ms), total_cents)


def _handled(history: History, stream: str, after: int, until: int) -> Iterator[Handled]:
    for entry in history.read(stream, after):
        if entry.version > until:
            return
        try:
            yield _DECODER.decode(entry.body)
        except msgspec.DecodeError as error:
            raise Corrupt(f"an entry of cash that does not read: {error}", entry.version) from None
