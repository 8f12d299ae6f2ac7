"""The signed part of a store, for whoever shows it to a person: all else is left out, and noted.

A floor stops at damage. Somebody who looks at a damaged store wants to see what is left of it, so here a stream ends
just before the first entry that is not as it was signed.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from punto.errors import Corrupt, StoreRewritten, StreamStopped, named
from punto.proof.believed import Believed
from punto.proof.coverage import Coverage
from punto.proof.lastheads import LastHeads
from punto.proof.ownkey import check_not_replaced, check_signed_with
from punto.proof.pins import DECISIONS, Pins, read_pins
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
        super().__init__(store, Coverage(store, floor_key))
        self._catch_up()
        check_not_replaced(self._coverage)
        check_signed_with(store, self._coverage)
        self._leave_out_given_up(floor_key)
        try:
            self._coverage.check_rotations()
        except StoreRewritten as error:
            self.doubts.append(error.message)

    def _catch_up(self) -> None:
        """Read all heads. Where a damaged checkpoint leaves it open who has written here, that is a doubt."""
        try:
            self._coverage.catch_up()
        except StoreRewritten as error:
            self.doubts = [error.message]
            self._coverage.catch_up()

    def _leave_out_given_up(self, floor_key: str) -> None:
        """Read the heads anew, without those of a history that was given up by a decision.

        Somebody may have put such heads back, and they may contradict the decision itself. So where there is a doubt,
        every decision that is stored is tried: one that nobody has signed is not believed under its own pins either.
        """
        believed = read_pins(self.read(DECISIONS))
        self._ends.clear()
        stored = _stored_pins(self._store) if self.doubts else []
        for pins in (*stored, believed):
            if not pins.writers:
                continue
            coverage = Coverage(self._store, floor_key)
            coverage.pin(pins)
            with suppress(Corrupt):
                coverage.catch_up()
                if read_pins(coverage.read(DECISIONS)) == pins:
                    self._coverage, self.doubts = coverage, []
                    return
        if believed.writers and not self.doubts:
            self.doubts = [f"{DECISIONS}: what was given up by a decision cannot be told from the rest"]

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


def _stored_pins(store: Store) -> list[Pins]:
    """The pins of every decision that is stored, signed or not, the newest first."""
    found = []
    for entry in store.read(DECISIONS):
        with suppress(Corrupt, TypeError):  # what is no entry at all decides nothing
            found.append(read_pins([entry]))
    return found[::-1]
