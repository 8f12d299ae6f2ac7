"""Everybody who is known, worked out from what was written: accounts, open sessions, enrolled devices."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, assert_never
from unicodedata import normalize

from punto.errors import NoSuchAccount, NoSuchSession, NoSuchTerminal, quoted
from punto.rules import Position
from punto.server.identity import events as on
from punto.server.identity.events import Kind, Noted
from punto.server.identity.independence import Independence
from punto.server.orders import Orders
from punto.table import Actor

# A guest who does not come back for so long is forgotten; the credits stay in the record.
GUEST_MS: Final = 30 * 86_400_000


@dataclass(slots=True)
class Account:
    """A member of staff."""

    name: str
    position: Position
    password: str
    temporary: bool
    acting: Position | None = None
    acting_until_ms: int = 0
    locked_until_ms: int = 0
    closed: bool = False

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

    def is_forgotten(self, at_ms: int) -> bool:
        """Whether it is a guest's, who has not come back."""
        return self.kind is Kind.GUEST and at_ms - self.seen_ms > GUEST_MS


@dataclass(frozen=True, slots=True)
class Offer:
    """A terminal that may be enrolled with a code, until a time."""

    name: str
    label: str
    until_ms: int


class People:
    """All who are known."""

    def __init__(self) -> None:
        self.sessions: dict[str, Session] = {}
        self.terminals: dict[str, Terminal] = {}
        self.offers: dict[str, Offer] = {}
        # The patrons who are registered by name, and the house's orders as far as any are on record.
        self.patrons: dict[str, str] = {}
        self.orders: Orders | None = None
        self.independence = Independence(key)
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
        return None if account is None or account.temporary else account.actor(at_ms)

    # What happens

    def evolve(self, noted: Noted) -> None:
        """Something has happened; it is never refused."""
        self.independence.take(noted)
        match noted.event:
            case on.OrdersSet(independence_ms, shift_ms, cash):
                self.orders = Orders(independence_ms, shift_ms, cash)
            case on.PatronRegistered(name):
                self.patrons[key(name)] = name
            case on.SessionBegan() | on.SessionsSeen() | on.SessionEnded() | on.ApprovalGiven() as event:
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
                self._accounts[key(name)] = Account(name, position, password, temporary)
            case event:
                account = self._accounts.get(key(event.name))
                if account is not None:
                    _change(account, event)

    def _of_session(self, event: on.OfSessions, at_ms: int) -> None:
        match event:
            case on.SessionBegan(id_, token, name, until_ms, address, position):
                session = Session(id_, token, name, at_ms, until_ms, address, position, at_ms, at_ms)
                self.sessions[id_] = self._by_token[token] = session
            case on.SessionsSeen(seen):
                _note_seen(self.sessions, seen)
            case on.SessionEnded(id_):
                ended = self.sessions.pop(id_, None)
                if ended is not None:
                    self._by_token.pop(ended.token, None)
            case on.ApprovalGiven():
                pass

    def _of_terminal(self, event: on.OfTerminals, at_ms: int) -> None:
        match event:
            case on.TerminalOffered(name, code, until_ms, label):
                self._withdraw(name)
                self.offers[code] = Offer(name, label, until_ms)
            case on.TerminalEnrolled(name, kind, token, label, table):
                self._withdraw(name)
                self._drop_device(name)
                terminal = Terminal(name, kind, token, label, table, at_ms, at_ms, at_ms)
                self.terminals[name] = self._devices[token] = terminal
            case on.TerminalRenamed(name, label):
                if name in self.terminals:
                    self.terminals[name].label = label
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
    return normalize("NFKC", name).casefold()


def _change(account: Account, event: on.OfStaff) -> None:
    match event:
        case on.PasswordChanged(_, password, temporary):
            account.password, account.temporary = password, temporary
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
            assert_never(event)


def _note_seen(known: dict[str, Session] | dict[str, Terminal], seen: dict[str, int]) -> None:
    for name, at_ms in seen.items():
        one = known.get(name)
        if one is not None:
            one.seen_ms, one.noted_ms = max(one.seen_ms, at_ms), max(one.noted_ms, at_ms)
