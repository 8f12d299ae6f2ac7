"""Cash that staff move: for patrons whom the floor knew, within what one person moves alone, and counted as such.

Nobody is judged before the house's orders are on record. The sums are the audit's own; the streams of cash must agree.
"""

from collections import defaultdict
from typing import Final, NamedTuple

from punto.record.checks import events as on
from punto.record.checks import matters, people
from punto.record.checks.books import WALLET, Books
from punto.record.checks.exclusions import is_paid_out
from punto.record.checks.findings import Code, Findings
from punto.record.checks.moments import Moment
from punto.record.checks.register import ORDERS, Register, key
from punto.record.checks.warrants import OWN, Warrants, Where
from punto.record.checks.written import Written, reader
from punto.rules import Position
from punto.store.contract import Entry

CASHIER: Final = "cashier/"
_OF_MONEY: Final = (on.CreditsBought, on.CreditsCashedOut, on.CreditsCorrected)


class Handled(Written, frozen=True):
    """An entry of a stream of cash."""

    at_ms: int
    command: str
    cents: int
    total_cents: int


_read: Final = reader(Handled)


class _Due(NamedTuple):
    """Cash that a command moved, and that its person's stream must say."""

    stream: str
    at_ms: int
    cents: int
    where: Where


class Cashiers:
    """Judges the cash that staff move, against the register and the books at that moment."""

    def __init__(self, register: Register, warrants: Warrants, books: Books, findings: Findings) -> None:
        self._register = register
        self._warrants = warrants
        self._books = books
        self._findings = findings
        # What each person has moved alone: when, and how much.
        self._moved: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        self._totals: defaultdict[str, int] = defaultdict(int)
        self._due: dict[str, _Due] = {}
        self._done: dict[str, tuple[str, int, Handled]] = {}

    def command(self, where: Where, logged: matters.Logged) -> None:
        """Judge the money of the command of a table that begins with this entry."""
        event, by = logged.event, logged.by
        if not isinstance(event, _OF_MONEY) or by.position in (Position.PATRON, Position.SYSTEM) or by in OWN:
            return
        session = self._register.sessions.get(logged.session)
        if session is not None and session.position is not None:
            return  # whoever came by a link is nobody on the staff, which is a finding of its own
        moment = self._warrants.moment(logged.given_ms or logged.at_ms)
        known = [*self._register.orders.known_at(moment, ORDERS)]
        orders = [each for each in known if each is not None]
        if not self._register.began or not orders:
            return
        sure = len(orders) == len(known)
        if sure and not self._is_patron(event.patron, moment):
            said = f"{by.name} moved money for {event.patron}, whom the floor did not know"
            self._wrong(Code.UNKNOWN_PATRON, where, said)
        if isinstance(event, on.CreditsCorrected) or event.confirmed_by is not None or is_paid_out(logged):
            return
        self._due[logged.command] = _Due(CASHIER + key(by.name), moment.at_ms, event.cents, where)
        self._moved[key(by.name)].append((moment.at_ms, event.cents))
        faults = [self._fault(key(by.name), by.position, event.cents, moment, each) for each in orders]
        if sure and all(faults):
            self._wrong(Code.OVER_LIMIT, where, f"{by.name}, {by.position.value}, moved alone {faults[0]}")

    def _is_patron(self, name: str, moment: Moment) -> bool:
        """Whether the floor knew a patron: by a terminal, by registration, or by a wallet of before."""
        if name in self._register.patrons or WALLET + name in self._books.wallets:
            return True
        return any(
            device is not None and device.kind in ("terminal", "guest") and not device.revoked
            for device in self._register.devices.known_at(moment, name)
        )

    def _fault(self, person: str, position: Position, cents: int, moment: Moment, orders: people.OrdersSet) -> str:
        """What was too much by some orders; nothing where it was not."""
        limit = orders.cash.get(position)
        if limit is None:
            return ""
        if cents > limit.act_cents:
            return f"{cents} cents at a time, which is more than {limit.act_cents}"
        since = moment.at_ms - orders.shift_ms
        moved = sum(each for at_ms, each in self._moved[person] if at_ms > since)
        return f"{moved} cents within a shift, which is more than {limit.shift_cents}" * (moved > limit.shift_cents)

    def entry(self, stream: str, entry: Entry) -> None:
        """One entry of a stream of cash."""
        where = stream, entry.version, None
        try:
            handled = _read(entry.body)
        except ValueError as error:
            self._wrong(Code.UNREADABLE, where, f"an entry of cash that does not read: {error}")
            return
        self._totals[stream] += handled.cents
        if handled.total_cents != self._totals[stream]:
            said = f"{self._totals[stream]} cents were moved so far, and {handled.total_cents} are written"
            self._wrong(Code.BAD_BOOKS, where, said)
        if handled.command in self._done:
            self._wrong(Code.BAD_BOOKS, where, f"the cash of command {handled.command[:40]!r} was counted twice")
        self._done[handled.command] = stream, entry.version, handled

    def reconcile(self) -> None:
        """A head was read: hold what was counted against what was moved."""
        for command, due in self._due.items():
            stream, _, handled = self._done.pop(command, ("", 0, None))
            if handled is None:
                self._wrong(Code.NOT_BOOKED, due.where, f"{due.cents} cents of cash were counted as nobody's")
            elif (stream, handled.at_ms, handled.cents) != (due.stream, due.at_ms, due.cents):
                self._wrong(Code.NOT_BOOKED, due.where, f"{due.cents} cents of cash were counted otherwise")
        for stream, version, handled in self._done.values():
            said = f"{handled.cents} cents were counted that {handled.command[:40]!r} did not move"
            self._wrong(Code.NOT_BOOKED, (stream, version, None), said)
        self._due.clear()
        self._done.clear()

    def _wrong(self, code: Code, where: Where, said: str) -> None:
        stream, version, round_ = where
        self._findings.of_play(code, stream, version, round_, said)
