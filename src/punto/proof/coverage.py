"""Coverage: how far each stream is believed, which is as far as a valid signature covers it and no further.

Whoever can write to the database but holds no key changes nothing here: entries that no head covers are not read, and
entries that were altered no longer lead to the hash that a head was signed over. Heads of several writers interleave on
one stream; each says where the stream ended before and after, so they join up like links of a chain.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Container, Iterator
from contextlib import suppress
from itertools import islice, repeat
from threading import RLock
from typing import Final

import msgspec
from msgspec import Struct

from punto.errors import Corrupt, StoreRewritten, StreamStopped, named
from punto.proof.headlog import CHECKPOINTS
from punto.proof.heads import Moves, read_moves
from punto.proof.joining import WriterHeads, has_later_head, holds, is_of_here, joined_writer, sound
from punto.proof.lastheads import LastHead, LastHeads
from punto.proof.pins import Pins
from punto.proof.places import PLACE, RUN, after_version, place_of, split, tip_of
from punto.proof.rotations import KEYS, Rotation, Trust, trusted_keys
from punto.proof.writers import HEADS
from punto.store.chain import have_digest, leads, start
from punto.store.contract import Entry, Store, Tip

# So many heads are read at a time, and one signature vouches for all of them.
_HEADS_AT_ONCE: Final = 500
# What is known of a stream stays small however long it is: of its anchors all are known that are among the latest, so
# many in memory and so many in a snapshot, more where they have digests. Of those before some stay, so far apart.
_LATE_ANCHORS: Final = 64
_LATE_DIGESTS: Final = 16_384
_LATE_IN_SNAPSHOT: Final = 1_024
_BETWEEN_OLD_ANCHORS: Final = 2_048
# So many rows after a head that is missing or altered are looked through for a later one.
_MOST_AFTER_DAMAGE: Final = 1_000
# How often a stream is looked at anew that others move meanwhile.
_MOST_LOOKS: Final = 20
_MAKE: Final = b"coverage 3:"


class _State(Struct):
    """All that was worked out from heads, for a snapshot; of streams there are places."""

    writers: dict[str, WriterHeads]
    ends: dict[str, bytes]
    anchors: dict[str, list[bytes]]
    ahead: dict[str, list[tuple[bytes, bytes]]]


class Coverage:
    """How far each stream of a store is covered by heads of writers that the floor's key has certified.

    One thread at a time moves it; any thread may read.
    """

    def __init__(self, store: Store, floor_key: str) -> None:
        self._store = store
        self._floor_key = floor_key
        self._lock = RLock()
        self._writers: dict[str, WriterHeads] = {}
        self._ends: dict[str, bytes] = {}
        # A stream can be read from any of its anchors: the first signed end in each run of 256 entries, and both ends
        # of each move with a digest. An anchor is a place, followed by the digest over what led there, if there is one.
        self._anchors: defaultdict[str, list[bytes]] = defaultdict(list)
        # Streams that have had anchors with digests, and how many anchors are too many.
        self._long: set[str] = set()
        self._thinned_at: dict[str, int] = {}
        # Moves that begin where no other has led yet, by stream and by where they begin.
        self._ahead: defaultdict[str, dict[bytes, bytes]] = defaultdict(dict)
        self._trust = Trust(floor_key)
        self._keys_version = 0
        self._pins = Pins()
        # The streams that other writers have moved since `take_moved` was last asked; nobody asks about the time before
        # it was first asked.
        self.moved: set[str] = set()
        self._noticing = False
        # The stream of heads of this process itself: whoever reads it before it is added has moved nothing.
        self._own = ""
        # Streams of heads that end in something nobody has signed, each with where it ended when that was seen.
        self._junk: dict[str, Tip] = {}
        # Streams of heads of which one is damaged and later ones are there, each with the number of the damaged head.
        self._damaged: dict[str, int] = {}
        # Streams of heads of writers that have joined another history than this one.
        self._outsiders: set[str] = set()
        # Streams that hold something nobody has signed, and what is to be said of each.
        self.stopped: dict[str, StreamStopped] = {}

    # How far streams are believed

    def end(self, stream: str) -> Tip:
        """Where a stream ends, as far as it is believed."""
        place = self._ends.get(stream)
        return tip_of(place) if place else start(stream)

    def place(self, stream: str) -> bytes:
        """The same as a place."""
        return self._ends.get(stream) or place_of(start(stream))

    def streams(self, prefix: str = "") -> list[str]:
        """Every believed stream whose name begins so, by name."""
        with self._lock:
            return sorted(stream for stream in self._ends if stream.startswith(prefix))

    def check(self, stream: str) -> None:
        """Stop a stream whose stored end is not its signed end; `StreamStopped` from then on."""
        if stream in self.stopped:
            raise self.stopped[stream].anew()
        for _ in range(_MOST_LOOKS):
            # The tip is read before the heads: whatever was signed by then is covered after that.
            found = self._store.tip(stream) or start(stream)
            if found == self.end(stream):
                return
            self.catch_up()
            end = self.end(stream)
            if found.version > end.version:
                raise self._differ(stream, found)
            later = self._store.tip(stream) or start(stream)
            if later.version < end.version or (later.version == end.version and later != end):
                raise self._differ(stream, later)
        # Others write to it faster than it can be looked at, and all of that was signed so far.

    def check_each(self) -> Iterator[None]:
        """Stop every stream whose stored end is not its signed end, one after the other."""
        there = set()
        for stream, tip in self._store.streams():
            there.add(stream)
            if not stream.startswith(HEADS) and tip != self.end(stream):
                with suppress(StreamStopped):
                    self.check(stream)
            yield
        for stream in self._ends.keys() - there:
            with suppress(StreamStopped):
                self.check(stream)
            yield

    def _differ(self, stream: str, found: Tip) -> StreamStopped:
        """Stop a stream that ends elsewhere than it should."""
        end = self.end(stream)
        if found.version > end.version:
            said = f"entries after {end.version} carry no signature of this floor"
        elif found.version < end.version:
            said = f"entries after {found.version} are missing, and were signed up to {end.version}"
        else:
            said = f"entry {end.version} is not the one that was signed"
        return self.stop(stream, said)

    def stop(self, stream: str, said: str) -> StreamStopped:
        """Stop a stream, and say why: nothing is built on it until somebody has looked into it."""
        at = self.end(stream).version + 1
        stopped = StreamStopped(f"{named(stream)}: {said}: the stream is stopped", at)
        return self.stopped.setdefault(stream, stopped).anew()

    def read(self, stream: str, after: int = 0, until: int | None = None) -> Iterator[Entry]:
        """The believed entries of a stream after a version.

        Each run of entries between two signed ends is checked as a whole before any of it is told; `StreamStopped`
        where an entry is not what was signed.
        """
        with self._lock:
            end, anchors = self.end(stream), self._anchors.get(stream, [])[:]
        last = end.version if until is None else min(until, end.version)
        if after >= last:
            return
        first = bisect_right(anchors, after_version(after))
        since = tip_of(anchors[first - 1][:PLACE]) if first else start(stream)
        entries = self._store.read(stream, since.version)
        for place in (*anchors[first:], place_of(end)):
            if since.version >= last:
                return
            anchor = tip_of(place[:PLACE])
            run = self._run(entries, since, anchor, place[PLACE:])
            if run is None:
                raise self.stop(
                    stream, f"entries {since.version + 1} to {anchor.version} are not those that were signed"
                )
            if since.version >= after and anchor.version <= last:
                yield from run
            else:
                yield from (entry for entry in run if after < entry.version <= last)
            since = anchor

    def find(self, command: str) -> Entry | None:
        """The first entry of a command, if it is believed; `StreamStopped` where it was forged."""
        found = self._store.find(command)
        if found is None:
            return None
        if found.version > self.end(found.stream).version:
            self.catch_up()
            if found.version > self.end(found.stream).version:
                raise self.stop(found.stream, f"entry {found.version} carries no signature of this floor")
        if next(self.read(found.stream, found.version - 1, found.version), None) != found:
            raise self.stop(found.stream, f"entry {found.version} is not the one that was signed")
        return found

    @staticmethod
    def _run(entries: Iterator[Entry], since: Tip, anchor: Tip, digest: bytes) -> list[Entry] | None:
        """The entries between two signed ends; none where they do not lead from one to the other."""
        run = list(islice(entries, anchor.version - since.version))
        if digest and have_digest(run, since, anchor, digest):
            return run
        return run if leads(run, since, anchor) else None

    # What writers sign

    def last_heads(self) -> LastHeads:
        """The last believed head of each writer."""
        with self._lock:
            heads = {name: LastHead(each.version, each.hash.hex()) for name, each in sorted(self._writers.items())}
        return LastHeads(heads)

    def believed_heads(self) -> dict[str, Tip]:
        """Where the believed heads of each writer end."""
        with self._lock:
            return {stream: Tip(writer.version, writer.hash) for stream, writer in self._writers.items()}

    def certified_by(self, floor_key: str) -> dict[str, Tip]:
        """Where the believed heads of those writers end that one key of the floor has certified."""
        with self._lock:
            certified = {name: each for name, each in self._writers.items() if each.floor == floor_key}
            return {name: Tip(each.version, each.hash) for name, each in sorted(certified.items())}

    def pin(self, pins: Pins) -> None:
        """Believe nothing of a history that was given up; `StoreRewritten` where it is believed already."""
        with self._lock:
            self._pins = pins
            for stream, known in self._writers.items():
                end = pins.end_in(self._store, stream)
                if end is not None and known.version > end:
                    raise StoreRewritten(
                        f"{named(stream)}: somebody has put back heads of a history that was given up by a decision: "
                        "restore the newest copy"
                    )
            for stream in [*self._damaged]:  # perhaps the later heads are those that were given up
                self._refuse_rest(stream, self._junk[stream], self._writers[stream])

    def check_heads(self) -> None:
        """Refuse a store in which a head is missing or altered, and later ones of its writer are there.

        It is neither older nor rewritten: the entry comes back from any copy, and then all is as it was.
        """
        with self._lock:
            for stream, number in sorted(self._damaged.items()):
                raise damaged_head(stream, number)

    def has_gone_on(self, rotation: Rotation) -> bool:
        """Whether writers of the key that a rotation ends have signed more than it says: it was made on another copy.

        Then the floor goes on with the key that it has, and the stream of rotations is stopped.
        """
        with self._lock:
            certified = [(name, each) for name, each in self._writers.items() if each.floor == rotation.old]
            gone_on = any(each.version > rotation.writers.get(name, Tip(0, b"")).version for name, each in certified)
        if gone_on:
            self.stop(KEYS, "a rotation of the floor's key that was made on another copy of the store")
        return gone_on

    def check_rotations(self) -> None:
        """Refuse a store that lacks a rotation of the floor's key, or heads that one of them names."""
        with self._lock:
            ahead = self._ahead.get(KEYS, {}).values()
            signed = max([self.end(KEYS).version, *(tip_of(after).version for after in ahead)])
            if self._trust.version < signed:
                raise StoreRewritten(
                    f"{KEYS}: rotations of the floor's key are missing, or are not those that were signed"
                )
            for stream, tip in self._trust.pinned.items():
                known = self._writers.get(stream)
                if known is None or (known.version, known.hash) != tip:
                    if self._damaged:
                        raise StoreRewritten(damaged_head(*min(self._damaged.items())).message)
                    raise StoreRewritten(
                        f"{named(stream)}: its heads do not end where the rotation of the floor's key says"
                    )

    def head(self, stream: str, number: int) -> bytes | None:
        """The hash of a writer's believed head; none where it has none of that number."""
        writer = self._writers.get(stream)
        if writer is None or number > writer.version:
            return None
        if number == writer.version:
            return writer.hash
        found = next(self._store.read(stream, number - 1), None)
        return found.hash if found else None

    @property
    def former_keys(self) -> tuple[str, ...]:
        """The keys that the floor had before this one, the newest first."""
        return self._trust.former

    @property
    def trust(self) -> Trust:
        """The floor's key, and the keys that it had before."""
        return self._trust

    @property
    def heads(self) -> int:
        """How many heads and certificates are believed, of all writers together."""
        return sum(writer.version for writer in self._writers.values())

    def add(self, writer: str, tip: Tip, moves: Moves) -> None:
        """Believe what this process has just written itself, on what it believed: its head, and the moves in it."""
        with self._lock:
            own = self._writers[writer]
            if own.version >= tip.version:  # it was read meanwhile, as any writer's head is
                return
            own.version, own.hash = tip
            self._advance(moves)

    def _advance(self, moves: Moves) -> None:
        """Move streams on that end where a head begins."""
        names, befores, afters = moves.names, moves.befores, split(moves.afters)
        self._ends.update(zip(names, afters, strict=True))
        for index, digest in moves.digests.items():
            self._anchor(names[index], befores[PLACE * index : PLACE * (index + 1)], afters[index] + digest)
        runs, after = befores[RUN::PLACE], moves.afters[RUN::PLACE]
        if runs != after:
            for index, (one, other) in enumerate(zip(runs, after, strict=True)):
                if one != other:
                    self._anchor(names[index], afters[index])

    def _anchor(self, stream: str, place: bytes, with_digest: bytes = b"") -> None:
        """Add an anchor, and the one after it, if the entries between the two have a digest."""
        anchors = self._anchors[stream]
        if not anchors or anchors[-1][:PLACE] != place:
            anchors.append(place)
        if with_digest:
            anchors.append(with_digest)
            self._long.add(stream)
        if len(anchors) >= self._thinned_at.get(stream, 2 * _LATE_ANCHORS):
            late = _LATE_DIGESTS if stream in self._long else _LATE_ANCHORS
            if len(anchors) >= 2 * late:
                anchors = self._anchors[stream] = _thinned(anchors, late)
            self._thinned_at[stream] = len(anchors) + late

    def begin(self, writer: str, key: str, tip: Tip, after: Tip) -> None:
        """Believe the certificate that this process has just written for itself, and the head with which it joined."""
        with self._lock:
            self._own = writer
            self._writers[writer] = WriterHeads(key, self._floor_key, *tip, place_of(after))

    def take_moved(self) -> set[str]:
        """The streams that other writers have moved since this was last asked."""
        self._noticing = True
        if not self.moved:
            return set()
        with self._lock:
            moved, self.moved = self.moved, set()
        return moved

    def catch_up(self) -> None:
        """Read the heads that writers have signed since, and believe those that hold."""
        with self._lock:
            self._read_keys()
            while not self._read_all():
                self._begin_anew()
            for stream, moves in self._ahead.items():
                if min(moves) < after_version(self.end(stream).version):
                    self.stop(stream, "two histories of it were signed")

    def lack(self) -> str:
        """What the store lacks of the heads that were read, or has in their place; nothing where it has them all."""
        there = dict(self._store.streams(HEADS))
        with self._lock:
            lacks = (_lack(stream, there.get(stream, start(stream)), each) for stream, each in self._writers.items())
            return next(filter(None, lacks), "")

    def _read_all(self) -> bool:
        """Read the heads of all writers, as far as they hold; false where one turned out to be an outsider."""
        there = dict(self._store.streams(HEADS))
        checkpoints = self.end(CHECKPOINTS).version
        for stream, known in self._writers.items():
            tip = there.pop(stream, start(stream))
            if lack := _lack(stream, tip, known):
                raise StoreRewritten(f"{lack}: restore the newest copy, or record a decision with 'punto accept'")
            if tip.version > known.version and self._junk.get(stream) != tip:
                self._read_heads(stream, tip, known)
        new = {stream: tip for stream, tip in there.items() if self._junk.get(stream) != tip}
        # Whoever took a checkpoint had joined before it, and whoever joined after it is read after that.
        joined = [(joined_writer(self._store, stream, self._trust, self._pins), stream) for stream in new]
        for who, stream in sorted(joined, key=lambda each: each[0].after if each[0] else b""):
            self._read_new(stream, new[stream], who)
        return self._look_at_joined(checkpoints, new)

    def _read_keys(self) -> None:
        """Learn which former keys of the floor are still believed, and how far."""
        tip = self._store.tip(KEYS) or start(KEYS)
        if tip.version != self._keys_version:
            trust = trusted_keys(self._floor_key, self._store.read(KEYS))
            if trust.version < self._trust.version:
                raise StoreRewritten(f"{KEYS}: a rotation of the floor's key is gone that was there when last read")
            self._trust, self._keys_version = trust, tip.version

    def _read_heads(self, stream: str, tip: Tip, known: WriterHeads) -> None:
        """Believe a writer's heads up to the last one whose signature holds, a page at a time."""
        coming = islice(self._store.read(stream, known.version), tip.version - known.version)
        while page := list(islice(coming, _HEADS_AT_ONCE)):
            heads = sound(page, Tip(known.version, known.hash))
            limit, pinned = self._trust.limit(stream, known.floor), self._pins.end(stream)
            if limit is not None:
                heads = [entry for entry in heads if entry.version <= limit.version]
            if pinned is not None:
                heads = [entry for entry in heads if entry.version <= pinned]
            if not self._believe(known, heads) or len(heads) < len(page):
                break
        if known.version < tip.version:
            self._refuse_rest(stream, tip, known)
        else:
            self._damaged.pop(stream, None)

    def _refuse_rest(self, stream: str, tip: Tip, known: WriterHeads) -> None:
        """Say what is wrong with a writer's heads after the last one that is believed."""
        self._damaged.pop(stream, None)
        limit, pinned = self._trust.limit(stream, known.floor), self._pins.end(stream)
        until = min(end for end in (tip.version, limit and limit.version, pinned) if end is not None)
        rows = islice(self._store.read(stream, known.version), _MOST_AFTER_DAMAGE)
        if has_later_head(known.key, rows, Tip(known.version, known.hash), until):
            self._junk[stream] = tip
            self._damaged[stream] = known.version + 1
            self.stopped[stream] = damaged_head(stream, known.version + 1)
            return
        said = f"entries after {known.version} are no heads of a writer that the floor's key has certified"
        self._refuse_heads(stream, tip, known.version, said)

    def _refuse_heads(self, stream: str, tip: Tip, believed: int, said: str) -> None:
        self._junk[stream] = tip
        self.stopped[stream] = StreamStopped(f"{named(stream)}: {said}: that is not believed", believed + 1)

    # Who joins

    def _is_of_here(self, stream: str, writer: WriterHeads) -> bool:
        return is_of_here(stream, writer.joined_after(), self.end(CHECKPOINTS), self.read)

    def _read_new(self, stream: str, tip: Tip, known: WriterHeads | None) -> None:
        """Believe a writer that has joined this history, and its heads."""
        if known is None:
            said = "entries after 0 are no heads of a writer that the floor's key has certified"
            self._refuse_heads(stream, tip, 0, said)
        elif stream in self._outsiders or not self._is_let_in(stream, known):
            self._refuse_heads(stream, tip, 0, "its process has joined another copy of the store, and not this one")
            if known.joined_after().version > self.end(CHECKPOINTS).version:
                del self._junk[stream]  # perhaps the checkpoint is only not read yet
        else:
            self._writers[stream] = known
            self.stopped.pop(stream, None)
            self._read_heads(stream, tip, known)

    def _is_let_in(self, stream: str, writer: WriterHeads) -> bool:
        """Whether a writer is of here; nobody is whom a damaged checkpoint should cover."""
        try:
            return self._is_of_here(stream, writer)
        except Corrupt:
            return False

    def _look_at_joined(self, since: int, new: Container[str]) -> bool:
        """Look at every writer that joined just before a checkpoint which was read only now."""
        until, outsiders = self.end(CHECKPOINTS).version, set()
        late = {name: each for name, each in self._writers.items() if since <= each.joined_after().version < until}
        for name, each in late.items():
            try:
                if not self._is_of_here(name, each):
                    outsiders.add(name)
            except Corrupt as error:
                if name in new:
                    raise StoreRewritten(
                        f"{error.message}: nothing else says which processes have written this store and which a copy "
                        "of it: restore the newest copy"
                    ) from None
        self._outsiders |= outsiders
        return not outsiders

    def _begin_anew(self) -> None:
        """Forget all that was read: some of it came from an outsider."""
        self.moved.update(self._ends)
        for each in (self._writers, self._ends, self._anchors, self._ahead, self._long, self._thinned_at):
            each.clear()
        self._junk.clear()
        self._damaged.clear()

    def _believe(self, known: WriterHeads, entries: list[Entry]) -> bool:
        """Apply heads that were read: the signature of the last one that holds vouches for all before it.

        Whether all of them are believed.
        """
        befores = [known.hash, *(entry.hash for entry in entries)]
        ends, ahead = self._ends, self._ahead
        good = len(entries)
        while good and not holds(known.key, entries[good - 1], befores[good - 1]):
            good -= 1
        for entry in entries[:good]:
            try:
                moves = read_moves(entry.body)
            except Corrupt:
                break
            # Most often a head begins where the streams end.
            if not ahead and b"".join(map(ends.get, moves.names, repeat(b""))) == moves.befores:
                self._advance(moves)
            else:
                for index, (before, after) in enumerate(zip(split(moves.befores), split(moves.afters), strict=True)):
                    self._move(moves.names[index], before, after, moves.digests.get(index, b""))
            if self._noticing and entry.stream != self._own:
                self.moved.update(moves.names)
            known.version, known.hash = entry.version, entry.hash
        return not entries or known.version == entries[-1].version

    def _move(self, stream: str, before: bytes, after: bytes, digest: bytes) -> None:
        """Move a stream on, and then by every move that begins where it ends now."""
        end = self.place(stream)
        if before != end:
            if self._ahead[stream].setdefault(before, after) != after:
                self.stop(stream, "two histories of it were signed")
            return
        if digest:
            self._anchor(stream, before, after + digest)
        ahead = self._ahead.get(stream)
        place: bytes | None = after
        while place is not None:
            if place[RUN] != end[RUN]:
                self._anchor(stream, place)
            end = self._ends[stream] = place
            place = ahead.pop(end, None) if ahead else None
        if ahead is not None and not ahead:
            del self._ahead[stream]

    # Snapshots

    def excerpt(self, *prefixes: str) -> bytes:
        """How far the streams are believed whose names begin so, for another process that only reads them."""
        with self._lock:
            ends = {name: end for name, end in self._ends.items() if name.startswith(prefixes)}
            anchors = {name: each for name, each in self._anchors.items() if name in ends}
            return _MAKE + msgspec.msgpack.encode(_State({}, ends, anchors, {}))

    def written(self) -> bytes:
        """All that was worked out so far, for a snapshot."""
        with self._lock:
            ahead = {name: [*moves.items()] for name, moves in self._ahead.items()}
            anchors = {name: _thinned(each, _LATE_IN_SNAPSHOT) for name, each in self._anchors.items()}
            return _MAKE + msgspec.msgpack.encode(_State(self._writers, self._ends, anchors, ahead))

    def restore(self, body: bytes) -> bool:
        """Go on from a snapshot; whether it was one."""
        if not body.startswith(_MAKE):
            return False
        try:
            state = msgspec.msgpack.decode(body[len(_MAKE) :], type=_State)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return False
        self._writers, self._ends = state.writers, state.ends
        self._anchors.update(state.anchors)
        self._long = {name for name, each in state.anchors.items() if any(len(anchor) > PLACE for anchor in each)}
        self._ahead.update((name, dict(moves)) for name, moves in state.ahead.items())
        return True


def damaged_head(stream: str, number: int) -> StreamStopped:
    """What is said of a head that is missing or altered while later ones of its writer are there."""
    return StreamStopped(
        f"head {number} of {named(stream)} is not the one that was signed (later ones are there): put the entry back "
        "from any copy that has it, or restore the newest copy (docs/repair.md)",
        number,
    )


def _lack(stream: str, tip: Tip, known: WriterHeads) -> str:
    """What a store that ends a writer's heads there lacks of those that are known; nothing where it has them all."""
    writer = named(stream.removeprefix(HEADS))
    if tip.version < known.version:
        has = max(0, tip.version)
        said = f"this store has {has} heads of writer {writer}, and this floor has seen {known.version}"
        return f"{said}: it is an older copy, or was cut"
    if tip.version == known.version and tip.hash != known.hash:
        said = f"head {known.version} of writer {writer} is another here than this floor has seen"
        return f"{said}: the store was rewritten, or a copy of it was continued elsewhere"
    return ""


def _thinned(anchors: list[bytes], late: int) -> list[bytes]:
    """Some of the anchors, and all of the latest."""
    if len(anchors) <= late:
        return anchors
    left: list[bytes] = []
    since = 0
    for anchor in anchors[:-late]:
        version = int.from_bytes(anchor[:8])
        if version >= since + _BETWEEN_OLD_ANCHORS:
            left.append(anchor[:PLACE])
            since = version
    return left + anchors[-late:]
