"""Everybody who is known, worked out from what was written: accounts, open sessions, enrolled devices."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, assert_never

from punto.errors import NoSuchAccount, NoSuchSession, NoSuchTerminal, ProveAgain, quoted
from punto.floor.cashreports import Threshold
from punto.floor.personal import KeptKind, key_of
from punto.rules import Position
from punto.server.identity import events as on
from punto.server.identity.events import Kind, Noted, Proved
from punto.server.identity.independence import Independence
from punto.server.identity.owndevices import OwnDevices
from punto.server.orders import Orders
from punto.table import Actor

# A guest who does not come back for so long is forgotten; the credits stay in the record.
GUEST_MS: Final = 30 * 86_400_000
# How many browsers of one person are known: the one that was known first is forgotten for another.
_MOST_BROWSERS: Final = 8


@dataclass(slots=True)
class Passkey:
    """A passkey of somebody: how its device signs, for which host, and how often it has signed."""

    id: str
    key: str
    rp: str
    label: str
    added_ms: int
    count: int
    # The commitment to the label, which lies beside the record.
    label_kept: str = ""


@dataclass(frozen=True, slots=True)
class WayBack:
    """The digest of a code with which somebody comes in again, until a time."""

    code: str
    until_ms: int


@dataclass(slots=True)
class Account:
    """A member of staff."""

    name: str
    position: Position
    password: str
    temporary: bool
    # Since when it is the password.
    password_ms: int = 0
    acting: Position | None = None
    acting_until_ms: int = 0
    locked_until_ms: int = 0
    closed: bool = False
    passkeys: dict[str, Passkey] = field(default_factory=dict)
    # The sealed secret of one-time codes, empty without one; and the newest step whose code was used.
    secret: str = ""
    step: int = 0
    # The digests of the tokens of known browsers, the one that was known first at the beginning.
    browsers: list[str] = field(default_factory=list)
    way_back: WayBack | None = None

    @property
    def has_second(self) -> bool:
        """Whether there is a passkey, or an app for one-time codes."""
        return bool(self.passkeys or self.secret)

    def forget_factors(self) -> None:
        """Passkeys, one-time codes and known browsers count for nothing any more."""
        self.passkeys.clear()
        self.browsers.clear()
        self.secret, self.way_back = "", None

    def actor(self, at_ms: int) -> Actor:
        """As whom the member of staff acts now."""
        if self.acting is not None and at_ms < self.acting_until_ms:
            return Actor(self.name, self.acting, acting=True)
        return Actor(self.name, self.position)


@dataclass(slots=True)
class Session:
    """A member of staff who is signed in; *position* where a link gave it, and no account."""

    id: str
    token: str
    name: str
    began_ms: int
    until_ms: int
    address: str
    position: Position | None
    # When it was last in use, and up to when that is written down.
    seen_ms: int
    noted_ms: int
    # What was shown besides the password, or in its place; and until when that is enough for what matters.
    proof: Proved | None = None
    proved_until_ms: int = 0
    # The commitment to the address, which lies beside the record; older entries have the address itself.
    address_kept: str = ""
    # The digest of the token that its browser keeps.
    browser: str = ""


@dataclass(slots=True)
class Terminal:
    """A device with a token of its own; a shoe's is good for one table."""

    name: str
    kind: Kind
    token: str
    label: str
    table: str
    enrolled_ms: int
    seen_ms: int
    noted_ms: int
    # The commitment to the label, which lies beside the record; older entries have the label itself.
    label_kept: str = ""

    def is_forgotten(self, at_ms: int) -> bool:
        """Whether it is a guest's, who has not come back."""
        return self.kind is Kind.GUEST and at_ms - self.seen_ms > GUEST_MS


@dataclass(frozen=True, slots=True)
class Filed:
    """A report that was filed of a sum of cash."""

    cents: int
    by: str
    at_ms: int
    reference: str


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A patron whom the house lets play no more, from a time until another (0: for good), by which list and whom."""

    name: str
    from_ms: int
    until_ms: int
    reason: str
    on_list: str
    by: Actor
    at_ms: int

    def is_over(self, at_ms: int) -> bool:
        """Whether its time is over."""
        return bool(self.until_ms) and at_ms >= self.until_ms


@dataclass(frozen=True, slots=True)
class Offer:
    """A terminal that may be enrolled with a code, until a time; *by_two* also where it has credits."""

    name: str
    label: str
    until_ms: int
    by_two: bool = False
    label_kept: str = ""


class People:
    """All who are known."""

    def __init__(self, *, second_factor: bool = False) -> None:
        # Whether whoever has neither a passkey nor one-time codes may do nothing before that has changed.
        self._needs_second = second_factor
        self.sessions: dict[str, Session] = {}
        self.terminals: dict[str, Terminal] = {}
        self.offers: dict[str, Offer] = {}
        # The patrons who are registered by name, and the house's orders as far as any are on record.
        self.patrons: dict[str, str] = {}
        self.orders: Orders | None = None
        # Of each person the commitment to the full name, what was erased, and what of that has yet to stay.
        self.full_names: dict[str, str] = {}
        self.erased: set[str] = set()
        self.staying: dict[str, on.PersonErased] = {}
        # When each person was last active, as far as anybody was here.
        self.active_ms: dict[str, int] = {}
        # From when on which sums of cash are reported, and the last report of each patron, gaming day and direction.
        self.thresholds: list[Threshold] = []
        self.filed: dict[tuple[str, str, str], Filed] = {}
        # Who is excluded, by what makes names the same, on which lists.
        self.exclusions: dict[str, dict[str, Exclusion]] = {}
        self.independence = Independence(key)
        self.own_devices = OwnDevices(key)
        # When each person last came in by a code from the machine.
        self._came_back_ms: dict[str, int] = {}
        self._accounts: dict[str, Account] = {}
        self._by_token: dict[str, Session] = {}
        self._devices: dict[str, Terminal] = {}

    # Who is who

    def accounts(self) -> Iterator[Account]:
        """Everybody who is on the staff."""
        return (account for account in self._accounts.values() if not account.closed)

    @property
    def has_staff(self) -> bool:
        """Whether anybody is or was on the staff."""
        return bool(self._accounts)

    def are_independent(self, first: str, second: str, at_ms: int) -> bool:
        """Whether two people are independent by the house's orders; without orders nobody asks."""
        span_ms = self.orders.independence_ms if self.orders else 0
        return self.independence.is_between(first, second, at_ms, span_ms)

    def is_on_own_device(self, name: str) -> bool:
        """Whether somebody may stand with another for an act, by the house's orders."""
        return not (self.orders and self.orders.own_device) or self.own_devices.is_own(name)

    def has_come_back(self, name: str, at_ms: int) -> bool:
        """Whether somebody came in by a code from the machine within the time that independence takes."""
        span_ms = self.orders.independence_ms if self.orders else 0
        came_ms = self._came_back_ms.get(key(name))
        return came_ms is not None and came_ms > at_ms - span_ms

    def is_excluded(self, patron: str, at_ms: int) -> bool:
        """Whether the house lets a patron play no more at a time, however the name is written."""
        lists = self.exclusions.get(key(patron)) if self.exclusions else None
        return lists is not None and any(each.from_ms <= at_ms and not each.is_over(at_ms) for each in lists.values())

    def knows_patron(self, name: str, at_ms: int) -> bool:
        """Whether a patron has a terminal, or is registered."""
        terminal = self.terminals.get(name)
        if terminal is not None and terminal.kind is not Kind.SHOE and not terminal.is_forgotten(at_ms):
            return True
        return self.patrons.get(key(name)) == name

    def is_taken(self, name: str) -> bool:
        """Whether somebody has or had the name, however it is written."""
        return key(name) in self._accounts

    def account(self, name: str) -> Account | None:
        """The account of that name, however it is written; none when it is closed."""
        account = self._accounts.get(key(name))
        return None if account is None or account.closed else account

    def find_account(self, name: str) -> Account:
        """The account of that name."""
        account = self.account(name)
        if account is None:
            raise NoSuchAccount(f"nobody called {quoted(name)} is on the staff")
        return account

    def find_session(self, id_: str) -> Session:
        """The session of that id."""
        session = self.sessions.get(id_)
        if session is None:
            raise NoSuchSession(f"there is no session {quoted(id_)}, or it is over")
        return session

    def find_terminal(self, name: str) -> Terminal:
        """The device of that name."""
        terminal = self.terminals.get(name)
        if terminal is None:
            raise NoSuchTerminal(f"no terminal {quoted(name)} is enrolled")
        return terminal

    def session_with(self, token: str) -> Session | None:
        """The session of a token."""
        return self._by_token.get(on.digest(token)) if token else None

    def device_with(self, token: str) -> Terminal | None:
        """The device of a token."""
        return self._devices.get(on.digest(token)) if token else None

    def sessions_of(self, name: str) -> list[Session]:
        """The sessions of an account."""
        return [each for each in self.sessions.values() if each.position is None and key(each.name) == key(name)]

    def own_position(self, session: Session) -> Position | None:
        """The position that is held, whatever somebody acts in; none once the session is over."""
        if session.id not in self.sessions:
            return None
        if session.position is not None:
            return session.position
        account = self.account(session.name)
        return account.position if account else None

    def actor(self, session: Session, at_ms: int) -> Actor | None:
        """As whom a session acts now; none while its password is another's, and once it is over."""
        if session.id not in self.sessions:
            return None
        if session.position is not None:
            return Actor(session.name, session.position)
        account = self.account(session.name)
        if account is None or account.temporary or self.must_enrol(account):
            return None
        return account.actor(at_ms)

    @property
    def needs_second(self) -> bool:
        """Whether nobody acts with a password alone: by this floor's file, or by that of another on the same store."""
        return self._needs_second or (self.orders is not None and self.orders.second_factor)

    def must_enrol(self, account: Account) -> bool:
        """Whether somebody needs a passkey or one-time codes before anything else."""
        return self.needs_second and not account.has_second

    @staticmethod
    def check_proved(session: Session, at_ms: int) -> None:
        """Refuse whoever showed too long ago who they are; whoever came by a link has nothing to show."""
        if session.position is None and at_ms >= session.proved_until_ms:
            raise ProveAgain("show again who you are first, with a passkey or a code: nothing was done")

    def with_passkey(self, id_: str) -> tuple[Account, Passkey] | None:
        """Whose passkey it is."""
        for account in self.accounts():
            if id_ in account.passkeys:
                return account, account.passkeys[id_]
        return None

    def knows(self, browser: str, account: Account | None = None) -> bool:
        """Whether somebody, or the one asked about, has signed in with a browser that shows this token."""
        digest = on.digest(browser) if browser else ""
        asked = self.accounts() if account is None else [account]
        return bool(digest) and any(digest in each.browsers for each in asked)

    def has_seen(self, browser: str) -> bool:
        """Whether anybody has signed in with a browser that shows this token, and may have had to stop there."""
        return bool(browser) and (self.own_devices.has_seen(on.digest(browser)) or self.knows(browser))

    # What happens

    def evolve(self, noted: Noted) -> None:
        """Something has happened; it is never refused."""
        self.independence.take(noted)
        self._note_active(noted)
        self.own_devices.take(noted)
        match noted.event:
            case on.PersonNoted() | on.PersonErased() as event:
                self._of_person(event)
            case (
                on.OrdersSet()
                | on.PatronRegistered()
                | on.PatronExcluded()
                | on.ExclusionLifted()
                | on.CashReportFiled() as event
            ):
                self._of_house(event, noted)
            case (
                on.SessionBegan() | on.SessionProved() | on.SessionsSeen() | on.SessionEnded() | on.ApprovalGiven()
            ) as event:
                self._of_session(event, noted.at_ms)
            case (
                on.TerminalOffered()
                | on.TerminalEnrolled()
                | on.TerminalRenamed()
                | on.TerminalsSeen()
                | on.TerminalRevoked() as event
            ):
                self._of_terminal(event, noted.at_ms)
            case on.AccountOpened(name, position, password, temporary):
                self._accounts[key(name)] = Account(name, position, password, temporary, noted.at_ms)
            case event:
                if isinstance(event, on.WayBackUsed):
                    self._came_back_ms[key(event.name)] = noted.at_ms
                account = self._accounts.get(key(event.name))
                if account is not None:
                    _change(account, event, noted.at_ms)

    def _of_house(self, event: on.OfHouse, noted: Noted) -> None:
        match event:
            case on.OrdersSet() as set_:
                self.orders = Orders(
                    set_.independence_ms,
                    set_.shift_ms,
                    set_.cash,
                    credits_take_two=set_.credits_take_two,
                    own_device=set_.own_device,
                    young_alike=set_.young_alike,
                    way_back_waits=set_.way_back_waits,
                    second_factor=set_.second_factor,
                    prove_again_ms=set_.prove_again_ms,
                    report_cents=set_.report_cents,
                )
                self.thresholds.append(Threshold(noted.at_ms, set_.report_cents))
            case on.CashReportFiled(patron, day, kind, cents, reference):
                self.filed[patron, day, kind] = Filed(cents, noted.by.name, noted.at_ms, reference)
            case on.PatronRegistered(name):
                self.patrons[key(name)] = name
            case on.PatronExcluded(name, from_ms, reason, until_ms, on_list):
                excluded = Exclusion(name, from_ms, until_ms, reason, on_list, noted.by, noted.at_ms)
                self.exclusions.setdefault(key(name), {})[on_list] = excluded
            case on.ExclusionLifted(name, _, on_list):
                self.exclusions.get(key(name), {}).pop(on_list, None)

    def _of_person(self, event: on.OfPersons) -> None:
        person = key(event.person)
        if isinstance(event, on.PersonNoted):
            if event.kind is KeptKind.FULL_NAME:
                self.full_names[person] = event.commitment
            return
        self.erased.update(event.erased)
        if self.full_names.get(person) in event.erased:
            del self.full_names[person]
        self.staying.pop(person, None)
        if event.stays:
            self.staying[person] = event

    def _note_active(self, noted: Noted) -> None:
        """Somebody has come in, was in use of something, or is spoken of for the first time."""
        match noted.event:
            case on.SessionBegan(name=name) | on.AccountOpened(name=name) | on.AccountClosed(name=name):
                seen = {name: noted.at_ms}
            case on.PatronRegistered(name=name) | on.TerminalEnrolled(name=name):
                seen = {name: noted.at_ms}
            case on.SessionsSeen(sessions):
                known = ((self.sessions.get(id_), at_ms) for id_, at_ms in sessions.items())
                seen = {session.name: at_ms for session, at_ms in known if session is not None}
            case on.TerminalsSeen(terminals):
                seen = terminals
            case _:
                return
        for name, at_ms in seen.items():
            self.active_ms[key(name)] = max(at_ms, self.active_ms.get(key(name), 0))

    def _of_session(self, event: on.OfSessions, at_ms: int) -> None:
        match event:
            case on.SessionBegan(id_, token, name, until_ms, address, position, proof, proved_until_ms):
                session = Session(id_, token, name, at_ms, until_ms, address, position, at_ms, at_ms)
                session.address_kept = event.address_kept
                session.proof, session.proved_until_ms, session.browser = proof, proved_until_ms, event.browser
                self.sessions[id_] = self._by_token[token] = session
                if position is None:
                    self._note_proof(name, event)
            case on.SessionProved(id_, proof, proved_until_ms):
                known = self.sessions.get(id_)
                if known is not None:
                    known.proof, known.proved_until_ms = proof, proved_until_ms
                    self._note_proof(known.name, event)
            case on.SessionsSeen(seen):
                _note_seen(self.sessions, seen)
            case on.SessionEnded(id_):
                ended = self.sessions.pop(id_, None)
                if ended is not None:
                    self._by_token.pop(ended.token, None)
            case on.ApprovalGiven():
                pass

    def _note_proof(self, name: str, event: on.SessionBegan | on.SessionProved) -> None:
        """A code is used up, and a passkey has signed so often."""
        account = self._accounts.get(key(name))
        if account is None:
            return
        account.step = max(account.step, event.step)
        passkey = account.passkeys.get(event.passkey)
        if passkey is not None:
            passkey.count = max(passkey.count, event.count)

    def _of_terminal(self, event: on.OfTerminals, at_ms: int) -> None:
        match event:
            case on.TerminalOffered(name, code, until_ms, label) as event:
                self._withdraw(name)
                by_two, kept = event.confirmed_by is not None, event.label_kept
                self.offers[code] = Offer(name, label, until_ms, by_two=by_two, label_kept=kept)
            case on.TerminalEnrolled(name, kind, token, label, table, kept):
                self._withdraw(name)
                self._drop_device(name)
                terminal = Terminal(name, kind, token, label, table, at_ms, at_ms, at_ms, kept)
                self.terminals[name] = self._devices[token] = terminal
            case on.TerminalRenamed(name, label, kept):
                if name in self.terminals:
                    self.terminals[name].label, self.terminals[name].label_kept = label, kept
            case on.TerminalsSeen(seen):
                _note_seen(self.terminals, seen)
            case on.TerminalRevoked(name):
                self._withdraw(name)
                self._drop_device(name)

    def _withdraw(self, name: str) -> None:
        """One terminal has one code at a time."""
        for code in [code for code, offer in self.offers.items() if offer.name == name]:
            del self.offers[code]

    def _drop_device(self, name: str) -> None:
        gone = self.terminals.pop(name, None)
        if gone is not None:
            self._devices.pop(gone.token, None)


def key(name: str) -> str:
    """What makes two names the same.

    >>> key("Ann") == key("ANN")
    True
    """
    return key_of(name)


def _change(account: Account, event: on.OfStaff, at_ms: int) -> None:
    match event:
        case on.PasswordChanged(_, password, temporary):
            account.password, account.temporary, account.password_ms = password, temporary, at_ms
            if temporary:
                account.browsers.clear()
        case on.PositionChanged(_, position):
            account.position = position
        case on.ActingGranted(_, position, until_ms):
            account.acting, account.acting_until_ms = position, until_ms
        case on.ActingEnded():
            account.acting, account.acting_until_ms = None, 0
        case on.AccountLocked(_, until_ms):
            account.locked_until_ms = until_ms
        case on.AccountUnlocked():
            account.locked_until_ms = 0
        case on.AccountClosed():
            account.closed = True
        case on.AccountOpened():
            pass
        case _:
            _change_factors(account, event, at_ms)


def _change_factors(account: Account, event: on.OfFactors, at_ms: int) -> None:
    match event:
        case on.PasskeyAdded(_, id_, public, rp, count, label, label_kept):
            account.passkeys[id_] = Passkey(id_, public, rp, label, at_ms, count, label_kept)
        case on.PasskeyRemoved(_, id_):
            account.passkeys.pop(id_, None)
        case on.CodesSet(_, secret, step):
            account.secret, account.step = secret, max(account.step, step)
        case on.CodesRemoved():
            account.secret = ""
        case on.BrowserKnown(_, token):
            account.browsers = [*account.browsers, token][-_MOST_BROWSERS:]
        case on.WayBackIssued(_, code, until_ms):
            account.way_back = WayBack(code, until_ms)
        case on.FactorsReset() | on.WayBackUsed():
            account.forget_factors()
        case _:
            assert_never(event)


def _note_seen(known: dict[str, Session] | dict[str, Terminal], seen: dict[str, int]) -> None:
    for name, at_ms in seen.items():
        one = known.get(name)
        if one is not None:
            one.seen_ms, one.noted_ms = max(one.seen_ms, at_ms), max(one.noted_ms, at_ms)
