"""Who was on the staff, signed in and enrolled at each moment, as the audit works it out from the streams of identity.

The order of heads is the order of writing, and what a writer has written itself it knows. What another floor on the
same store wrote, it learns within `WORD_MS`; until then either state may have been the one that it went by.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Final, Generic, NamedTuple, TypeVar
from unicodedata import normalize

from msgspec.structs import replace

from punto.record.checks import people as on
from punto.record.checks.devices import Devices
from punto.record.checks.moments import WORD_MS, Moment
from punto.record.checks.written import Actor, Written
from punto.rules import Position

# The name under which the house's orders are kept.
ORDERS: Final = ""
# Who opens accounts or changes them, and is nobody.
_NOBODY: Final = frozenset({"house", "floor"})
# What lets somebody in who has not been let in before.
_LETS_IN: Final = on.AccountOpened | on.PasswordChanged | on.WayBackIssued
T = TypeVar("T")


def key(name: str) -> str:
    """What makes two names the same person's.

    >>> key("Ann") == key("ANN")
    True
    """
    return normalize("NFKC", name).casefold()


class Account(Written, frozen=True):
    """A member of staff."""

    name: str
    position: Position
    temporary: bool
    acting: Position | None = None
    acting_until_ms: int = 0
    locked_until_ms: int = 0
    closed: bool = False
    # The passkeys, with how often each has signed; whether there are one-time codes, and the step that was used last.
    passkeys: dict[str, int] = {}  # noqa: RUF012 (a default that msgspec copies)
    codes: bool = False
    step: int = 0
    way_back: tuple[str, int] | None = None

    @property
    def has_second(self) -> bool:
        """Whether a password alone does not let this person in."""
        return bool(self.passkeys or self.codes)

    def actor(self, at_ms: int) -> Actor:
        """As whom the member of staff acts at a time (B8, TNC5 6.2)."""
        if self.acting is not None and at_ms < self.acting_until_ms:
            return Actor(self.name, self.acting, acting=True)
        return Actor(self.name, self.position)


class Session(Written, frozen=True):
    """Somebody who is signed in; *position* where a link gave it. One that is over has *ended*."""

    id: str
    name: str
    until_ms: int
    position: Position | None
    ended: bool = False
    # With what it was proved last, and until when that holds; 0 in a record of before that was written.
    proof: str | None = None
    proved_until_ms: int = 0


class Device(Written, frozen=True):
    """A device; one that is known no longer is *revoked*."""

    name: str
    kind: str
    table: str
    revoked: bool = False


class Offer(NamedTuple):
    """A terminal that waits for its device."""

    code: str
    until_ms: int
    label: str
    by_two: bool


class Exclusion(NamedTuple):
    """From when until when (0: for good) a patron plays no more, by which list."""

    on_list: str
    from_ms: int
    until_ms: int

    def holds(self, at_ms: int) -> bool:
        """Whether it is in force at a time."""
        return self.from_ms <= at_ms and not (self.until_ms and at_ms >= self.until_ms)


class Touch(NamedTuple):
    """Somebody has opened or changed the account of another; *lets_in* where a password was given with it."""

    by: str
    moment: Moment
    lets_in: bool


class _Change(NamedTuple, Generic[T]):
    """A state, since when, by which writer, and under which head."""

    state: T
    at_ms: int
    writer: str
    head: int


class Histories(Generic[T]):
    """The states of things by name, the newest last; older ones only for as long as some floor may go by them."""

    def __init__(self) -> None:
        self._all: dict[str, list[_Change[T]]] = {}

    def get(self, name: str) -> T | None:
        """The state of something, by all that was read so far."""
        changes = self._all.get(name)
        return changes[-1].state if changes else None

    def newest(self) -> Iterator[T]:
        """The states of all things, by all that was read so far."""
        return (changes[-1].state for changes in self._all.values())

    def put(self, name: str, state: T, moment: "Moment") -> None:
        """Something has another state now."""
        changes = self._all.setdefault(name, [])
        changes.append(_Change(state, moment.at_ms, moment.writer, moment.head))
        while len(changes) > 1 and changes[1].at_ms <= min(moment.at_ms, moment.since_ms) - 3 * WORD_MS:
            del changes[0]

    def known_at(self, moment: "Moment", name: str) -> Iterator[T | None]:
        """The states that a writer may have gone by at a moment, the newest first; none where it was not there yet.

        Of what it wrote itself that is the last one before, and no other.
        """
        for change in reversed(self._all.get(name, ())):
            if self._came_later(change, moment):
                continue
            own = change.writer == moment.writer
            yield change.state
            if change.head < moment.head and (own or change.at_ms <= moment.at_ms - WORD_MS):
                return
        yield None

    def since(self, moment: "Moment", span_ms: int, name: str) -> Iterator[T]:
        """The states that were in force at some time within a span before a moment, the newest first."""
        for change in reversed(self._all.get(name, ())):
            if self._came_later(change, moment):
                continue
            yield change.state
            if change.at_ms < moment.at_ms - span_ms:
                return

    @staticmethod
    def _came_later(change: _Change[T], moment: "Moment") -> bool:
        """Whether a writer cannot have gone by a change at a moment: it was written later."""
        own = change.writer == moment.writer
        return change.head >= moment.head and (own or change.at_ms > moment.at_ms + WORD_MS)


class Register:
    """All accounts, sessions and devices."""

    def __init__(self) -> None:
        self.accounts: Histories[Account] = Histories()
        self.sessions: Histories[Session] = Histories()
        self.devices: Histories[Device] = Histories()
        self.offers: dict[str, Offer] = {}
        # The house's orders, by one name, and the patrons who are registered.
        self.orders: Histories[on.OrdersSet] = Histories()
        self.patrons: set[str] = set()
        # What lies beside the record: by commitment about whom, what was erased of it, and until when what stays.
        self.noted: dict[str, str] = {}
        self.erased: set[str] = set()
        self.stays: dict[str, dict[str, int]] = {}
        # Who is excluded by which lists, by what makes names the same.
        self.exclusions: Histories[tuple[Exclusion, ...]] = Histories()
        # Who has opened or changed whose account, and since when anybody is on the staff.
        self.touches: dict[str, list[Touch]] = defaultdict(list)
        self.began_ms = 0
        # When each person came in by a code from the machine.
        self.ways_back: dict[str, list[Moment]] = defaultdict(list)
        # In whose browsers accounts were taken over.
        self.own_devices = Devices(key)
        # Who has approved of which command, by name and password.
        self.approvals: dict[str, set[str]] = defaultdict(set)
        # Sessions of each person, those that are over last.
        self.sessions_of: dict[str, dict[str, None]] = defaultdict(dict)
        # Whether anybody is or was on the staff: before that nobody is judged.
        self.began = False
        # Whether the record says by now with what people have shown who they are.
        self.proofs = False
        # Counts changes, so that what was found right before the last one is looked at anew after it.
        self.changes = 0

    def take(self, noted: on.Noted, moment: Moment) -> None:
        """Something has happened; whether it could is judged elsewhere."""
        self.changes += 1
        self._touch(noted, moment)
        self.own_devices.take(noted, moment)
        match noted.event:
            case (
                on.OrdersSet()
                | on.PatronRegistered()
                | on.PatronExcluded()
                | on.ExclusionLifted()
                | on.CashReportFiled() as event
            ):
                self._of_house(event, moment)
            case on.PersonNoted(person, _, commitment):
                self.noted[commitment] = key(person)
            case on.PersonErased(person, erased, stays):
                self.erased.update(erased)
                self.stays[key(person)] = {each: stay.until_ms for stay in stays for each in stay.commitments}
            case on.AccountOpened(name, position, _, temporary):
                self.accounts.put(key(name), Account(name, position, temporary), moment)
                self.began_ms = self.began_ms if self.began else noted.at_ms
                self.began = True
            case (
                on.SessionBegan() | on.SessionProved() | on.SessionsSeen() | on.SessionEnded() | on.ApprovalGiven()
            ) as event:
                self._of_session(event, moment)
            case on.TerminalOffered() | on.TerminalEnrolled() | on.TerminalRevoked() as event:
                self._of_device(event, moment)
            case on.TerminalRenamed() | on.TerminalsSeen():
                pass
            case event:
                if isinstance(event, on.WayBackUsed):
                    self.ways_back[key(event.name)].append(moment)
                account = self.accounts.get(key(event.name))
                if account is not None:
                    self.accounts.put(key(event.name), _changed(account, event), moment)

    def _of_house(self, event: on.OfHouse, moment: Moment) -> None:
        match event:
            case on.OrdersSet():
                self.orders.put(ORDERS, event, moment)
            case on.PatronRegistered(name):
                self.patrons.add(name)
            case on.PatronExcluded(name, from_ms, _, until_ms, on_list):
                others = self.excluded(name, but=on_list)
                self.exclusions.put(key(name), (*others, Exclusion(on_list, from_ms, until_ms)), moment)
            case on.ExclusionLifted(name, _, on_list):
                self.exclusions.put(key(name), self.excluded(name, but=on_list), moment)
            case on.CashReportFiled():
                pass  # it is held against the sums

    def excluded(self, name: str, *, but: str | None = None) -> tuple[Exclusion, ...]:
        """What excludes a patron, now or then, by all that was read so far; of all lists *but* one."""
        return tuple(each for each in self.exclusions.get(key(name)) or () if each.on_list != but)

    def must_be_excluded(self, name: str, moment: Moment) -> bool:
        """Whether a writer must have known that a patron plays no more."""
        known = self.exclusions.known_at(moment, key(name))
        return all(any(each.holds(moment.at_ms) for each in state or ()) for state in known)

    def _touch(self, noted: on.Noted, moment: Moment) -> None:
        """Remember who has laid hands on the account of another; what takes something away is none of that."""
        event = noted.event
        if not isinstance(event, _LETS_IN | on.PositionChanged | on.ActingGranted | on.FactorsReset):
            return
        by, whose = key(event.decided_by if isinstance(event, on.WayBackIssued) else noted.by.name), key(event.name)
        if by != whose and by not in _NOBODY:
            lets_in = isinstance(event, _LETS_IN)
            self.touches[whose].append(Touch(by, moment, lets_in))

    def independent(self, first: str, second: str, moment: Moment, span_ms: int, *, young_alike: bool) -> bool:
        """Whether two people were independent by all that the writer must have known.

        Unless *young_alike*, two accounts of one maker were so on a floor younger than the span.
        """
        behind, beside = self._hands(first, moment, span_ms), self._hands(second, moment, span_ms)
        if second in behind or first in beside:
            return False
        if not young_alike and moment.at_ms - self.began_ms < span_ms:
            return True
        return not self._hands(first, moment, span_ms, lets_in=True) & self._hands(
            second, moment, span_ms, lets_in=True
        )

    def has_come_back(self, person: str, moment: Moment, span_ms: int) -> bool:
        """Whether somebody came in by a code from the machine within a span, as the writer must have known."""
        came = self.ways_back.get(person, ())
        return any(each.at_ms > moment.at_ms - span_ms and moment.must_know(each) for each in came)

    def _hands(self, person: str, moment: Moment, span_ms: int, *, lets_in: bool = False) -> set[str]:
        """Everybody in whose hands an account was, directly or through others."""
        found: set[str] = set()
        fresh = {person}
        while fresh:
            touches = [touch for each in fresh for touch in self.touches.get(each, ())]
            fresh = {
                touch.by
                for touch in touches
                if touch.moment.at_ms > moment.at_ms - span_ms
                and (touch.lets_in or not lets_in)
                and moment.must_know(touch.moment)
            } - found
            found |= fresh
        return found

    def _of_session(self, event: on.OfSessions, moment: Moment) -> None:
        match event:
            case on.SessionBegan(id_, _, name, until_ms, _, position, proof, proved_until_ms):
                self.proofs |= bool(proved_until_ms)
                opened = Session(id_, name, until_ms, position, proof=proof, proved_until_ms=proved_until_ms)
                self.sessions.put(id_, opened, moment)
                self.sessions_of[key(name)][id_] = None
                if position is None:
                    self._use_up(name, event, moment)
            case on.SessionProved(id_, proof, proved_until_ms):
                session = self.sessions.get(id_)
                if session is not None:
                    self.sessions.put(id_, replace(session, proof=proof, proved_until_ms=proved_until_ms), moment)
                    self._use_up(session.name, event, moment)
            case on.SessionEnded(id_):
                session = self.sessions.get(id_)
                if session is not None:
                    self.sessions.put(id_, replace(session, ended=True), moment)
            case on.ApprovalGiven(name, command):
                self.approvals[command].add(name)
            case on.SessionsSeen():
                pass

    def _use_up(self, name: str, event: on.SessionBegan | on.SessionProved, moment: Moment) -> None:
        """A code is used up, and a passkey has signed so often."""
        account = self.accounts.get(key(name))
        if account is None or not (event.step or event.passkey):
            return
        counts = account.passkeys
        if event.passkey in counts:
            counts = counts | {event.passkey: max(counts[event.passkey], event.count)}
        used = replace(account, step=max(account.step, event.step), passkeys=counts)
        self.accounts.put(key(name), used, moment)

    def _of_device(self, event: on.TerminalOffered | on.TerminalEnrolled | on.TerminalRevoked, moment: Moment) -> None:
        self.offers.pop(event.name, None)
        match event:
            case on.TerminalOffered(name, code, until_ms, label, confirmed_by):
                self.offers[name] = Offer(code, until_ms, label, confirmed_by is not None)
            case on.TerminalEnrolled(name, kind, _, _, table):
                self.devices.put(name, Device(name, kind, table), moment)
            case on.TerminalRevoked(name):
                device = self.devices.get(name)
                if device is not None:
                    self.devices.put(name, replace(device, revoked=True), moment)


def _changed(account: Account, event: on.OfStaff) -> Account:
    match event:
        case on.PasswordChanged(_, _, temporary):
            return replace(account, temporary=temporary)
        case on.PositionChanged(_, position):
            return replace(account, position=position)
        case on.ActingGranted(_, position, until_ms):
            return replace(account, acting=position, acting_until_ms=until_ms)
        case on.ActingEnded():
            return replace(account, acting=None, acting_until_ms=0)
        case on.AccountLocked(_, until_ms):
            return replace(account, locked_until_ms=until_ms)
        case on.AccountUnlocked():
            return replace(account, locked_until_ms=0)
        case on.AccountClosed():
            return replace(account, closed=True)
        case on.AccountOpened():
            return account
        case _:
            return _with_factors(account, event)


def _with_factors(account: Account, event: on.OfFactors) -> Account:
    match event:
        case on.PasskeyAdded(_, id_, count=count):
            return replace(account, passkeys=account.passkeys | {id_: count})
        case on.PasskeyRemoved(_, id_):
            return replace(account, passkeys={one: count for one, count in account.passkeys.items() if one != id_})
        case on.CodesSet(_, _, step):
            return replace(account, codes=True, step=max(account.step, step))
        case on.CodesRemoved():
            return replace(account, codes=False)
        case on.BrowserKnown():
            return account
        case on.WayBackIssued(_, code, until_ms):
            return replace(account, way_back=(code, until_ms))
        case on.FactorsReset() | on.WayBackUsed():
            return replace(account, passkeys={}, codes=False, way_back=None)
