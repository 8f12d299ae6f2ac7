"""Tickets: each was issued by a cash-out and redeemed by a buy-in, once, for the same amount."""

from dataclasses import dataclass
from typing import Final

from punto.record.checks import events as on
from punto.record.checks.findings import Code, Findings
from punto.record.checks.matters import AnyEvent
from punto.record.checks.written import Written, reader
from punto.store.contract import Entry

TICKETS: Final = "tickets"
ISSUED: Final = "issued"
REDEEMED: Final = "redeemed"
_PREFIXES: Final = {ISSUED: "ticket-", REDEEMED: "redeem-"}


class TicketNote(Written, frozen=True):
    """What became of a ticket; *ticket* is the hash of its code."""

    at_ms: int
    command: str
    table: str
    ticket: str
    step: str
    cents: int


read_ticket: Final = reader(TicketNote)


@dataclass(frozen=True, slots=True)
class _Due:
    """What a command at a table does to a ticket."""

    stream: str
    version: int
    table: str
    ticket: str
    step: str
    cents: int


class TicketBook:
    """Every ticket, as the events of tables and the stream of tickets have it."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._due: dict[str, _Due] = {}
        self._noted: dict[str, tuple[int, TicketNote]] = {}
        # Whether tickets have a stream of their own by now, and what tables did before that.
        self._noting = False
        self._before: dict[str, _Due] = {}
        self._tickets: dict[str, tuple[str, int]] = {}

    def expect(self, table: str, command: str, event: AnyEvent, stream: str, version: int) -> None:
        """A command of a table may issue or redeem a ticket."""
        step = _step(command, event)
        if step is not None:
            assert isinstance(event, on.CreditsCashedOut | on.CreditsBought), "no other event is about a ticket"
            digest = command.removeprefix(_PREFIXES[step])
            self._due[command] = _Due(stream, version, table, digest, step, event.cents)

    def entry(self, entry: Entry) -> None:
        """A note of the stream of tickets."""
        try:
            note = read_ticket(entry.body)
        except ValueError as error:
            said = f"a ticket that does not read: {error}"
            self._findings.of_play(Code.UNREADABLE, TICKETS, entry.version, None, said)
            return
        self._noted[note.command] = entry.version, note

    def begin_notes(self) -> None:
        """From now on every ticket is noted: first those that tables have issued and redeemed so far."""
        self._noting = True
        self._tickets.clear()

    def reconcile(self) -> None:
        """Hold what was noted against what the events call for, command by command."""
        if not self._noting:
            self._reconcile_old()
            return
        for command, (version, note) in self._noted.items():
            due = self._due.pop(command, None) or self._before.pop(command, None)
            if due is None or (due.table, due.ticket, due.step, due.cents) != (
                note.table,
                note.ticket,
                note.step,
                note.cents,
            ):
                self._wrong(
                    TICKETS, version, f"a ticket of {note.cents} cents was {note.step[:20]}, and no event says so"
                )
            self._follow(TICKETS, version, note)
        self._tell_not_noted(self._due)
        self._noted.clear()

    def close(self) -> None:
        """All notes have been read: every ticket of before is among them, if any ticket is noted at all."""
        if self._noting:
            self._tell_not_noted(self._before)

    def _reconcile_old(self) -> None:
        """Before tickets were noted, the events of tables alone said what became of them."""
        for due in sorted(self._due.values(), key=lambda due: due.step == REDEEMED):
            self._follow(due.stream, due.version, due)
        self._before |= self._due
        self._due.clear()

    def _follow(self, stream: str, version: int, done: TicketNote | _Due) -> None:
        """A ticket is issued once, and after that redeemed once, for what it was issued for."""
        known = self._tickets.get(done.ticket)
        if done.step == ISSUED and known is not None:
            self._wrong(stream, version, "a ticket was issued twice")
        if done.step == REDEEMED and known != (ISSUED, done.cents):
            said = "a ticket was redeemed that was not there, or was redeemed before, or for another sum"
            self._wrong(stream, version, said)
        if done.step not in _PREFIXES:
            self._wrong(stream, version, f"a ticket is issued or redeemed, not {done.step[:20]!r}")
        self._tickets[done.ticket] = done.step, done.cents

    def _tell_not_noted(self, missing: dict[str, _Due]) -> None:
        for due in missing.values():
            self._wrong(
                due.stream, due.version, f"a ticket of {due.cents} cents was {due.step}, and nothing was noted of it"
            )
        missing.clear()

    def _wrong(self, stream: str, version: int, said: str) -> None:
        self._findings.of_play(Code.BAD_TICKET, stream, version, None, said)


def _step(command: str, event: AnyEvent) -> str | None:
    if isinstance(event, on.CreditsCashedOut) and command.startswith(_PREFIXES[ISSUED]):
        return ISSUED
    if isinstance(event, on.CreditsBought) and command.startswith(_PREFIXES[REDEEMED]):
        return REDEEMED
    return None
