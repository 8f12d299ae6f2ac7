"""The history of a floor: what this process believes of its store, and the one way in which it adds to it.

A transaction is a `Group`: entries chained to the believed ends of their streams, and last a head that the process
signs as a writer of its own. Nothing is built on an entry that no head covers.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from math import inf
from typing import Final

from punto.errors import (
    Conflict,
    Fenced,
    KeyRotated,
    OlderRecord,
    OutcomeUnknown,
    PuntoError,
    StaleVersion,
    StoreGone,
    StoreRewritten,
    StreamStopped,
)
from punto.floor.keys import Keys
from punto.floor.ownership import KEY_FENCE, SEQUENCER, Ownership
from punto.proof.believed import Believed
from punto.proof.coverage import Coverage
from punto.proof.headlog import CHECKPOINTS, leaf_of
from punto.proof.heads import Moves, head_row, joining_rows
from punto.proof.oldheads import OLD_HEADS
from punto.proof.outposts import Outpost, Tail
from punto.proof.ownkey import check_not_replaced, check_signed_with
from punto.proof.pins import DECISIONS, read_pins
from punto.proof.places import pack, unpack
from punto.proof.writers import HEADS, Writer, fresh_writer, public_of
from punto.store.chain import chained, digest_of, follows, start
from punto.store.contract import GARBLED, Entry, Hash, Row, Sending, SendingStore, Snapshot, Store, Tip
from punto.surroundings import monotonic

COVERAGE: Final = "coverage"
# A snapshot of the coverage is kept after so many heads.
_KEEP_EVERY: Final = 2_000

# A stream that a group has given so many entries is signed with a digest over them.
_MANY: Final = 32

# What is to be written: stream, command, body.
Written = tuple[str, str | None, bytes]


class _Ends(dict[str, tuple[int, Hash]]):
    """Where the streams of a group end; those that it has not moved yet end where the group before leaves them."""

    def __init__(self, place: Callable[[str], bytes], before: Mapping[str, tuple[int, Hash]]) -> None:
        super().__init__()
        self._place = place
        self.before = before
        self.began: dict[str, bytes] = {}
        self.first: dict[str, int] = {}

    def __missing__(self, stream: str) -> tuple[int, Hash]:
        end = self.before.get(stream)
        place = self.began[stream] = pack(*end) if end else self._place(stream)
        end = end or unpack(place)
        self.first[stream] = end[0]
        return end


class Group:
    """A transaction in the making: the entries chained so far, and how far each stream has moved.

    It may begin while the one *before* is still being written.
    """

    def __init__(self, coverage: Coverage, before: "Group | None" = None) -> None:
        self._coverage = coverage
        self._ends: _Ends = _Ends(coverage.place, before.ends if before else {})
        # The places where its streams ended before.
        self.began = self._ends.began
        self._rows: list[Row] = []
        self.at_ms = 0

    def chain(self, written: Iterable[Written]) -> list[Row]:
        """The entries as rows, each chained to the one before it."""
        rows = chained(written, self._ends)
        self._rows += rows
        return rows

    @property
    def ends(self) -> Mapping[str, tuple[int, Hash]]:
        """Where the streams end that the group has moved."""
        return self._ends

    @property
    def commands(self) -> list[Hash]:
        """The hashes of the entries with which commands begin."""
        return [row[4] for row in self._rows if row[2] is not None]

    def moves(self) -> Moves:
        """How the group moves each of its streams."""
        ends, rows = self._ends, self._rows
        afters: list[bytes] = []
        digests: dict[int, bytes] = {}
        for stream, first in ends.first.items():
            version, hash_ = ends[stream]
            if version - first >= _MANY:
                digests[len(afters)] = digest_of([row for row in rows if row[0] == stream])
            afters.append(pack(version, hash_))
        return Moves([*self.began], b"".join(self.began.values()), b"".join(afters), digests)

    def end(self, stream: str) -> Tip:
        """Where a stream ends after the group."""
        end = self._ends.get(stream)
        return Tip._make(end) if end else self._coverage.end(stream)

    def rest_on_record(self) -> None:
        """The group before is on record now."""
        self._ends.before = {}


class _Transaction:
    """A group that is being written, with its head, which is signed once all of its entries are there."""

    def __init__(self, group: Group) -> None:
        self.group = group
        self.head: Row | None = None
        self.moves = Moves([], b"", b"")
        self.sending: Sending | None = None


class History:
    """A store as far as this process believes it. One thread at a time writes; any thread may read."""

    def __init__(self, store: Store, keys: Keys, *, rotating: bool = False, older: bool = False) -> None:
        """With *older*, a store that lacks heads which this floor has seen there is read as far as its heads go."""
        self.store = store
        self.keys = keys
        # Read before anything else: whoever rotates the key after that fences this process off.
        self.ownership = Ownership(store)
        if self.ownership.key_epoch % 2 and not rotating:
            raise Conflict(
                "the floor's key is being rotated: wait, or run 'punto key rotate' again if that was cut short"
            )
        self.coverage = Coverage(store, keys.public)
        self._check_kind()
        self._restore()
        # What the store lacks of the heads that this floor has seen there, and the streams that those heads moved.
        self.lack = self.coverage.lack() if older else ""
        self.seen: list[str] = []
        if self.lack:
            self.seen = self.coverage.streams()
            self.coverage = Coverage(store, keys.public)
        self.believed = Believed(store, self.coverage)
        self.coverage.catch_up()
        self._check_key()
        self.pins = read_pins(self.coverage.read(DECISIONS))
        self.coverage.pin(self.pins)
        self._writer: Writer | None = None
        self._own = Tip(0, b"")
        self._heads = 0
        # Why the store is not written to any more: it has told another history, or the floor has another key.
        self.ended: StoreRewritten | KeyRotated | None = None
        # A look at the ends of all streams that has not come to its end.
        self._round: Iterator[None] | None = None
        # The log's leaves of this process's heads, from its first one on or since they were last taken.
        self.leaves: list[bytes] = []
        # Told of each head of this process: its stream, its number, and the hashes with which its commands begin.
        self.heard: Callable[[str, int, Sequence[Hash]], None] | None = None
        # Where the end of this process's heads is kept outside, and why the last one could not be.
        self._outposts: tuple[Outpost, ...] = ()
        self._tails: dict[Outpost, Tail] = {}
        self._tails_of = ""
        self.outside_fault: PuntoError | None = None
        # A group of which it is not known whether it was written: its head, and how it would have moved its streams.
        self.unsure: tuple[Tip, bytes, Moves] | None = None
        self._sending_store: SendingStore | None = store if hasattr(type(store), "send") else None  # type: ignore[assignment]
        # The group that was sent, and has not landed yet.
        self._sent: _Transaction | None = None

    # What is believed

    def end(self, stream: str) -> Tip:
        """Where a stream ends, as far as it is believed."""
        return self.coverage.end(stream)

    def read(self, stream: str, after: int = 0) -> Iterator[Entry]:
        """The believed entries of a stream after a version."""
        return self.coverage.read(stream, after)

    def last(self, stream: str) -> Entry | None:
        """The last believed entry of a stream; one that is not what was signed stops the stream."""
        end = self.end(stream)
        if not end.version:
            return None
        entries = list(islice(self.store.read(stream, max(0, end.version - 2)), min(2, end.version)))
        found = entries.pop() if entries else None
        since = entries[0].hash if entries else start(stream).hash
        # The signed hash covers all of the entry, so nothing else needs to be looked at.
        if found is None or (found.version, found.hash) != end or not follows(since, found):
            self.coverage.check(stream)
            raise self.coverage.stop(stream, f"entry {end.version} is not the one that was signed")
        return found

    def find(self, command: str) -> Entry | None:
        """The first entry of a command, if it is believed; `StreamStopped` where it was forged."""
        return self.coverage.find(command)

    def check(self, streams: Iterable[str]) -> None:
        """Refuse to build on a stream that is stopped."""
        stopped = self.coverage.stopped
        if stopped:
            for stream in streams:
                if stream in stopped:
                    raise stopped[stream].anew()

    # What is added

    def group(self, before: Group | None = None) -> Group:
        """Begin a transaction on what is believed now, or on a group *before* that was sent and has not landed."""
        return Group(self.coverage, before)

    def append(self, group: Group, rows: Iterable[Row], fences: Mapping[str, int]) -> None:
        """Write a group and its head in one transaction; when it returns, all of it is durable and believed.

        The *fences* are the process's own, as `ownership` gives them. A store that raises has written nothing, unless
        it says that it does not know, or what it raises is a fault of ours.
        """
        transaction = self._begin(group)
        with self._minding(transaction):
            self.store.append(self._signed(transaction, rows), fences)
        self._conclude(transaction)

    def send(self, group: Group, rows: Iterable[Row], fences: Mapping[str, int]) -> None:
        """The same, and perhaps return before it is durable: `land` waits until it is, and nothing is written before.

        Whatever `append` would raise is raised here or by `land`.
        """
        store = self._sending_store
        if store is None:
            self.append(group, rows, fences)
            return
        transaction = self._begin(group)
        with self._minding(transaction):
            transaction.sending = store.send(self._signed(transaction, rows), fences)
        self._sent = transaction

    @property
    def is_waiting(self) -> bool:
        """Whether a group was sent and has not landed."""
        return self._sent is not None

    def land(self) -> None:
        """Wait until the group that was sent is durable, and believe it."""
        transaction, self._sent = self._sent, None
        if transaction is not None:
            assert transaction.sending is not None, "it was sent"
            with self._minding(transaction):
                transaction.sending.wait()
            self._conclude(transaction)

    def _begin(self, group: Group) -> _Transaction:
        assert self.unsure is None, "a group whose answer was lost is settled first"
        assert self._sent is None, "a group that was sent has landed before the next is written"
        if self.ended is not None:
            raise self.ended.anew()
        self.join(group.at_ms)
        return _Transaction(group)

    def _signed(self, transaction: _Transaction, rows: Iterable[Row]) -> Iterator[Row]:
        """The rows as they come, and last the head."""
        yield from rows
        group = transaction.group
        if group.began:
            assert self._writer is not None, "whoever has joined is a writer"
            transaction.moves = moves = group.moves()
            transaction.head = head_row(self._writer, self._own, group.at_ms, moves, group.commands)
            yield transaction.head

    @contextmanager
    def _minding(self, transaction: _Transaction) -> Iterator[None]:
        """Remember a group of which it is not known whether it was written."""
        try:
            yield
        except BaseException as error:
            if isinstance(error, Fenced) and error.name == KEY_FENCE:
                self._check_fence()
            head = transaction.head
            if head and (isinstance(error, OutcomeUnknown) or not isinstance(error, PuntoError)):
                self.unsure = Tip(head[1], head[4]), leaf_of(head[3]), transaction.moves
            raise

    def _conclude(self, transaction: _Transaction) -> None:
        """A group is durable."""
        head = transaction.head
        if head:
            self._believe(Tip(head[1], head[4]), leaf_of(head[3]), transaction.moves)
            if self.heard is not None:
                self.heard(head[0], head[1], transaction.group.commands)

    def join(self, at_ms: int) -> int | None:
        """Sign in as a writer, before the first head, and say after which checkpoint; the epoch under which it did so.

        None where this process has joined before. No checkpoint is taken meanwhile, so the next one covers the writer;
        a writer that it does not cover has joined some other copy of the store.
        """
        if self._own.version:
            return None
        epoch = self.store.claim(SEQUENCER)
        self._catch_up()
        writer = self.make_writer(at_ms)
        rows = joining_rows(writer, at_ms, after := self.end(CHECKPOINTS))
        try:
            self.store.append(rows, self.ownership.fences(()) | {SEQUENCER: epoch})
        except Fenced as error:
            if error.name == KEY_FENCE:
                self._check_fence()
            if error.name != SEQUENCER:
                raise
            raise StaleVersion("another process joins, or takes a checkpoint: nothing was written") from None
        except OutcomeUnknown as error:  # perhaps it has joined; nothing else was sent, and next time another does
            self._writer = None
            raise StoreGone(f"{error.message}: nothing was done") from None
        except BaseException:
            self._writer = None
            raise
        _, version, _, body, hash_ = rows[-1]
        self._own, self.leaves = Tip(version, hash_), [leaf_of(body)]
        self.coverage.begin(writer.stream, public_of(writer.key), self._own, after)
        return epoch

    def settle(self) -> bool:
        """Find out for good whether the group was written whose answer was lost."""
        assert self.unsure is not None, "only a group whose answer was lost is looked for"
        head, leaf, moves = self.unsure
        assert self._writer is not None, "a group has a head, and a head has a writer"
        self.ownership.end_doubt()
        found = next(self.store.read(self._writer.stream, head.version - 1), None)
        written = found is not None and found.hash == head.hash
        self.unsure = None
        if written:
            self._believe(head, leaf, moves)
        return written

    def _believe(self, head: Tip, leaf: bytes, moves: Moves) -> None:
        """The group is durable, and its head is this process's own; *leaf* is what the log of heads has of it."""
        writer = self._writer
        assert writer is not None, "a head has a writer"
        self.coverage.add(writer.stream, head, moves)
        if head.version == self._own.version + 1:
            self.leaves.append(leaf)
        self._own = head
        self._write_tails(writer, head)
        self._heads += 1
        if self._heads % _KEEP_EVERY == 0:
            self.keep()

    def _check_fence(self) -> None:
        """Write no more once somebody has rotated the floor's key."""
        epoch = self.store.epoch(KEY_FENCE)
        if epoch != self.ownership.key_epoch:
            self._catch_up()
            said = "somebody has begun to rotate the floor's key"
            if epoch == GARBLED:
                said = "the store's table epochs no longer says whether the floor's key is being rotated"
            self.ended = KeyRotated(f"{said}: this process writes no more")
            raise self.ended.anew()

    @property
    def writer(self) -> Writer | None:
        """This process as a writer; none before it has had anything to sign."""
        return self._writer

    def make_writer(self, at_ms: int) -> Writer:
        """This process as a writer, with a new key where it has none; its certificate is written with its next head."""
        if self._writer is None:
            # Whatever the clock says, a writer begins after the decision to go on without an older history.
            self._writer = fresh_writer(self.keys.signing, max(at_ms, self.pins.at_ms))
        return self._writer

    # Outside

    @property
    def writer_name(self) -> str:
        """The name of this process as a writer; empty before it has written anything."""
        return self._writer.name if self._writer else ""

    def keep_tails(self, outposts: Iterable[Outpost]) -> None:
        """Keep the end of this process's heads outside, too, before anybody is answered."""
        self._outposts = tuple(outposts)

    def _write_tails(self, writer: Writer, head: Tip) -> None:
        """Keep the end of this process's heads outside; where a folder fails, the floor goes on and says so."""
        if self._tails_of != writer.name:
            for tail in self._tails.values():
                tail.close()
            self._tails, self._tails_of = {}, writer.name
        self.outside_fault = None
        for outpost in self._outposts:
            try:
                if outpost not in self._tails:
                    self._tails[outpost] = outpost.tail(writer.name)
                self._tails[outpost].write(writer.stream, head)
            except PuntoError as error:  # the other folders still get theirs
                self.outside_fault = error

    # When something else was there

    def look_into(self, stale: StaleVersion) -> None:
        """Find out why a stream did not end where it was believed to end.

        What nobody has signed stops its stream. A stream of heads of this writer's own that somebody has added to is
        left behind: the next head is another writer's, with a key of its own.
        """
        self._catch_up()
        if stale.stream:
            with suppress(StreamStopped):
                self.coverage.check(stale.stream)
        if self._writer is not None and stale.stream == self._writer.stream:
            self._writer, self._own = None, Tip(0, b"")

    def watch(self, streams: Iterable[str]) -> None:
        """Look whether streams end where they are believed to end."""
        self._catch_up()
        for stream in streams:
            with suppress(StreamStopped):
                self.coverage.check(stream)

    def watch_all(self, for_s: float = inf) -> bool:
        """Look whether every stream ends where it is believed to end; whether all were looked at in so many seconds.

        The next call goes on from there.
        """
        self._catch_up()
        until_s = monotonic() + for_s
        self._round = self._round or self.coverage.check_each()
        for _ in self._round:
            if monotonic() >= until_s:
                return False
        self._round = None
        return True

    def _catch_up(self) -> None:
        """Believe what others have signed since; a store that tells another history is written to no more."""
        try:
            self.coverage.catch_up()
            check_not_replaced(self.coverage)
        except (StoreRewritten, KeyRotated) as error:
            self.ended = error.anew()
            raise

    # Beginnings and ends

    def _check_kind(self) -> None:
        """Refuse a store that was signed before heads had writers."""
        if self.store.tip(OLD_HEADS) is not None and next(self.store.streams(HEADS), None) is None:
            raise OlderRecord("the store was signed by an older Punto: bring it up to date with 'punto migrate STORE'")

    def _check_key(self) -> None:
        """Refuse a key that is not the floor's, or not any more."""
        check_not_replaced(self.coverage)
        self.coverage.check_rotations()
        check_signed_with(self.store, self.coverage)

    def keep(self) -> None:
        """Keep a snapshot of the coverage, so that the next start need not read every head.

        A store that tells another history now is left as it is.
        """
        if self.ended is not None:
            return
        body = self.keys.stamped(self.coverage.written(), COVERAGE.encode())
        with suppress(PuntoError):  # what was written is durable, with a snapshot or without
            self.store.keep(COVERAGE, Snapshot(self.coverage.heads, b"", body))

    def _restore(self) -> None:
        kept = self.store.snapshot(COVERAGE)
        body = self.keys.unstamped(kept.body, COVERAGE.encode()) if kept else None
        if body is not None:
            self.coverage.restore(body)
