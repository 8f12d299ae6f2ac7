"""The audit itself: heads are read in order, and after each all that it was signed over."""

from collections.abc import Callable, Iterable
from typing import Final

from punto.record.checks.books import BOOK, OWED, WALLET, Books
from punto.record.checks.chains import Stream, Streams
from punto.record.checks.findings import Code, Counts, Findings, Report
from punto.record.checks.heads import Heads, check_end
from punto.record.checks.meters import Meters
from punto.record.checks.replay import TABLE, Replay
from punto.record.checks.transfers import cash, corrections, escrow, house
from punto.record.checks.written import read_refused
from punto.store.contract import Entry, Store
from punto.store.heads import HEADS

_SECURITY: Final = "security"


def audit(store: Store, *, public_key: str | None = None, head: bytes | None = None) -> Report:
    """Judge everything that a store holds.

    *public_key* is the floor's; without it, all heads must at least be signed with one and the same key. *head* is a
    head that was kept outside, as it was stored.
    """
    return _Audit(store, public_key, head).run()


class _Audit:
    def __init__(self, store: Store, public_key: str | None, head: bytes | None) -> None:
        self.findings = Findings()
        self.counts = Counts()
        self.streams = Streams(store, self.findings)
        self.heads = Heads(self.findings, public_key, head)
        self.books = Books(self.findings, self.counts)
        self.tables: dict[str, Replay] = {}

    def run(self) -> Report:
        self.counts.streams = len(self.streams.all)
        heads = self.streams.all.pop(HEADS, None)
        self.heads.begin()
        for name in self.streams.all:
            if _rank(name) == len(_KINDS):
                self.findings.of_record(Code.STRANGE_STREAM, name, 0, "a stream of no kind that a floor writes")
        if heads is not None:
            before = heads.hash
            for entry in heads.rest():
                self.counts.entries += 1
                self._head(entry, before)
                before = heads.hash
        self.heads.end(heads)
        self._leftovers()
        self._close()
        self.findings.settle()
        meters = {replay.sitting.key: replay.sitting.meters for replay in self.tables.values()}
        return Report(tuple(self.findings.told), self.findings.total, self.counts, meters)

    def _head(self, entry: Entry, before: bytes) -> None:
        """One head, and all entries up to the ends that it names."""
        moved = self.heads.moved(entry, before)
        for name in sorted(moved, key=_rank):
            version, hash_ = moved[name]
            stream = self.streams.all.get(name)
            if stream is None:
                said = f"head {entry.version} names entry {version} of a stream that is not there"
                self.findings.of_record(Code.CUT_OFF, name, 1, said)
                self.streams.all[name] = Stream(name, self.streams)
                self.streams.all[name].agreed = False
                continue
            if version <= stream.signed:
                said = f"head {entry.version} names entry {version}; a head before it named {stream.signed}"
                self.findings.of_record(Code.BAD_HEAD, name, version, said)
                continue
            self._read(stream, stream.up_to(version))
            check_end(stream, version, hash_, entry.version, self.findings)
        self.books.reconcile()
        self.findings.settle()

    def _leftovers(self) -> None:
        """What no head covers is told, and looked at all the same."""
        for name in sorted(self.streams.all, key=_rank):
            stream = self.streams.all[name]
            read = stream.version
            self._read(stream, stream.rest())
            if stream.version > read:
                said = f"entries {read + 1} to {stream.version} are covered by no head"
                self.findings.of_record(Code.NOT_COVERED, name, read + 1, said)
        self.books.reconcile()
        self.findings.settle()

    def _read(self, stream: Stream, entries: Iterable[Entry]) -> None:
        name = stream.name
        judge = _KINDS[_rank(name)][1] if _rank(name) < len(_KINDS) else _ignore
        count = 0
        for entry in entries:
            count += 1
            judge(self, name, entry)
        self.counts.entries += count
        if name in self.tables:
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

    def _check_no_command(self, name: str, entry: Entry) -> None:
        if entry.command is not None:
            said = f"the entry is kept under command {entry.command!r}, which begins with an event of a table"
            self.findings.of_play(Code.BAD_COMMAND, name, entry.version, None, said)

    # The whole

    def _close(self) -> None:
        """All accounts together, and each table's against its meters."""
        for replay in self.tables.values():
            sitting = replay.sitting
            self._check_table(sitting.stream, sitting.key, sitting.meters)
        wallets, accounts = sum(self.books.wallets.values()), sum(self.books.accounts.values())
        if wallets + accounts:
            said = f"all accounts together come to {wallets + accounts} cents, not to nothing"
            self.findings.of_play(Code.BAD_BOOKS, BOOK, 0, None, said)
        for account, cents in sorted(self.books.accounts.items()):
            if account.startswith(OWED) and cents > 0:
                said = f"{account} stands at {cents} cents: nobody can owe less than nothing"
                self.findings.of_play(Code.BAD_BOOKS, account, 0, None, said)

    def _check_table(self, stream: str, key: str, meters: Meters) -> None:
        total = meters.total
        for account, right, words in (
            (escrow(key), total.escrow_cents, "what lies on the table"),
            (house(key), total.hold_cents, "what the house has won"),
            (cash(key), total.out_cents - total.in_cents, "what was cashed out less what was bought"),
            (corrections(key), -meters.corrected_cents, "what was put right"),
        ):
            booked = self.books.accounts.get(account, 0)
            if booked != right:
                said = f"{account} stands at {booked} cents; by the meters {words} is {right}"
                self.findings.of_play(Code.BAD_BOOKS, stream, 0, None, said)


def _ignore(audit: _Audit, name: str, entry: Entry) -> None:
    """Nothing is known of it but that it is chained."""


Judge = Callable[[_Audit, str, Entry], None]
# The kinds of streams in the order in which they are judged: money follows from events.
_KINDS: Final[tuple[tuple[str, Judge], ...]] = (
    (TABLE, _Audit.table),
    (WALLET, _Audit.ledger),
    (BOOK, _Audit.ledger),
    (_SECURITY, _Audit.security),
)


def _rank(name: str) -> int:
    """The place of a stream's kind, or one past the last."""
    for place, (prefix, _) in enumerate(_KINDS):
        if name.startswith(prefix):
            return place
    return len(_KINDS)
