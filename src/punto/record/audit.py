"""The audit: everything that a floor has written, judged by code that shares nothing with the floor's.

Heads are read in order, and after each all that it was signed over: the order of heads is the order of writing. What is
wrong is told in that order, so that the first finding is the first thing that went wrong; the audit stops at nothing.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from itertools import islice
from typing import Final

from punto.errors import Corrupt, PuntoError, named
from punto.proof.headlog import CHECKPOINTS, HeadLog, open_checkpoint, origin_of, read_cosigned, read_sequenced
from punto.proof.migrations import marks_of, read_migration
from punto.proof.notes import Checkpoint
from punto.proof.oldheads import OLD_HEADS
from punto.proof.oldheads import read as read_old_head
from punto.proof.pins import Pins
from punto.proof.rotations import KEYS, Rotation, rotations_in_place, trusted_keys
from punto.proof.seals import Seal, read_seal, sealed_stream
from punto.proof.writers import HEADS
from punto.record.checks.books import Books
from punto.record.checks.cashiers import Cashiers
from punto.record.checks.cashreports import CashReports
from punto.record.checks.chains import Kind, Stream, Streams, check_end
from punto.record.checks.exclusions import Exclusions
from punto.record.checks.findings import Code, Counts, Findings, JudgedKey, Report, Voucher
from punto.record.checks.heads import Heads, Signed
from punto.record.checks.interventions import Intervention, of_decision, of_migration, of_rotations
from punto.record.checks.keys import Outside, believed_keys
from punto.record.checks.offices import Offices
from punto.record.checks.oldheads import OldHeads
from punto.record.checks.people import read_person
from punto.record.checks.register import Register
from punto.record.checks.replay import Beside, Replay
from punto.record.checks.tickets import TicketBook
from punto.record.checks.warrants import Warrants
from punto.record.checks.written import read_decision, read_refused
from punto.record.moment import Moment
from punto.store.chain import start
from punto.store.contract import Entry, Store, Tip


def audit(store: Store, *, public_key: str | None = None, head: bytes | None = None) -> Report:
    """Judge everything that a store holds at this moment, whatever is written to it meanwhile.

    *public_key* is the floor's of today. *head* is what was kept outside, as it was printed: the last heads of all
    writers, a checkpoint, or one head of the old kind; without a key, it vouches for the key that signed it. Without
    either, all writers must at least hang together by one key.
    """
    return _Audit(Moment(store), public_key, head).run()


class _Audit:
    """An audit under way."""

    def __init__(self, store: Store, public_key: str | None, outside: bytes | None) -> None:
        self.store = store
        self.findings = Findings()
        self.counts = Counts()
        self.streams = Streams(store, self.findings)
        old = outside if outside is None or b'"signature"' in outside else None
        self._public_key = public_key
        self._old_key = _key_of_old(old)
        self._outside = Outside(outside if old is None else None, self.findings)
        self._trust = trusted_keys(public_key or "", store.read(KEYS))
        self.old_heads = OldHeads(self.findings, public_key or self._old_key, old, self._trust.former)
        self.heads = Heads(store, self.streams, self.findings)
        self.books = Books(self.findings, self.counts)
        self.tickets = TicketBook(self.findings)
        self.log = HeadLog()
        self.tables: dict[str, Replay] = {}
        self.register = Register()
        self.warrants = Warrants(self.register, self.findings)
        self.reports = CashReports(self.register, self.warrants, self.findings, self.counts)
        self.offices = Offices(self.register, self.warrants, self.findings, self.reports)
        self.cashiers = Cashiers(self.register, self.warrants, self.books, self.findings)
        exclusions = Exclusions(self.register, self.warrants, self.findings)
        self._beside = Beside(
            self.books, self.tickets, self.warrants, self.cashiers, exclusions, self.reports, self.counts
        )
        # How far each stream is sealed.
        self.sealed: dict[str, int] = {}
        # Where writers ended when somebody decided to go on from an older store.
        self.pins = Pins()
        # What people did to the store itself, as far as heads cover it.
        self.interventions: list[Intervention] = []
        self._covered = True

    def run(self) -> Report:
        """All heads, what they leave out, and the whole."""
        self.counts.streams = len(self.streams.all)
        for fault in self.store.faults():
            code = Code.ALTERED_SCHEMA if fault.declared else Code.DATABASE_DAMAGED
            code = Code.HIDDEN_DAMAGE if fault.hidden else code
            self.findings.of_record(code, "database", 0, fault.said)
        self._read_old()
        for stream in self.streams.all.values():
            if stream.kind is Kind.STRANGE:
                self.findings.of_record(Code.STRANGE_STREAM, stream.name, 0, "a stream of no kind that a floor writes")
        self._trust = believed_keys(self.store, self.findings, self._public_key, self._outside, self.old_heads.key)
        self.heads.begin(self._trust)
        self._outside.check(self.store, self._trust)
        for head in self.heads.in_order():
            self._signed_over(head)
            self.warrants.settle(head.at_ms)
        self.counts.entries += self.heads.counted
        self._check_given_up()
        self._left_over()
        self._outside.end()
        self.tickets.close()
        self.reports.close()
        self.books.close([replay.sitting for replay in self.tables.values()])
        self.findings.settle()
        meters = {replay.sitting.key: replay.sitting.meters for replay in self.tables.values()}
        shoes = tuple(shoe for replay in self.tables.values() for shoe in replay.sitting.virtual_shoes)
        self._note_rotations()
        done = tuple(sorted(self.interventions, key=lambda each: each.at_ms))
        return Report(tuple(self.findings.told), self.findings.total, self.counts, meters, shoes, self._key(), done)

    def _key(self) -> JudgedKey:
        """The key by which the store was judged, and what vouches for it."""
        outside = self._old_key is not None or self._outside.vouches
        voucher = Voucher.GIVEN if self._public_key else Voucher.OUTSIDE if outside else Voucher.STORE
        return JudgedKey(self._trust.key, voucher, self._trust.former)

    def _note_rotations(self) -> None:
        """The rotations that lead to the key by which the store was judged."""
        found = rotations_in_place(self.store.read(KEYS))[: self._trust.version]
        self.interventions += of_rotations(each for each in found if isinstance(each, Rotation))

    def _read_old(self) -> None:
        """Heads of the old kind, and all that they were signed over, judged by the rules of their day."""
        heads = self.streams.all.pop(OLD_HEADS, None)
        self.old_heads.begin(self.store)
        if heads is not None:
            self.streams.marks = marks_of(self.store)
            before = heads.hash
            for entry in heads.rest():
                self.counts.entries += 1
                moved = self.old_heads.moved(entry, before)
                ends = {name: Tip(version, _unhexed(hash_)) for name, (version, hash_) in moved.items()}
                self._read_up_to(ends, f"head {entry.version}")
                before = heads.hash
        self.old_heads.end(heads)
        has_writers = next(self.store.streams(HEADS), None) is not None
        if heads is not None and not self.streams.marks and has_writers:
            said = "heads of the old kind beside those of writers, and no migration that covers them"
            self.findings.of_record(Code.STRANGE_STREAM, OLD_HEADS, 0, said)
        if heads is None or has_writers:
            self.tickets.begin_notes()
        if self.streams.marks and heads is not None:  # from here on only what heads of writers cover is covered
            self.streams.all[OLD_HEADS] = heads
            for stream in self.streams.all.values():
                stream.signed, stream.agreed = start(stream.name), True

    def _signed_over(self, head: Signed) -> None:
        """All entries up to the ends that a head names."""
        self.warrants.writer = head.stream
        self.warrants.others = self.heads.others_wait(head.stream)
        self._read_up_to({name: move.after for name, move in head.moves.items()}, f"{named(head.stream)} {head.number}")

    def _read_up_to(self, ends: Mapping[str, Tip], head: str) -> None:
        streams = self.streams.all
        self.warrants.head += 1
        found = [(streams.get(name) or self._not_there(name, head), end) for name, end in ends.items()]
        for stream, end in sorted(found, key=_by_kind):
            if end.version <= stream.signed.version:
                said = f"{head} names entry {end.version}; a head before it named {stream.signed.version}"
                self.findings.of_record(Code.BAD_HEAD, stream.name, end.version, said)
                continue
            self._read(stream, stream.up_to(end.version))
            check_end(stream, end, head, self.findings)
        self.offices.settle()
        self.books.reconcile()
        self.cashiers.reconcile()
        self.tickets.reconcile()
        self.findings.settle()

    def _not_there(self, name: str, head: str) -> Stream:
        """A stream that a head names and the store does not have."""
        self.findings.of_record(Code.CUT_OFF, name, 1, f"{head} names a stream that is not there")
        stream = self.streams.all[name] = Stream(name, self.streams)
        stream.agreed = False
        return stream

    def _left_over(self) -> None:
        """What no head covers is told, and looked at all the same."""
        self._covered = False
        self.warrants.writer, self.warrants.others = "", False
        self.warrants.settle(0)
        self.warrants.head += 1
        for stream in sorted(self.streams.all.values(), key=lambda stream: (stream.kind, stream.name)):
            first = stream.signed.version + 1
            self._read(stream, stream.rest())
            if stream.version >= first:
                one = stream.version == first
                said = f"entry {first} is" if one else f"entries {first} to {stream.version} are"
                said += " covered by no head"
                self.findings.of_record(Code.NOT_COVERED, stream.name, first, said)
        self.offices.settle()
        self.books.reconcile()
        self.cashiers.reconcile()
        self.tickets.reconcile()
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
            replay = self.tables[name] = Replay(name, self.findings, self._beside)
        replay.entry(entry)

    def ledger(self, name: str, entry: Entry) -> None:
        """An entry of a wallet or of a table's book."""
        self._check_no_command(name, entry)
        self.books.entry(name, entry)

    def cashier(self, name: str, entry: Entry) -> None:
        """An entry of the cash that one person has moved."""
        self._check_no_command(name, entry)
        self.cashiers.entry(name, entry)

    def ticket(self, name: str, entry: Entry) -> None:
        """An entry of the stream of tickets."""
        self._check_no_command(name, entry)
        self.tickets.entry(entry)

    def security(self, name: str, entry: Entry) -> None:
        """A refusal for want of authority."""
        self._check_no_command(name, entry)
        try:
            refused = read_refused(entry.body)
        except ValueError as error:
            self.findings.of_play(Code.UNREADABLE, name, entry.version, None, f"a refusal that does not read: {error}")
            return
        self.warrants.refused((name, entry.version, None), refused.by)

    def identity(self, name: str, entry: Entry) -> None:
        """What happened to an account, a session or a device."""
        self._check_no_command(name, entry)
        try:
            noted = read_person(name, entry.body)
        except ValueError as error:
            said = f"an entry of identity that does not read: {error}"
            self.findings.of_play(Code.UNREADABLE, name, entry.version, None, said)
            return
        self.offices.entry(name, entry.version, noted)

    def migration(self, name: str, entry: Entry) -> None:
        """A store of the old kind was signed over: no id of a command has changed since."""
        self._check_no_command(name, entry)
        try:
            said = read_migration(entry.body)
        except Corrupt as error:
            self.findings.of_record(Code.UNREADABLE, name, entry.version, error.message)
            return
        if self._covered:
            self.interventions.append(of_migration(entry, said))
        for stream, digest in said.commands.items():
            found = self.streams.all.get(stream)
            if found is not None and found.commands.text() != digest:
                self.findings.of_record(
                    Code.NOT_AS_SIGNED, stream, 0, "ids of commands are not those that were migrated"
                )

    def checkpoint(self, name: str, entry: Entry) -> None:
        """A checkpoint over all heads so far."""
        self._check_no_command(name, entry)
        try:
            sequenced = read_sequenced(entry.body)
            keys = self._trust.key, *self._trust.former
            signed = open_checkpoint(sequenced.note.encode(), keys, self._trust.sizes)
            self.log.take_up_to(self.store, sequenced.took)
            self.heads.check_took(entry.version, sequenced.took)
        except PuntoError as error:
            self.findings.of_record(Code.BAD_CHECKPOINT, name, entry.version, error.message)
            return
        self._outside.meet(entry.version, signed)
        built = self.log.checkpoint(origin_of(self._trust.first))
        if signed.origin != built.origin:
            said = f"the checkpoint is of another log than {built.origin}"
            self.findings.of_record(Code.BAD_CHECKPOINT, name, entry.version, said)
        if (built.size, built.root) != (signed.size, signed.root):
            said = f"the checkpoint of {signed.size} heads is not that of the {built.size} heads that are there"
            self.findings.of_record(Code.BAD_CHECKPOINT, name, entry.version, said)

    def cosignatures(self, name: str, entry: Entry) -> None:
        """Cosignatures of witnesses, whose keys the audit does not know."""
        self._check_no_command(name, entry)
        try:
            read_cosigned(entry.body)
        except Corrupt as error:
            self.findings.of_record(Code.UNREADABLE, name, entry.version, error.message)

    def decision(self, name: str, entry: Entry) -> None:
        """What somebody decided about the store itself, and why."""
        self._check_no_command(name, entry)
        try:
            said = read_decision(entry.body)
        except ValueError as error:
            self.findings.of_play(Code.UNREADABLE, name, entry.version, None, f"a decision that does not read: {error}")
            return
        if not said.by.strip() or not said.reason.strip():
            self.findings.of_play(
                Code.BAD_REGISTER, name, entry.version, None, "a decision by nobody, or for no reason"
            )
        if self._covered:
            self.interventions.append(of_decision(entry, said))
        if said.writers:
            self.pins = Pins(said.at_ms, said.writers, said.writer)
            self.warrants.set_back = True

    def _check_given_up(self) -> None:
        """No head is back that belongs to a history which somebody decided to go on without."""
        for name, tip in self.store.streams(HEADS):
            end = self.pins.end_in(self.store, name)
            if end is not None and tip.version > end:
                said = "these heads belong to a history that somebody decided to go on without"
                self.findings.of_record(Code.BAD_HEAD, name, end + 1, said)

    def seal(self, name: str, entry: Entry) -> None:
        """A gaming day that was sealed: it follows on the seals before it, and is what the streams hold."""
        self._check_no_command(name, entry)
        try:
            seal = read_seal(entry.body)
        except Corrupt as error:
            self.findings.of_record(Code.BAD_SEAL, name, entry.version, error.message)
            return
        for stream, sealed in seal.streams.items():
            first = self.sealed.get(stream, 0) + 1
            rows = islice(self.store.read(stream, first - 1), max(0, sealed.last - first + 1))
            if sealed_stream(stream, first, rows) != sealed:
                entries = f"entries {sealed.first} to {sealed.last}"
                said = f"{named(stream)}: {entries} are not those that were sealed for {seal.day}"
                self.findings.of_record(Code.BAD_SEAL, name, entry.version, said)
            self.sealed[stream] = sealed.last
        covering = next(self.store.read(CHECKPOINTS, seal.checkpoint - 1), None) if seal.checkpoint > 0 else None
        if covering is None or not _is_of(covering, seal):
            said = f"the seal of {seal.day} names a checkpoint of {seal.size} heads, which is not there"
            self.findings.of_record(Code.BAD_SEAL, name, entry.version, said)

    def plain(self, name: str, entry: Entry) -> None:
        """Nothing of it is judged here but that it is chained, covered, and no command's."""
        self._check_no_command(name, entry)

    def strange(self, name: str, entry: Entry) -> None:
        """Nothing is known of it but that it is chained."""

    def _check_no_command(self, name: str, entry: Entry) -> None:
        if entry.command is not None:
            said = f"the entry is kept under command {entry.command!r}, which begins with an event of a table"
            self.findings.of_play(Code.BAD_COMMAND, name, entry.version, None, said)


def _key_of_old(head: bytes | None) -> str | None:
    """The key of a head of the old kind that was kept outside; none where there is none, or it does not read."""
    with suppress(PuntoError):
        return read_old_head(head)[1].key if head is not None else None
    return None


def _is_of(checkpoint: Entry, seal: Seal) -> bool:
    """Whether a stored checkpoint is the one that a seal names."""
    try:
        found = Checkpoint.parse(read_sequenced(checkpoint.body).note.rpartition("\n\n")[0] + "\n")
    except PuntoError:
        return False
    return (checkpoint.version, found.size, found.root) == (seal.checkpoint, seal.size, seal.root)


def _by_kind(end: tuple[Stream, Tip]) -> Kind:
    return end[0].kind


def _unhexed(text: str) -> bytes:
    """The bytes of a hash; a head of the old kind can say anything, and then no hash is right."""
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""


_JUDGES: Final[Mapping[Kind, Callable[[_Audit, str, Entry], None]]] = {
    Kind.TABLE: _Audit.table,
    Kind.LEDGER: _Audit.ledger,
    Kind.CASHIER: _Audit.cashier,
    Kind.SECURITY: _Audit.security,
    Kind.IDENTITY: _Audit.identity,
    Kind.TICKETS: _Audit.ticket,
    Kind.HEADS: _Audit.strange,
    Kind.KEYS: _Audit.plain,
    Kind.MIGRATIONS: _Audit.migration,
    Kind.CHECKPOINTS: _Audit.checkpoint,
    Kind.COSIGNATURES: _Audit.cosignatures,
    Kind.DECISIONS: _Audit.decision,
    Kind.SEALS: _Audit.seal,
    Kind.STRANGE: _Audit.strange,
}
