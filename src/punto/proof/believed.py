"""A store as far as it is believed: whoever reads through this reads only what was signed."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from punto.errors import StoreGone
from punto.proof.coverage import Coverage
from punto.proof.writers import HEADS
from punto.store.chain import start
from punto.store.contract import Entry, Fault, Row, Snapshot, Store, StoredRow, Tip
from punto.store.views import ImpersonalView


def believed_by(store: Store, excerpt: bytes) -> "Believed":
    """A store as far as another process believes it, which has said so itself."""
    coverage = Coverage(store, "")
    assert coverage.restore(excerpt), "an excerpt comes from a process of the same make"
    return Believed(store, coverage)


class Believed(ImpersonalView):
    """The signed part of a store; it can only be read."""

    def __init__(self, store: Store, coverage: Coverage) -> None:
        self._store = store
        self._coverage = coverage

    def read(self, stream: str, after: int = 0) -> Iterator[Entry]:
        """The signed entries of a stream; `StreamStopped` where one is not what was signed."""
        if stream.startswith(HEADS):
            return islice(self._store.read(stream, after), max(0, self._heads(stream).version - after))
        return self._coverage.read(stream, after)

    def tip(self, stream: str) -> Tip | None:
        """The signed end of a stream."""
        end = self._heads(stream) if stream.startswith(HEADS) else self._coverage.end(stream)
        return end if end.version else None

    def streams(self, prefix: str = "") -> Iterator[tuple[str, Tip]]:
        """Every stream of which something was signed; those of heads only for whoever asks for them."""
        if prefix.startswith(HEADS):
            heads = self._coverage.believed_heads()
            yield from sorted(each for each in heads.items() if each[0].startswith(prefix))
        for stream in self._coverage.streams(prefix):
            yield stream, self._coverage.end(stream)

    def _heads(self, stream: str) -> Tip:
        return self._coverage.believed_heads().get(stream, start(stream))

    def find(self, command: str) -> Entry | None:
        """The first entry of a command, if it was signed."""
        return self._coverage.find(command)

    def snapshot(self, stream: str) -> Snapshot | None:
        """A snapshot, which its reader must check."""
        return self._store.snapshot(stream)

    def epoch(self, name: str) -> int:
        """The epoch under which a name is held."""
        return self._store.epoch(name)

    def append(self, entries: Iterable[Row], fences: Mapping[str, int]) -> None:  # noqa: ARG002 (as in every store)
        """Only a writer writes."""
        raise StoreGone("this view of the store can only be read")

    def claim(self, name: str) -> int:
        """Only a writer claims."""
        raise StoreGone(f"{name}: this view of the store can only be read")

    def keep(self, stream: str, snapshot: Snapshot) -> None:
        """Nothing is kept."""

    def beyond(self, stream: str, end: int) -> Iterator[StoredRow]:
        """The rows of a stream that are none of its entries 1 to *end*, by now."""
        return self._store.beyond(stream, end)

    def prune(self, ends: Mapping[str, int], entries: Iterable[Row], fences: Mapping[str, int]) -> None:  # noqa: ARG002
        """Nothing is removed here."""
        raise StoreGone("this view of the store can only be read")

    def faults(self) -> list[Fault]:
        """What is wrong with the store itself."""
        return self._store.faults()

    def close(self) -> None:
        """The store is closed by whoever opened it."""
