"""The signed part of a store, for whoever shows it to a person: all else is left out, and noted.

A floor stops at damage. Somebody who looks at a damaged store wants to see what is left of it, so here a stream ends
just before the first entry that is not as it was signed.
"""

from collections.abc import Iterator
from typing import Final

from punto.errors import StoreRewritten, StreamStopped, named
from punto.proof.believed import Believed
from punto.proof.coverage import Coverage
from punto.proof.lastheads import LastHeads
from punto.proof.ownkey import check_not_replaced, check_signed_with
from punto.proof.pins import DECISIONS, read_pins
from punto.proof.writers import HEADS
from punto.store.chain import start
from punto.store.contract import Entry, Store, Tip

_STOPPED: Final = ": the stream is stopped"


class SignedPart(Believed):
    """The signed part of a store as it stood when this was made; it can only be read.

    What is left out is noted for the streams that were asked for, and for no others.
    """

    def __init__(self, store: Store, floor_key: str) -> None:
        # Read before the heads: whatever was signed by then is covered after that.
        self._tips = dict(store.streams())
        # What is left out, by stream, and what is to be said of the store as a whole.
        self.left_out: dict[str, str] = {}
        self.doubts: list[str] = []
        # Streams of which something that was signed is missing or altered.
        self.damaged: set[str] = set()
        self._ends: dict[str, Tip] = {}
        coverage = Coverage(store, floor_key)
        super().__init__(store, coverage)
        self._catch_up()
        check_not_replaced(coverage)
        check_signed_with(store, coverage)
        pins = read_pins(self.read(DECISIONS))
        if pins.writers:  # read anew, without the heads of what was given up
            self._coverage = Coverage(store, floor_key)
            self._coverage.pin(pins)
            self._ends.clear()
            self._catch_up()
        try:
            self._coverage.check_rotations()
        except StoreRewritten as error:
            self.doubts.append(error.message)

    def _catch_up(self) -> None:
        """Read all heads. Where a damaged checkpoint leaves it open who has written here, that is a doubt."""
        try:
            self._coverage.catch_up()
        except StoreRewritten as error:
            if error.message not in self.doubts:
                self.doubts.append(error.message)
            self._coverage.catch_up()

    def read(self, stream: str, after: int = 0) -> Iterator[Entry]:
        """The entries of a stream, up to the first that is not as it was signed."""
        end = self._end(stream)
        if after >= end.version:
            return
        try:
            yield from self._coverage.read(stream, after, end.version)
        except StreamStopped as stopped:
            self._note_damage(stream, stopped)

    def tip(self, stream: str) -> Tip | None:
        """Where a stream ends, as far as it can be shown."""
        end = self._end(stream)
        return end if end.version else None

    def streams(self, prefix: str = "") -> Iterator[tuple[str, Tip]]:
        """Every stream of which something can be shown; those of heads are for `last_heads` to tell."""
        found = {each for each in self._tips if each.startswith(prefix) and not each.startswith(HEADS)}
        for stream in sorted(found.union(self._coverage.streams(prefix))):
            end = self._end(stream)
            if end.version:
                yield stream, end

    @property
    def strict(self) -> Believed:
        """The same part for whoever needs all of it: damage is raised, and not left out."""
        return Believed(self._store, self._coverage)

    def last_heads(self) -> LastHeads:
        """The last head of each writer whose signature holds."""
        ends = self._coverage.believed_heads()
        for stream, tip in self._tips.items():
            if stream.startswith(HEADS) and tip.version > ends.get(stream, start(stream)).version:
                stopped = self._coverage.stopped.get(stream)
                said = stopped.message if stopped else f"{named(stream)}: its last entries carry no signature"
                self.left_out[stream] = said.removesuffix(": that is not believed")
        return self._coverage.last_heads()

    def _end(self, stream: str) -> Tip:
        """Where a stream ends, as far as it can be shown; looked at when it is first asked for."""
        if stream not in self._ends:
            self._ends[stream] = self._look_at(stream)
        return self._ends[stream]

    def _look_at(self, stream: str) -> Tip:
        signed, stored = self._coverage.end(stream), self._tips.get(stream, start(stream))
        # A version that does not read counts as less than 1: such an entry is nobody's.
        if stored.version > signed.version or (stream in self._tips and stored.version < 1):
            self._note(stream, f"{named(stream)}: entries after {signed.version} carry no signature of this floor")
        last = start(stream)
        try:
            for entry in self._coverage.read(stream, max(0, signed.version - 1), signed.version):
                last = Tip(entry.version, entry.hash)
        except StreamStopped:
            last = self._before_damage(stream)
        return last

    def _before_damage(self, stream: str) -> Tip:
        """Where a stream ends whose last entries are not as they were signed."""
        last = start(stream)
        try:
            for entry in self._coverage.read(stream):
                last = Tip(entry.version, entry.hash)
        except StreamStopped as stopped:
            self._note_damage(stream, stopped)
        return last

    def _note_damage(self, stream: str, stopped: StreamStopped) -> None:
        self.damaged.add(stream)
        self._note(stream, stopped.message.removesuffix(_STOPPED))

    def _note(self, stream: str, said: str) -> None:
        before = self.left_out.get(stream)
        if before is None:
            self.left_out[stream] = said
        elif said not in before:
            self.left_out[stream] = f"{before}; {said.removeprefix(f'{named(stream)}: ')}"
