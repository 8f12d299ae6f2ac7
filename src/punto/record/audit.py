"""The audit: everything that a floor has written, judged by code that shares nothing with the floor's.

Heads are read in order, and after each all that it was signed over: the order of heads is the order of writing. What is
wrong is told in that order, so that the first finding is the first thing that went wrong; the audit stops at nothing.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from punto.record.checks.books import Books
from punto.record.checks.chains import Kind, Stream, Streams
from punto.record.checks.findings import Code, Counts, Findings, Report
from punto.record.checks.heads import Heads, check_end
from punto.record.checks.people import read_person
from punto.record.checks.replay import Replay
from punto.record.checks.written import read_refused
from punto.record.moment import Moment
from punto.store.contract import Entry, Store
from punto.store.heads import HEADS


def audit(store: Store, *, public_key: str | None = None, head: bytes | None = None) -> Report:
    """Judge everything that a store holds at this moment, whatever is written to it meanwhile.

    *public_key* is the floor's; without it, all heads must at least be signed with one and the same key. *head* is a
    head that was kept outside, as it was stored.
    """
    return _Audit(Moment(store), public_key, head).run()


class _Audit:
    """An audit under way."""

    def __init__(self, store: Store, public_key: str | None, head: bytes | None) -> None:
        self.store = store
        self.findings = Findings()
        self.counts = Counts()
        self.streams = Streams(store, self.findings)
        self.heads = Heads(self.findings, public_key, head)
        self.books = Books(self.findings, self.counts)
        self.tables: dict[str, Replay] = {}

    def run(self) -> Report:
        """All heads, what they leave out, and the whole."""
        self.counts.streams = len(self.streams.all)
        heads = self.streams.all.pop(HEADS, None)
        self.heads.begin(self.store)
        for stream in self.streams.all.values():
            if stream.kind is Kind.STRANGE:
                self.findings.of_record(Code.STRANGE_STREAM, stream.name, 0, "a stream of no kind that a floor writes")
        if heads is not None:
            before = heads.hash
            for entry in heads.rest():
                self.counts.entries += 1
                self._signed_over(entry, self.heads.moved(entry, before))
                before = heads.hash
        self.heads.end(heads)
        self._left_over()
        self.books.close([replay.sitting for replay in self.tables.values()])
        self.findings.settle()
        meters = {replay.sitting.key: replay.sitting.meters for replay in self.tables.values()}
        shoes = tuple(shoe for replay in self.tables.values() for shoe in replay.sitting.virtual_shoes)
        return Report(tuple(self.findings.told), self.findings.total, self.counts, meters, shoes)

    def _signed_over(self, head: Entry, moved: Mapping[str, tuple[int, str]]) -> None:
        """All entries up to the ends that a head names."""
        streams = self.streams.all
        ends = [(streams.get(name) or self._not_there(name, head.version), *end) for name, end in moved.items()]
        for stream, version, hash_ in sorted(ends, key=_by_kind):
            if version <= stream.signed:
                said = f"head {head.version} names entry {version}; a head before it named {stream.signed}"
                self.findings.of_record(Code.BAD_HEAD, stream.name, version, said)
                continue
            self._read(stream, stream.up_to(version))
            check_end(stream, version, hash_, head.version, self.findings)
        self.books.reconcile()
        self.findings.settle()

    def _not_there(self, name: str, head: int) -> Stream:
        """A stream that a head names and the store does not have."""
        self.findings.of_record(Code.CUT_OFF, name, 1, f"head {head} names a stream that is not there")
        stream = self.streams.all[name] = Stream(name, self.streams)
        stream.agreed = False
        return stream

    def _left_over(self) -> None:
        """What no head covers is told, and looked at all the same."""
        for stream in sorted(self.streams.all.values(), key=lambda stream: (stream.kind, stream.name)):
            first = stream.version + 1
            self._read(stream, stream.rest())
            if stream.version >= first:
                said = f"entries {first} to {stream.version} are covered by no head"
                self.findings.of_record(Code.NOT_COVERED, stream.name, first, said)
        self.books.reconcile()
        self.findings.settle()

    def _read(self, stream: Stream, entries: Iterable[Entry]) -> None:
        judge = _JUDGES[stream.kind]
        name = stream.name
        count = 0
        for entry in entries:
            count += 1
            judge(self, name, entry)
        self.counts.entries += count
        if stream.kind is Kind.TABLE and name in self.tables:
            self.tables[name].end_command()

    def table(self, name: str, entry: Entry) -> None:
        """An entry of a table's log."""
        replay = self.tables.get(name)
        if replay is None:
            replay = self.tables[name] = Replay(name, self.findings, self.books, self.counts)
        replay.entry(entry)

    def ledger(self, name: str, entry: Entry) -> None:
        """An entry of a wallet or of a table's book."""
        self._check_no_command(name, entry)
        self.books.entry(name, entry)

    def security(self, name: str, entry: Entry) -> None:
        """A refusal for want of authority."""
        self._check_no_command(name, entry)
        try:
            read_refused(entry.body)
        except ValueError as error:
            self.findings.of_play(Code.UNREADABLE, name, entry.version, None, f"a refusal that does not read: {error}")

    def identity(self, name: str, entry: Entry) -> None:
        """What happened to an account, a session or a device."""
        self._check_no_command(name, entry)
        try:
            read_person(name, entry.body)
        except ValueError as error:
            said = f"an entry of identity that does not read: {error}"
            self.findings.of_play(Code.UNREADABLE, name, entry.version, None, said)

    def strange(self, name: str, entry: Entry) -> None:
        """Nothing is known of it but that it is chained."""

    def _check_no_command(self, name: str, entry: Entry) -> None:
        if entry.command is not None:
            said = f"the entry is kept under command {entry.command!r}, which begins with an event of a table"
            self.findings.of_play(Code.BAD_COMMAND, name, entry.version, None, said)


def _by_kind(end: tuple[Stream, int, str]) -> Kind:
    return end[0].kind


_JUDGES: Final[Mapping[Kind, Callable[[_Audit, str, Entry], None]]] = {
    Kind.TABLE: _Audit.table,
    Kind.LEDGER: _Audit.ledger,
    Kind.SECURITY: _Audit.security,
    Kind.IDENTITY: _Audit.identity,
    Kind.HEADS: _Audit.strange,
    Kind.STRANGE: _Audit.strange,
}
