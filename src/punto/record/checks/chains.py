"""Streams as they are read: each entry against the one before it, and every body as bytes."""

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterator
from enum import IntEnum, auto
from typing import Final

from punto.errors import Corrupt
from punto.proof.headlog import CHECKPOINTS, COSIGNATURES
from punto.proof.migrations import MIGRATIONS, CommandsDigest
from punto.proof.oldheads import OLD_HEADS
from punto.proof.rotations import KEYS
from punto.proof.seals import SEALS
from punto.proof.writers import HEADS
from punto.record.checks.findings import Code, Findings
from punto.record.checks.tickets import TICKETS
from punto.store.chain import follows, genesis, start
from punto.store.contract import Entry, Hash, Store, Tip

# An open stream holds a page of entries in memory.
_MOST_OPEN: Final = 1_000


class Kind(IntEnum):
    """The kinds of streams, in the order in which they are judged: money follows from events."""

    TABLE = auto()
    LEDGER = auto()
    CASHIER = auto()
    SECURITY = auto()
    IDENTITY = auto()
    JOURNAL = auto()
    TICKETS = auto()
    CLAIMS = auto()
    HEADS = auto()
    KEYS = auto()
    MIGRATIONS = auto()
    CHECKPOINTS = auto()
    COSIGNATURES = auto()
    DECISIONS = auto()
    SEALS = auto()
    STRANGE = auto()


# The greatest version that a database holds, and what is read where a version is no number.
_GREATEST: Final = 2**63 - 1
_PREFIXES: Final = (
    ("table/", Kind.TABLE),
    ("wallet/", Kind.LEDGER),
    ("book/", Kind.LEDGER),
    ("cashier/", Kind.CASHIER),
    (HEADS, Kind.HEADS),
)
_NAMES: Final = {
    "security": Kind.SECURITY,
    "identity/staff": Kind.IDENTITY,
    "identity/sessions": Kind.IDENTITY,
    "identity/terminals": Kind.IDENTITY,
    "identity/house": Kind.IDENTITY,
    "journal": Kind.JOURNAL,
    "identity/persons": Kind.IDENTITY,
    TICKETS: Kind.TICKETS,
    "claims": Kind.CLAIMS,
    KEYS: Kind.KEYS,
    MIGRATIONS: Kind.MIGRATIONS,
    CHECKPOINTS: Kind.CHECKPOINTS,
    COSIGNATURES: Kind.COSIGNATURES,
    "decisions": Kind.DECISIONS,
    SEALS: Kind.SEALS,
    OLD_HEADS: Kind.HEADS,
}


def kind_of(stream: str) -> Kind:
    """What kind of stream has such a name."""
    for prefix, kind in _PREFIXES:
        if stream.startswith(prefix):
            return kind
    return _NAMES.get(stream, Kind.STRANGE)


class Stream:
    """One stream, read once from its first entry to its last."""

    def __init__(self, name: str, streams: "Streams") -> None:
        self.name = name
        self.kind = kind_of(name)
        self.version = 0
        self.hash: Hash = genesis(name)
        # Whether the heads so far agree with what was read, and where the last of them left off.
        self.agreed = True
        self.signed = start(name)
        # Hashes of entries that a head will name after later ones were read.
        self.passed: dict[int, Hash] = {}
        # The ids of commands among the entries that a migration has signed over.
        self.commands = CommandsDigest()
        self._streams = streams
        self._next: Entry | None = None

    def go_on_from(self, end: Tip) -> None:
        """Go on after an end up to which the stream was read before, and was as it was signed."""
        self.version, self.hash = end
        self.signed = end
        self._next = None
        self._streams.leave(self)

    @property
    def is_as_signed(self) -> bool:
        """Whether it was read as far as heads cover it, no further, and is what they say."""
        return self.agreed and self._next is None and self.signed == (self.version, self.hash)

    def up_to(self, version: int) -> Iterator[Entry]:
        """The entries that come up to a version, each checked against the one before."""
        while self.version < version:
            entry = self._next or self._streams.pull(self)
            if entry is None:
                return
            if entry.version > version:
                self._next = entry
                self._tell_gap(entry)
                return
            self._next = None
            yield self._checked(entry)

    def rest(self) -> Iterator[Entry]:
        """All entries that are left."""
        while (entry := self._next or self._streams.pull(self)) is not None:
            self._next = None
            yield self._checked(entry)

    def _checked(self, entry: Entry) -> Entry:
        wrong = self._streams.findings
        if entry.version != self.version + 1:
            self._tell_gap(entry)
        elif not isinstance(entry.body, bytes):
            wrong.of_record(Code.BROKEN_CHAIN, self.name, entry.version, "there are no bytes where a body should be")
            entry = entry._replace(body=b"")
        elif self.hash and not follows(self.hash, entry):
            said = "the entry is not what was written: its hash does not follow from the one before"
            wrong.of_record(Code.BROKEN_CHAIN, self.name, entry.version, said)
        self.version = min(max(self.version + 1, entry.version), _GREATEST)
        self.hash = entry.hash
        if self._streams.marks:
            self._note_old(entry)
        return entry

    def _note_old(self, entry: Entry) -> None:
        """Note what the head of a migration will say of an old entry."""
        marks = self._streams.marks.get(self.name)
        if marks and self.version <= marks[-1]:
            self.commands.add(entry)
            if marks[bisect_left(marks, self.version)] == self.version:
                self.passed[self.version] = entry.hash

    def _tell_gap(self, entry: Entry) -> None:
        """An entry is not the next one: that is told once, and the chain begins anew after it."""
        said = f"entry {self.version + 1} is not there: after {self.version} comes {entry.version}"
        if entry.version >= _GREATEST:
            said = f"an entry of version {entry.version}, which no stream reaches"
        self._streams.findings.of_record(Code.BROKEN_CHAIN, self.name, min(self.version + 1, _GREATEST), said)
        self.version = max(self.version, entry.version - 1)
        self.hash = b""
        self.agreed = False


class Streams:
    """All streams of a store, however many; only those in use are kept open."""

    def __init__(self, store: Store, findings: Findings) -> None:
        self.findings = findings
        self._store = store
        self._open: OrderedDict[str, Iterator[Entry]] = OrderedDict()
        self.all = {name: Stream(name, self) for name, _ in store.streams()}
        # Versions of streams whose hashes are kept as they are read.
        self.marks: dict[str, list[int]] = {}

    def signed(self, name: str) -> Tip:
        """Where the heads so far leave a stream."""
        stream = self.all.get(name)
        return stream.signed if stream else start(name)

    def leave(self, stream: Stream) -> None:
        """Read no further from where a stream is being read."""
        self._open.pop(stream.name, None)

    def pull(self, stream: Stream) -> Entry | None:
        """The next entry of a stream, as it is stored."""
        entries = self._open.get(stream.name)
        if entries is None:
            entries = self._open[stream.name] = iter(self._store.read(stream.name, stream.version))
            if len(self._open) > _MOST_OPEN:
                self._open.popitem(last=False)
        else:
            self._open.move_to_end(stream.name)
        try:
            entry = next(entries, None)
        except Corrupt as error:
            self.findings.of_record(Code.UNREADABLE, stream.name, stream.version + 1, error.message)
            entry = None
        return entry


def check_end(stream: Stream, end: Tip, head: str, findings: Findings) -> None:
    """Hold the end of a stream, as far as it was read, against what a head says of it."""
    version, hash_ = end
    if stream.version < version:
        said = f"the stream ends with entry {stream.version}; {head} names entry {version}: it was cut off"
        agrees = False
        code, place = Code.CUT_OFF, stream.version + 1
    else:
        said = f"entries {stream.signed.version + 1} to {version} are not those that {head} was signed over"
        found = stream.hash if stream.version == version else stream.passed.get(version)
        agrees = found == hash_
        code, place = Code.NOT_AS_SIGNED, stream.signed.version + 1
    if not agrees and stream.agreed:
        findings.of_record(code, stream.name, place, said)
    stream.agreed = agrees
    stream.signed = end
