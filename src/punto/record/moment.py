"""A store as it stood at one moment, while its floor goes on writing."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import takewhile
from types import MappingProxyType

from punto.errors import Corrupt, StoreGone
from punto.proof.heads import read_head
from punto.proof.oldheads import OLD_HEADS
from punto.proof.oldheads import read as read_old_head
from punto.proof.writers import HEADS
from punto.store import Entry, Snapshot, Store, Tip
from punto.store.contract import Fault, Row, StoredRow
from punto.store.views import ImpersonalView


class Moment(ImpersonalView):
    """What a store held when this was made; it can only be read.

    Entries and the head that is signed over them become durable together. So what is there when the ends of all streams
    are looked up is covered by the last head that is there after that, unless somebody has tampered with it.
    """

    def __init__(self, store: Store, known: Mapping[str, Tip] = MappingProxyType({})) -> None:
        self._store = store
        self._tips = dict(store.streams())
        self._ends = {name: tip.version for name, tip in self._tips.items()}
        old = store.tip(OLD_HEADS)
        for stream, tip in [*([(OLD_HEADS, old)] if old else []), *store.streams(HEADS)]:
            self._ends[stream] = max(tip.version, self._ends.get(stream, 0))
            # What heads cover that were read before is known.
            before = known[stream].version if stream in known else 0
            with suppress(Corrupt):  # the audit says so in its own words
                for entry in self.read(stream, before):
                    self._cover(entry)

    def _cover(self, entry: Entry) -> None:
        """Take in all that a head names; what does not read, the audit tells in its own words."""
        with suppress(Corrupt):
            if entry.stream == OLD_HEADS:
                ends = {name: version for name, (version, _) in read_old_head(entry.body)[0].moved.items()}
            else:
                ends = {name: move.after.version for name, move in read_head(entry.body).moved.items()}
            for name, version in ends.items():
                self._ends[name] = max(version, self._ends.get(name, 0))

    def read(self, stream: str, after: int = 0) -> Iterator[Entry]:
        """The entries that were there."""
        end = self._ends.get(stream, 0)
        return takewhile(lambda entry: entry.version <= end, self._store.read(stream, after) if after < end else ())

    def tip(self, stream: str) -> Tip | None:
        """The end of a stream; a head may name a later one, which is not there if somebody has cut it off."""
        end = self._ends.get(stream, 0)
        first = self._tips.get(stream)
        if not end or (first and first.version == end):
            return first
        return next((Tip(entry.version, entry.hash) for entry in self.read(stream, end - 1)), first)

    def streams(self, prefix: str = "") -> Iterator[tuple[str, Tip]]:
        """Every stream that was there, and whose name begins so."""
        for name in sorted(self._ends):
            tip = self.tip(name) if name.startswith(prefix) else None
            if tip is not None:
                yield name, tip

    def find(self, command: str) -> Entry | None:
        """The first entry of a command, if it was there."""
        found = self._store.find(command)
        return found if found and found.version <= self._ends.get(found.stream, 0) else None

    def snapshot(self, stream: str) -> Snapshot | None:
        """A snapshot, which may be younger."""
        return self._store.snapshot(stream)

    def append(self, entries: Iterable[Row], fences: Mapping[str, int]) -> None:  # noqa: ARG002 (as in every store)
        """Nothing is written to what is over."""
        raise StoreGone("the moment is over: it can only be read")

    def claim(self, name: str) -> int:
        """Nobody owns what is over."""
        raise StoreGone(f"{name}: the moment is over: it can only be read")

    def epoch(self, name: str) -> int:
        """Who owns a name now."""
        return self._store.epoch(name)

    def keep(self, stream: str, snapshot: Snapshot) -> None:
        """Nothing is kept."""

    def beyond(self, stream: str, end: int) -> Iterator[StoredRow]:
        """The rows of a stream that are none of its entries 1 to *end*, by now."""
        return self._store.beyond(stream, end)

    def prune(self, ends: Mapping[str, int], entries: Iterable[Row], fences: Mapping[str, int]) -> None:  # noqa: ARG002
        """Nothing is removed here."""
        raise StoreGone("this view of the store can only be read")

    def faults(self) -> list[Fault]:
        """What is wrong with the store itself, by now."""
        return self._store.faults()

    def close(self) -> None:
        """The store is closed by who has opened it."""
