"""Heads: each writer certified by the floor's key, each head signed over the one before, all of them joined up.

Heads of several writers are read in the order in which they follow from each other: a head comes when every stream that
it moves ends where the head says that it ended before, a head over a checkpoint after all heads that the checkpoint
took, and a writer's first head just after the checkpoint that it names. Times decide only among heads that may all come
next: a clock that was put back does not put what a process wrote in front of what it had read.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from operator import itemgetter
from types import MappingProxyType
from typing import Final, NamedTuple

from punto.errors import Corrupt, named
from punto.proof.headlog import CHECKPOINTS, read_sequenced
from punto.proof.heads import Move, is_head_of, is_in_place, read_head
from punto.proof.joining import JOINED
from punto.proof.rotations import Trust
from punto.proof.writers import HEADS, Certificate, read_certificate
from punto.record.checks.chains import Stream, Streams
from punto.record.checks.findings import Code, Findings
from punto.record.checks.moments import WORD_MS
from punto.store.contract import Entry, Hash, Store, Tip

# Where the last head of a writer holds, it vouches for all before it, and only some of those are tried.
_ONE_IN: Final = 16
# Writers whose last heads are less apart than this may still be at work beside each other.
_BESIDE_MS: Final = 60_000


class Signed(NamedTuple):
    """A head that is next of its writer, and the moves that it is signed over."""

    stream: str
    number: int
    at_ms: int
    moves: dict[str, Move]
    after: Tip | None = None


class Reached(NamedTuple):
    """How far the heads of a writer were read: up to which of them, and as which step of all heads."""

    end: Tip
    step: int
    # Under which head of the findings the next one is looked at, and how many heads there were.
    head: int
    seen: int
    # The last checkpoint when the writer joined.
    after: Tip | None


class Last(NamedTuple):
    """The last head of a writer: its number, 0 where its signature does not hold, and its time."""

    vouched: int = 0
    at_ms: int = 0


class Order:
    """The order in which heads were read, as far as it matters to heads that nobody had signed then."""

    def __init__(self) -> None:
        self.step = 0
        # The step of the last checkpoint.
        self.checkpoint = 0
        # Steps that no later one exceeds in time, with their times: the latest time since any step is here.
        self._latest: list[tuple[int, int]] = []

    def note(self, head: Signed) -> None:
        """A head is read."""
        self.step += 1
        while self._latest and self._latest[-1][1] <= head.at_ms:
            self._latest.pop()
        self._latest.append((self.step, head.at_ms))
        if CHECKPOINTS in head.moves:
            self.checkpoint = self.step

    def latest_ms(self, step: int) -> int:
        """The latest time of a head that was read after a step."""
        place = bisect_right(self._latest, step, key=itemgetter(0))
        return self._latest[place][1] if place < len(self._latest) else 0


class WriterHeads:
    """The heads of one writer, one after the other; from where they were *reached* before on."""

    def __init__(
        self,
        stream: Stream,
        certificate: Certificate,
        last: Last,
        findings: Findings,
        reached: Reached | None = None,
    ) -> None:
        self.stream = stream
        self._key = certificate.key
        self._vouched, self.last_ms = last
        self._findings = findings
        self.reached = reached
        self.next: Signed | None = None
        # The last head of each writer that the checkpoint took over which the next head is signed, once that is read.
        self.took: dict[str, int] | None = None
        # The last checkpoint when the writer joined.
        self.after: Tip | None = None
        self.end, self._step, self._head = Tip(stream.version, stream.hash), 0, 0
        if reached is not None:
            self.end, self._step, self._head, _, self.after = reached
            stream.go_on_from(self.end)
        self._before = self.end.hash

    def begin(self) -> None:
        """Look for the first head that is still to be read; what is wrong is told where a whole audit tells it."""
        with self._findings.under(self._head):
            self._look()
        if self.reached is None and self.next is not None:
            self.after = self.next.after

    def pull(self, step: int) -> None:
        """Go on to the next head: this one was read, as a step of all."""
        self.end, self._step, self._head = Tip(self.stream.version, self.stream.hash), step, self._findings.head
        self._look()

    def _look(self) -> None:
        """Look for the next head that the writer has signed."""
        self.next = self.took = None
        for entry in self.stream.rest():
            before, self._before = self._before, entry.hash
            self.next = self._read(entry, before)
            if self.next is not None:
                return

    def stand(self, seen: int) -> Reached:
        """How far the heads were read, of so many."""
        return Reached(self.end, self._step, self._head, seen, self.after)

    def _read(self, entry: Entry, before: Hash) -> Signed | None:
        """A head that is what its writer has signed; what it is not is told, and it covers nothing then."""
        name, number = self.stream.name, entry.version
        if entry.command is not None:
            said = f"a head is kept under command {entry.command!r}; no command made it"
            self._findings.of_record(Code.BAD_COMMAND, name, number, said)
        try:
            head = read_head(entry.body)
        except Corrupt as error:
            said = f"a head that does not read: {error.message}"
            self._findings.of_record(Code.BAD_HEAD, name, number, said)
            return None
        tried = number >= self._vouched or number % _ONE_IN == 0
        if tried and not is_head_of(self._key, head, before):
            said = f"head {number} is not signed with its writer's key on the entry before it"
            self._findings.of_record(Code.BAD_HEAD, name, number, said)
            return None
        if not is_in_place(head, name, number):
            said = f"head {number} calls itself {head.statement.number} of writer {head.statement.writer[:16]}"
            self._findings.of_record(Code.BAD_HEAD, name, number, said)
        joins = head.statement.after is not None
        if joins != (number == JOINED):
            said = "another head than its writer's first names the checkpoint after which it joined"
            said = said if joins else "the first head of a writer must name the checkpoint after which it joined"
            self._findings.of_record(Code.BAD_HEAD, name, number, said)
        return Signed(name, number, head.statement.at_ms, head.moved, head.statement.after)


class Heads:
    """The heads of all writers, joined up."""

    def __init__(self, store: Store, streams: Streams, findings: Findings, order: Order) -> None:
        self._store = store
        self._streams = streams
        self._findings = findings
        # How many entries were read beside the heads that are read in order.
        self.counted = 0
        self.order = order
        self._writers: list[WriterHeads] = []

    def begin(self, trust: Trust, reached: Mapping[str, Reached] = MappingProxyType({})) -> None:
        """Look at every certificate, and at the last head of each writer, before any other.

        Heads up to where they were *reached* are not read again.
        """
        names = sorted(name for name in self._streams.all if name.startswith(HEADS))
        for name in names:
            stream = self._streams.all.pop(name)
            first = next(stream.up_to(1), None)
            self.counted += 1
            certificate = self._certificate(stream, first)
            if certificate is None:
                self.counted += sum(1 for _ in stream.rest())
                continue
            try:
                trust.check(name, certificate.floor)
            except Corrupt as error:
                self._findings.of_record(Code.UNKNOWN_KEY, name, 1, error.message)
                self.counted += sum(1 for _ in stream.rest())
                continue
            limit = trust.limit(name, certificate.floor)
            last = self._last(stream, certificate)
            if limit is not None:
                self._check_limit(name, limit)
            self._writers.append(WriterHeads(stream, certificate, last, self._findings, reached.get(name)))

    def look(self) -> None:
        """Look for the first head of each writer that is still to be read."""
        for writer in self._writers:
            writer.begin()

    def follow(self, unexplained_ms: Mapping[str, int]) -> bool:
        """Whether what was signed since would be read after what was read before, if everything were read now.

        Nothing of it may come before the time of a head that was read while its writer had none, nor explain what a
        claim of another writer lacked.
        """
        return all(
            self._comes_later(each.next, each.reached, unexplained_ms)
            for each in self._writers
            if each.next is not None and (each.reached is None or each.reached.seen <= each.reached.end.version)
        )

    def _comes_later(self, head: Signed, reached: Reached | None, unexplained_ms: Mapping[str, int]) -> bool:
        if any(head.at_ms <= at_ms + 2 * WORD_MS for other, at_ms in unexplained_ms.items() if other != head.stream):
            return False
        if reached is not None:
            return head.at_ms > self.order.latest_ms(reached.step)
        signed = self._streams.signed(CHECKPOINTS)
        if head.after is None or head.after.version < signed.version:
            return False
        return head.after != signed or head.at_ms > self.order.latest_ms(self.order.checkpoint)

    @property
    def one_at_a_time(self) -> bool:
        """Whether of late one writer alone has signed, so that no head of another can still come before its last."""
        newest = max((each.last_ms for each in self._writers), default=0)
        return sum(each.last_ms > newest - _BESIDE_MS for each in self._writers) <= 1

    @property
    def left(self) -> int:
        """How many heads are still to be read."""
        return sum(self._end(each.stream.name) - each.end.version for each in self._writers)

    def stand(self) -> dict[str, Reached]:
        """How far the heads of each writer were read."""
        return {
            each.stream.name: each.stand(self._end(each.stream.name))
            for each in self._writers
            if each.end.version >= JOINED
        }

    def in_order(self) -> Iterator[Signed]:
        """Every head, after all that it builds on."""
        while waiting := sorted((each for each in self._writers if each.next), key=_time):
            writer = next((each for each in waiting if self._joins(each)), None)
            if writer is None:
                writer = waiting[0]
                self._tell_gap(writer.next)
            head = writer.next
            assert head is not None, "only writers with a next head wait"
            yield head
            self.order.note(head)
            writer.pull(self.order.step)

    def others_wait(self, stream: str) -> bool:
        """Whether heads of other writers than this one are still to come."""
        return any(each.next is not None for each in self._writers if each.stream.name != stream)

    def _joins(self, writer: WriterHeads) -> bool:
        """Whether every stream that a head moves ends where it says, and no head that its checkpoint took waits."""
        head = writer.next
        assert head is not None, "only writers with a next head wait"
        if any(self._streams.signed(name) != move.before for name, move in head.moves.items()):
            return False
        if head.after is not None and head.after != self._streams.signed(CHECKPOINTS):
            return False
        if CHECKPOINTS not in head.moves:
            return True
        if writer.took is None:
            writer.took = self._took(head.moves[CHECKPOINTS].before.version)
        took = writer.took
        return not any(each.next and each.next.number <= took.get(each.stream.name, 0) for each in self._writers)

    def _took(self, before: int) -> dict[str, int]:
        """The last head of each writer that a checkpoint took; whether it did so rightly is judged when it is read."""
        entry = next(self._store.read(CHECKPOINTS, before), None)
        try:
            return read_sequenced(entry.body).took if entry else {}
        except Corrupt:
            return {}

    def check_took(self, number: int, took: dict[str, int]) -> None:
        """A checkpoint covers every writer that joined after the one before it."""
        for writer in self._writers:
            name, after = writer.stream.name, writer.after
            if after is not None and after.version == number - 1 and took.get(name, 0) < JOINED:
                said = f"checkpoint {number} does not cover this writer, which had joined: it ran on another copy"
                self._findings.of_record(Code.BAD_HEAD, name, JOINED, said)

    def _tell_gap(self, head: Signed | None) -> None:
        assert head is not None, "only writers with a next head wait"
        signed = self._streams.signed(CHECKPOINTS)
        if head.after is not None and head.after != signed:
            said = f"its writer joined after checkpoint {head.after.version}; the last one here was {signed.version}"
            self._findings.of_record(Code.BAD_HEAD, head.stream, head.number, said)
            return
        for name, move in head.moves.items():
            signed = self._streams.signed(name)
            if signed != move.before:
                said = f"{named(head.stream)}: head {head.number} begins after entry {move.before.version}"
                where = f"; the heads before it end with {signed.version}"
                other = ", and with another entry of that number" if signed.version == move.before.version else ""
                self._findings.of_record(Code.BAD_HEAD, name, move.before.version + 1, said + where + other)
                return

    def _check_limit(self, name: str, limit: Tip) -> None:
        """Hold a writer's heads against what the rotation of its key says of them."""
        last = next(self._store.read(name, limit.version - 1), None)
        if last is None or last.hash != limit.hash:
            said = f"head {limit.version} is not the one that the rotation of its key names"
            self._findings.of_record(Code.UNKNOWN_KEY, name, limit.version, said)
        if self._end(name) > limit.version:
            said = f"heads after {limit.version} were signed after the floor's key was rotated"
            self._findings.of_record(Code.UNKNOWN_KEY, name, limit.version + 1, said)

    def _certificate(self, stream: Stream, first: Entry | None) -> Certificate | None:
        try:
            found = read_certificate(first.body if first else b"")
        except Corrupt as error:
            self._findings.of_record(Code.BAD_HEAD, stream.name, 1, error.message)
            return None
        if HEADS + found.writer != stream.name:
            said = f"the certificate of writer {named(found.writer)} begins the heads of another"
            self._findings.of_record(Code.BAD_HEAD, stream.name, 1, said)
            return None
        return found

    def _last(self, stream: Stream, certificate: Certificate) -> Last:
        """The last head of a writer."""
        end = self._end(stream.name)
        last = list(self._store.read(stream.name, max(0, end - 2)))
        try:
            head = read_head(last[1].body) if len(last) == 2 else None  # noqa: PLR2004
            if head is None or not is_head_of(certificate.key, head, last[0].hash):
                return Last()
        except (Corrupt, TypeError):
            return Last()
        return Last(end, head.statement.at_ms)

    def _end(self, name: str) -> int:
        tip = self._store.tip(name)
        return tip.version if tip else 0


def _time(writer: WriterHeads) -> tuple[int, str]:
    return (writer.next.at_ms if writer.next else 0), writer.stream.name
