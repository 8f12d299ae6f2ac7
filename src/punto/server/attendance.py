"""Who is behind each page, for as long as it is open: whoever is no longer let in is told so, and let go at once."""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from typing import Final, Protocol

import msgspec
from msgspec import Struct

from punto.server.connection import Connection
from punto.server.faces.state import ENCODER
from punto.server.hall import Hall
from punto.server.identity import AnyEvent, Ending, Papers
from punto.server.identity import events as on
from punto.server.outlet import framed
from punto.server.wire import tells
from punto.table import Actor

# The close of a connection by its server's policy (RFC 6455, 7.4.1).
_NOT_LET_IN: Final = 1008
_SAID: Final = {
    Ending.SIGNED_OUT: "you have signed out",
    Ending.REVOKED: "the session was ended by a manager, or from another place: sign in again",
    Ending.IDLE: "nothing was done for a while: sign in again",
    Ending.EXPIRED: "the session has lasted for a whole shift: sign in again",
    Ending.PASSWORD_CHANGED: "the password was changed: sign in again",
    Ending.ACCOUNT_CLOSED: "the account was closed",
    Ending.FACTORS_CHANGED: "how you sign in was changed: sign in again",
    Ending.RECOVERED: "somebody came in by a way back: sign in again",
}
# What no person does, and what a page says by itself as soon as it is connected anew.
_BY_ITSELF: Final = frozenset({"", "ping"})
_AT_FIRST: Final = _BY_ITSELF | {"watch", "watch-floor", "sit", "take-table"}
_AT_FIRST_S: Final = 2.0
_OF_POSITIONS: Final = (on.PositionChanged, on.ActingGranted, on.ActingEnded, on.PasswordChanged)


class Papered(Protocol):
    """Who knows by their papers whether people are still let in."""

    def listen(self, listener: Callable[[AnyEvent], None]) -> None:
        """Have a function told of everything that happens."""

    def active(self, papers: Papers) -> None:
        """A person has done something on a connection."""

    def staff_with(self, papers: Papers) -> Actor | None:
        """The member of staff on a connection, as of now."""


class _Message(Struct):
    """As much of a message as tells what it is."""

    t: str = ""


_MESSAGE: Final = msgspec.json.Decoder(_Message)


class Attendance:
    """The open pages, by what they showed when they came."""

    def __init__(self, hall: Hall, known: Papered) -> None:
        self._hall = hall
        self._known = known
        self._papers: dict[Connection, Papers] = {}
        self._came_at: dict[Connection, float] = {}
        self._sessions: defaultdict[str, set[Connection]] = defaultdict(set)
        self._terminals: defaultdict[str, set[Connection]] = defaultdict(set)
        known.listen(self._happened)

    def enter(self, page: Connection, papers: Papers) -> None:
        """A page has connected."""
        self._papers[page] = papers
        self._came_at[page] = asyncio.get_running_loop().time()
        if papers.session:
            self._sessions[papers.session].add(page)
        if papers.terminal:
            self._terminals[papers.terminal].add(page)

    def leave(self, page: Connection) -> None:
        """A page has gone."""
        papers = self._papers.pop(page, Papers())
        self._came_at.pop(page, None)
        for pages, name in ((self._sessions, papers.session), (self._terminals, papers.terminal)):
            if name in pages:
                pages[name].discard(page)
                if not pages[name]:
                    del pages[name]

    def heard(self, page: Connection, message: str | None) -> None:
        """A message has come: the person is there, unless it is of those that a page sends by itself."""
        papers = self._papers.get(page)
        if papers is None:
            return
        by_itself = _AT_FIRST if asyncio.get_running_loop().time() - self._came_at[page] < _AT_FIRST_S else _BY_ITSELF
        if not papers.session or _kind(message) not in by_itself:
            self._known.active(papers)

    def _happened(self, event: AnyEvent) -> None:
        match event:
            case on.SessionEnded(session, why):
                for page in tuple(self._sessions.get(session, ())):
                    plays = self._plays_only(page)
                    self._hall.relieve(page)
                    if plays:
                        self._hall.welcome(page)
                    else:
                        self._end(page, why.value, _SAID[why])
            case on.TerminalRevoked(name):
                for page in tuple(self._terminals.get(name, ())):
                    self._end(page, "revoked", "this terminal was withdrawn: the credits are kept")
            case on.TerminalEnrolled(name):
                for page in tuple(self._terminals.get(name, ())):
                    self._end(page, "replaced", "another device is this terminal now: the credits are kept")
            case _ if isinstance(event, _OF_POSITIONS):
                self._look()

    def _look(self) -> None:
        """Positions have changed: whoever is here acts in the new one from now on."""
        for pages in self._sessions.values():
            for page in pages:
                staff = self._known.staff_with(self._papers[page])
                if staff != page.staff:
                    page.staff = staff
                    self._hall.welcome(page)
                    for key in sorted(page.watching):
                        self._hall.tables[key].tell()  # what the page proposed there in the other position is gone

    def _plays_only(self, page: Connection) -> bool:
        """Whether a page is a patron's seat, though the same browser was signed in as staff."""
        return bool(page.seats) and not any(page in self._hall.tables[key].staff for key in page.watching)

    def _end(self, page: Connection, code: str, message: str) -> None:
        page.write(framed(b"[" + ENCODER.encode(tells.Ended(code, message)) + b"]"))
        page.drop(_NOT_LET_IN, code)
        self.leave(page)
        self._hall.leave(page)


def _kind(message: str | None) -> str:
    try:
        return _MESSAGE.decode(message or "").t
    except (msgspec.MsgspecError, RecursionError):
        return ""
