"""Pins: a decision to go on from an older store says where every writer's heads ended, and nothing beyond is believed.

What was played after a copy was taken, and given up when the copy was restored, was signed with good keys. Without pins
whoever kept those rows could put them back one by one, wherever no stream has moved on since.
"""

from collections.abc import Iterable
from contextlib import suppress
from typing import Final

import msgspec
from msgspec import Struct

from punto.errors import Corrupt
from punto.proof.writers import read_certificate
from punto.store.contract import Entry, Store, Tip

DECISIONS: Final = "decisions"


class Pins(Struct, frozen=True):
    """Where the heads of each writer ended when somebody decided to go on, when that was, and who wrote it down.

    *by* and *reason* are those of the decision.
    """

    at_ms: int = 0
    writers: dict[str, Tip] = {}
    writer: str = ""
    by: str = ""
    reason: str = ""

    def end(self, stream: str) -> int | None:
        """The last head of a writer that is believed; none where no decision has ended it."""
        tip = self.writers.get(stream)
        return None if tip is None else tip.version

    def end_in(self, store: Store, stream: str) -> int | None:
        """The same of a writer whose heads are in a store: none at all, 0, where its history was given up."""
        end = self.end(stream)
        if end is None and self.at_ms:
            with suppress(Corrupt, StopIteration):
                if self.is_given_up(stream, read_certificate(next(store.read(stream)).body).at_ms):
                    return 0
        return end

    def is_given_up(self, stream: str, certified_ms: int) -> bool:
        """Whether a writer belongs to a history that was given up: it began before the decision, which lacks it."""
        return certified_ms < self.at_ms and stream not in self.writers and stream != self.writer


_DECODER: Final = msgspec.json.Decoder(Pins)


def read_pins(decisions: Iterable[Entry]) -> Pins:
    """The pins of the last decision that has any; a decision of an earlier Punto has none."""
    found = Pins()
    for entry in decisions:
        try:
            pins = _DECODER.decode(entry.body)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Corrupt(f"{DECISIONS}: entry {entry.version} does not read: {error}") from None
        if pins.writers:
            found = pins
    return found
