"""The audit: everything that a floor has written, judged by code that shares nothing with the floor's.

Heads are read in order, and after each all that it was signed over: the order of heads is the order of writing. What is
wrong is told in that order, so that the first finding is the first thing that went wrong; the audit stops at nothing.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from itertools import islice
from typing import Final, NamedTuple

from msgspec.structs import replace

from punto.errors import Corrupt, PuntoError, named
from punto.proof.headlog import CHECKPOINTS, open_checkpoint, origin_of, read_cosigned, read_sequenced
from punto.proof.migrations import MIGRATIONS, marks_of, read_migration
from punto.proof.notes import Checkpoint
from punto.proof.oldheads import OLD_HEADS
from punto.proof.oldheads import read as read_old_head
from punto.proof.pins import Pins
from punto.proof.rotations import KEYS, Rotation, rotations_in_place, trusted_keys
from punto.proof.seals import Seal, read_seal, sealed_stream
from punto.proof.writers import HEADS
from punto.record.checks.chains import Kind, Stream, Streams, check_end
from punto.record.checks.findings import MOST_KEPT, Code, Finding, JudgedKey, Part, Report, Voucher
from punto.record.checks.heads import Heads, Signed
from punto.record.checks.interventions import InterventionKind, of_decision, of_migration, of_rotations
from punto.record.checks.keys import Outside, believed_keys
from punto.record.checks.oldheads import OldHeads
from punto.record.checks.people import read_person
from punto.record.checks.replay import Beside, Replay
from punto.record.checks.written import read_decision, read_refused
from punto.record.moment import Moment
from punto.record.progress import Missing, Progress, read_progress, trust_digest
from punto.store.chain import start
from punto.store.contract import Entry, Store, Tip

# Where several writers are at work, the last heads are read again: another may yet sign what comes before them.
BEHIND: Final = 1_000


def audit(store: Store, *, public_key: str | None = None, head: bytes | None = None) -> Report:
    """Judge everything that a store holds at this moment, whatever is written to it meanwhile.

    *public_key* is the floor's of today. *head* is what was kept outside, as it was printed: the last heads of all
    writers, a checkpoint, or one head of the old kind; without a key, it vouches for the key that signed it. Without
    either, all writers must at least hang together by one.
    """
    return _Audit(Moment(store), public_key, head, Progress()).run()


class Audited(NamedTuple):
    """What an audit that goes on has found, and from where the next one goes on: nowhere if that is empty.

    *before* is how many entries were known; *anew* is why it began with the first entry although there was *progress*.
    """

    report: Report
    progress: bytes
    before: int = 0
    anew: str = ""


def audit_on(
    store: Store, *, public_key: str, progress: bytes = b"", whole: bool = False, behind: int = BEHIND
) -> Audited:
    """Judge everything that a store holds, and read only what an audit before has not read.

    The report is that of a whole audit. *progress* is what that audit has left, and must be known to be its: nothing of
    it is trusted less than the code itself. With *whole* everything is read again, and held against it all the same.
    Where several writers are at work, progress stays so many heads *behind*, for another may yet sign what comes first.
    """
    before = read_progress(progress) if progress else None
    if before is None:
        return _anew(store, public_key, behind, "it was kept by other code" if progress else "")
    missing = [*before.missing(store)]
    anew = "what it had read is not there any more" if missing else ""
    if not anew and before.public_key != public_key:
        anew = "the floor has another key"
    if whole or anew:
        return _held_against(_anew(store, public_key, behind, anew), missing, before, progress)
    known, entries = before.known, before.entries
    going_on = _Audit(Moment(store, known), public_key, None, before, behind)
    try:
        report = going_on.run()
    except _NotAfter as other:
        return _anew(store, public_key, behind, str(other))
    return Audited(report, going_on.progress or progress, entries)


def _anew(store: Store, public_key: str, behind: int, why: str) -> Audited:
    auditing = _Audit(Moment(store), public_key, None, Progress(), behind)
    return Audited(auditing.run(), auditing.progress, 0, why)


def _held_against(audited: Audited, missing: list[Missing], before: Progress, progress: bytes) -> Audited:
    """A whole audit held against what an audit before had read: what is gone since, somebody must have decided."""
    report = audited.report
    decided = any(
        each.kind is not InterventionKind.ROTATED and each.at_ms >= before.at_ms for each in report.interventions
    )
    if not missing or decided:
        return audited
    found = tuple(Finding(Code.REWRITTEN, stream, version, None, said) for stream, version, said in missing)
    told = (*found, *report.findings)[:MOST_KEPT]
    return audited._replace(report=replace(report, findings=told, total=report.total + len(found)), progress=progress)


class _NotAfter(Exception):
    """What is to be read does not come after all that was read before: a sign to begin anew."""


class _Audit:
    """An audit under way, from the first entry or from where one before has come to."""

    def __init__(
        self, store: Store, public_key: str | None, outside: bytes | None, before: Progress, behind: int | None = None
    ) -> None:
        self.store = store
        self.findings, self.counts = before.findings, before.counts
        self.findings.forget(Part.DATABASE, Part.KEYS)
        self.findings.begin(Part.DATABASE)
        self.streams = Streams(store, self.findings)
        old = outside if outside is None or b'"signature"' in outside else None
        self._public_key = public_key
        self._old_key = _key_of_old(old)
        self._outside = Outside(outside if old is None else None, self.findings)
        self._trust = trusted_keys(public_key or "", store.read(KEYS))
        self.old_heads = OldHeads(self.findings, public_key or self._old_key, old, self._trust.former)
        self.heads = Heads(store, self.streams, self.findings, before.order)
        self.so_far = before
        self.books, self.tickets, self.tables = before.books, before.tickets, before.tables
        self.claims, self.reports = before.claims, before.reports
        self.claims.store = store
        self.warrants, self.offices, self.cashiers = before.warrants, before.offices, before.cashiers
        self._beside = Beside(
            self.books,
            self.tickets,
            self.warrants,
            self.cashiers,
            before.journal,
            before.exclusions,
            self.reports,
            self.counts,
        )
        self._covered = True
        # How many heads before the end the next audit goes on; none where it cannot.
        self._behind = behind
        # From where it can go on.
        self.progress = b""

    def run(self) -> Report:
        """All heads, what they leave out, and the whole."""
        so_far = self.so_far
        self.counts.streams = len(self.streams.all)
        for fault in self.store.faults():
            code = Code.ALTERED_SCHEMA if fault.declared else Code.DATABASE_DAMAGED
            code = Code.HIDDEN_DAMAGE if fault.hidden else code
            self.findings.of_record(code, "database", 0, fault.said)
        if so_far.heads:
            self._check_old()
            for name, end in so_far.ends.items():
                self.streams.all[name].go_on_from(end)
        else:
            self.findings.begin(Part.OLD_HEADS)
            self._read_old()
        self.findings.begin(Part.KEYS)
        for stream in self.streams.all.values():
            if stream.kind is Kind.STRANGE:
                self.findings.of_record(Code.STRANGE_STREAM, stream.name, 0, "a stream of no kind that a floor writes")
        self._trust = believed_keys(self.store, self.findings, self._public_key, self._outside, self.old_heads.key)
        self.heads.begin(self._trust, so_far.reached)
        self._outside.check(self.store, self._trust)
        self.findings.begin(Part.HEADS)
        self._go_on()
        self._read_heads()
        self.findings.begin(Part.END)
        self.counts.entries += self.heads.counted + self.heads.order.step
        self._check_given_up()
        self._left_over()
        self._outside.end()
        self.tickets.close()
        self.claims.close()
        self.reports.close()
        self.books.close([replay.sitting for replay in self.tables.values()])
        meters = {replay.sitting.key: replay.sitting.meters for replay in self.tables.values()}
        shoes = tuple(shoe for replay in self.tables.values() for shoe in replay.sitting.virtual_shoes)
        self._note_rotations()
        done = tuple(sorted(so_far.interventions, key=lambda each: each.at_ms))
        return Report(tuple(self.findings.told), self.findings.total, self.counts, meters, shoes, self._key(), done)

    def _check_old(self) -> None:
        """What was signed before heads had writers is read once, and does not change."""
        ends = self.so_far.ends
        if self.store.tip(OLD_HEADS) != ends.get(OLD_HEADS):
            raise _NotAfter("there are other heads of the old kind")
        if OLD_HEADS in ends and self.store.tip(MIGRATIONS) != ends.get(MIGRATIONS):
            raise _NotAfter("the store was migrated once more")

    def _go_on(self) -> None:
        """Look whether all that is to be read comes after what was read before."""
        trust = trust_digest(self._trust)
        if self.so_far.heads and trust != self.so_far.trust:
            raise _NotAfter("a key was rotated")
        self.heads.look()
        if self.so_far.heads and not self.heads.follow(self.warrants.unexplained_ms):
            raise _NotAfter("a writer has signed what comes before what it had read")
        self.so_far.trust, self.so_far.public_key = trust, self._public_key or ""

    def _read_heads(self) -> None:
        """All heads in order, and what they cover; on the way, or at the end, what the next audit goes on from."""
        keeps, behind = self._behind is not None, 0 if self.heads.one_at_a_time else self._behind or 0
        for head in self.heads.in_order():
            if keeps and self.heads.left <= behind:
                keeps = False
                self._keep()
            self._signed_over(head)
            self.warrants.settle(head.at_ms)
            self.so_far.at_ms = head.at_ms
        if keeps:
            self._keep()

    def _keep(self) -> None:
        """Keep how far the audit has come, where all that was read is what was written.

        Else the next audit reads it again: somebody may have put it right.
        """
        so_far, read = self.so_far, [stream for stream in self.streams.all.values() if stream.version]
        if self.heads.order.step == so_far.heads or self.findings.total >= MOST_KEPT:
            return
        if self.findings.are_of_record(Part.OLD_HEADS, Part.HEADS) or not all(each.is_as_signed for each in read):
            return
        so_far.ends = {stream.name: stream.signed for stream in read}
        so_far.reached = self.heads.stand()
        so_far.heads = self.heads.order.step
        so_far.entries = self.counts.entries + self.heads.counted + so_far.heads
        self.progress = so_far.written()

    def _key(self) -> JudgedKey:
        """The key by which the store was judged, and what vouches for it."""
        outside = self._old_key is not None or self._outside.vouches
        voucher = Voucher.GIVEN if self._public_key else Voucher.OUTSIDE if outside else Voucher.STORE
        return JudgedKey(self._trust.key, voucher, self._trust.former)

    def _note_rotations(self) -> None:
        """The rotations that lead to the key by which the store was judged."""
        found = rotations_in_place(self.store.read(KEYS))[: self._trust.version]
        self.so_far.interventions += of_rotations(each for each in found if isinstance(each, Rotation))

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
        self.so_far.journal.reconcile()
        self.tickets.reconcile()
        self.claims.reconcile()
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
        self.so_far.journal.reconcile()
        self.tickets.reconcile()
        self.claims.reconcile()
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

    def claim(self, name: str, entry: Entry) -> None:
        """What happened to a claim of a patron."""
        self._check_no_command(name, entry)
        self.claims.entry(entry, self.streams.all.__contains__)

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
        self.claims.erased(entry.version, noted)

    def journal(self, name: str, entry: Entry) -> None:
        """A significant event of the floor itself."""
        self._check_no_command(name, entry)
        self.so_far.journal.entry(entry)

    def migration(self, name: str, entry: Entry) -> None:
        """A store of the old kind was signed over: no id of a command has changed since."""
        self._check_no_command(name, entry)
        try:
            said = read_migration(entry.body)
        except Corrupt as error:
            self.findings.of_record(Code.UNREADABLE, name, entry.version, error.message)
            return
        if self._covered:
            self.so_far.interventions.append(of_migration(entry, said))
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
            self.so_far.log.take_up_to(self.store, sequenced.took)
            self.heads.check_took(entry.version, sequenced.took)
        except PuntoError as error:
            self.findings.of_record(Code.BAD_CHECKPOINT, name, entry.version, error.message)
            return
        self._outside.meet(entry.version, signed)
        built = self.so_far.log.checkpoint(origin_of(self._trust.first))
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
            self.so_far.interventions.append(of_decision(entry, said))
        if said.writers:
            self.so_far.pins = Pins(said.at_ms, said.writers, said.writer)
            self.warrants.set_back = True

    def _check_given_up(self) -> None:
        """No head is back that belongs to a history which somebody decided to go on without."""
        for name, tip in self.store.streams(HEADS):
            end = self.so_far.pins.end_in(self.store, name)
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
            first = self.so_far.sealed.get(stream, 0) + 1
            rows = islice(self.store.read(stream, first - 1), max(0, sealed.last - first + 1))
            if sealed_stream(stream, first, rows) != sealed:
                entries = f"entries {sealed.first} to {sealed.last}"
                said = f"{named(stream)}: {entries} are not those that were sealed for {seal.day}"
                self.findings.of_record(Code.BAD_SEAL, name, entry.version, said)
            self.so_far.sealed[stream] = sealed.last
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
    Kind.JOURNAL: _Audit.journal,
    Kind.TICKETS: _Audit.ticket,
    Kind.CLAIMS: _Audit.claim,
    Kind.HEADS: _Audit.strange,
    Kind.KEYS: _Audit.plain,
    Kind.MIGRATIONS: _Audit.migration,
    Kind.CHECKPOINTS: _Audit.checkpoint,
    Kind.COSIGNATURES: _Audit.cosignatures,
    Kind.DECISIONS: _Audit.decision,
    Kind.SEALS: _Audit.seal,
    Kind.STRANGE: _Audit.strange,
}
