"""A simulated folder outside the store: checkpoints and tails, on a disk of its own that syncs when it is told to."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from punto.errors import UnwritableFile
from punto.proof.outposts import Doubt, Outpost, Tail
from punto.store.contract import Tip


class Shelf:
    """What the disk of an outpost holds, whoever writes to it."""

    def __init__(self) -> None:
        self.note: bytes | None = None
        self.tails: dict[str, tuple[str, Tip]] = {}
        # The writers that are still there.
        self.held: dict[str, object] = {}
        self.is_full = False
        # What is wrong, once an older checkpoint has taken the place of a newer one.
        self.went_back = ""

    def check(self) -> None:
        """Refuse while there is no room."""
        if self.is_full:
            raise UnwritableFile("outside: No space left on device")


class SimulatedTail(Tail):
    """Where the end of a writer's heads is kept."""

    def __init__(self, shelf: Shelf, writer: str, holder: object) -> None:
        shelf.check()
        self._shelf = shelf
        self._writer = writer
        shelf.held[writer] = holder

    def write(self, stream: str, head: Tip) -> None:
        """Keep the end of a writer's heads."""
        self._shelf.check()
        self._shelf.tails[self._writer] = stream, head

    def close(self) -> None:
        """Let go of it."""
        self._shelf.held.pop(self._writer, None)


class SimulatedOutpost(Outpost):
    """The outpost as one process has it."""

    def __init__(self, shelf: Shelf, holder: object) -> None:
        super().__init__(Path("outside"))
        self._shelf = shelf
        self._holder = holder

    def check(self) -> None:
        """Refuse while nothing can be kept."""
        self._shelf.check()

    def tail(self, writer: str) -> Tail:
        """Where the end of a writer's heads is kept from now on."""
        return SimulatedTail(self._shelf, writer, self._holder)

    def note(self) -> bytes | None:
        """The last checkpoint."""
        return self._shelf.note

    def publish(self, note: bytes) -> None:
        """Keep a checkpoint in place of the one before."""
        shelf = self._shelf
        shelf.check()
        if shelf.note is not None and _size(note) < _size(shelf.note):
            shelf.went_back = f"a checkpoint of {_size(note)} heads was kept in place of one of {_size(shelf.note)}"
        shelf.note = note

    def tails(self) -> Iterator[tuple[str, Tip]]:
        """The end of each writer's heads."""
        yield from (self._shelf.tails[writer] for writer in sorted(self._shelf.tails))

    def doubts(self) -> Iterator[Doubt]:
        """Nothing is lost here: what is wrong with a folder's tails is shown on folders."""
        yield from ()

    def forget_tails(self, covered: Mapping[str, Tip]) -> None:
        """Remove the tails of writers that have ended, and whose last heads a checkpoint covers."""
        shelf = self._shelf
        for writer, (stream, tip) in [*shelf.tails.items()]:
            if writer not in shelf.held and stream in covered and tip.version <= covered[stream].version:
                del shelf.tails[writer]

    def set_aside(self, at_ms: int) -> None:
        """Nobody decides to go on without it here."""
        raise AssertionError(f"set aside at {at_ms}")


def _size(note: bytes) -> int:
    """How many heads a checkpoint covers."""
    return int(note.split(b"\n", 2)[1])
