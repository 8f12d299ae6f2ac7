"""The journal, judged: it reads to the letter, its people were there, what it says of tables is in their logs."""

from typing import Final

from punto.program.manifest import Reference
from punto.record.checks.findings import Code, Findings
from punto.record.checks.register import Register
from punto.record.checks.warrants import OWN, Claim, Warrants
from punto.record.journal import (
    FLOOR,
    JOURNAL,
    AuditBegan,
    AuditEnded,
    ConfigurationChanged,
    JournalEntry,
    ProgramChecked,
    ProgramExpected,
    RecordExported,
    TableChange,
    TableConfigured,
    read,
)
from punto.store.contract import Entry

# What people cause; all else the floor notes by itself.
_OF_PEOPLE: Final = (AuditBegan, AuditEnded, ProgramChecked, RecordExported, TableConfigured)
_CHANGES: Final = {
    "table-opened": TableChange.OPENED,
    "table-closed": TableChange.CLOSED,
    "limits-changed": TableChange.LIMITS,
}


def _goes_on(former: Reference, now: Reference) -> bool:
    """Whether a floor compares with something else by itself: with a release's manifest, for its own version."""
    if not now.release:
        return False
    if former.manifest.version != now.manifest.version:
        return True
    return not former.release and former.manifest.beside == now.manifest.beside


class JournalBook:
    """Judges the journal, and holds it against what tables write under the same head."""

    def __init__(self, register: Register, warrants: Warrants, findings: Findings) -> None:
        self._register = register
        self._warrants = warrants
        self._findings = findings
        # How tables were configured, and what the journal says of that: by table and entry, under this head.
        self._done: dict[tuple[str, int], TableChange] = {}
        self._noted: dict[tuple[str, int], tuple[TableChange, int]] = {}
        # Older stores have no journal: a table is held against it from its first entry on.
        self._began = False
        # What the floor's file said last, by place.
        self._values: dict[str, dict[str, str]] = {}
        # What the program of each host is compared with.
        self._expected: dict[str, Reference] = {}

    def entry(self, entry: Entry) -> None:
        """One entry of the journal."""
        self._began = True
        try:
            noted = read(entry.body)
        except ValueError as error:
            said = f"an entry of the journal that does not read: {error}"
            self._findings.of_play(Code.UNREADABLE, JOURNAL, entry.version, None, said)
            return
        self._judge(noted, entry.version)

    def configured(self, table: str, version: int, kind: str) -> None:
        """A table was configured by an entry of its log."""
        change = _CHANGES.get(kind)
        if change is not None:
            self._done[table, version] = change

    def reconcile(self) -> None:
        """All entries of a head were read: tables and journal say the same."""
        done, self._done = self._done, {}
        noted, self._noted = self._noted, {}
        for (table, number), (change, version) in noted.items():
            if done.get((table, number)) is not change:
                said = f"table {table} was not {change.value} by entry {number} of its log, as the journal says"
                self._wrong(version, said)
        for table, number in done.keys() - noted.keys() if self._began else ():
            said = f"the journal does not have that table {table} was {done[table, number].value} by entry {number}"
            self._wrong(0, said)

    def _judge(self, noted: JournalEntry, version: int) -> None:
        event, by = noted.event, noted.by
        if isinstance(event, TableConfigured):  # who configured it is judged where it was done
            self._noted[event.table, event.version] = event.change, version
            return
        if isinstance(event, ConfigurationChanged):
            self._judge_file(event, version)
        if isinstance(event, ProgramExpected):
            self._judge_expected(event, version)
        if by == FLOOR:
            return
        if not isinstance(event, _OF_PEOPLE) or by in OWN:
            self._wrong(version, f"{by.name} is said to have caused what only the floor notes")
            return
        if self._register.began:
            where = JOURNAL, version, None
            self._warrants.named |= bool(noted.session)
            self._warrants.person(Claim(by, noted.session, self._warrants.moment(noted.at_ms), where))

    def _judge_file(self, event: ConfigurationChanged, version: int) -> None:
        """What the floor's file said before is what the journal had."""
        former = self._values.get(event.place, {})
        differ = {
            name: former.get(name, "")
            for name in former.keys() | event.values.keys()
            if former.get(name) != event.values.get(name)
        }
        if former and event.before != differ:
            self._wrong(version, "the floor's file is said to have changed otherwise than it did")
        self._values[event.place] = event.values

    def _judge_expected(self, event: ProgramExpected, version: int) -> None:
        """What a program is compared with changes by a person's decision, or by the manifest of a release."""
        former, now = self._expected.get(event.host), event.reference
        if event.who:
            if not event.reason:
                self._wrong(version, f"{event.who} is said to have accepted another program, and no reason is given")
        elif former is not None and former != now and not _goes_on(former, now):
            self._wrong(version, f"the program on {event.host} was compared with another, and nobody had decided so")
        self._expected[event.host] = now

    def _wrong(self, version: int, said: str) -> None:
        self._findings.of_play(Code.BAD_JOURNAL, JOURNAL, version, None, said)
