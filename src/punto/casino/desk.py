"""The desk: what members of staff do in a session, and with another who confirms it in theirs where that is needed."""

from typing import TYPE_CHECKING, Any, Final

from punto.casino.people import State
from punto.errors import PuntoError
from punto.floor import Answer
from punto.floor.warrants import Warrant
from punto.server.app import Server
from punto.server.identity import Session
from punto.table import commands as do

if TYPE_CHECKING:
    from punto.casino.patron import Patron

SHIFT: Final = "greta"
PIT: Final = "mona"
PASSWORD: Final = "quite a long word"


class Given:
    """A command that is given at the desk, by HTTP; again under the same id where nobody knows what came of it."""

    def __init__(self, kind: type[Any], fields: State, patron: "Patron") -> None:
        self.kind = kind
        self.fields = fields
        self.patron = patron
        self.tries = 0
        # Why the floor was not asked at all this time.
        self.unheard: PuntoError | None = None

    async def by(self, server: Server, cookie: str, second: str) -> Answer:
        """Have a process do it, for who is signed in by that cookie; another approves of a correction."""
        identity, hall, fields = server.identity, server.hall, self.fields
        try:
            session = _session(server, cookie)
            warrant, by = Warrant(session.id), identity.acts_as(session)
            if self.kind is do.CorrectCredits:
                other = _session(server, second)
                warrant = Warrant(session.id, other.id)
                fields = fields | {"approved_by": identity.acts_as(other)}
        except PuntoError as refusal:
            self.unheard = refusal
            raise
        return await hall.writer.give(self.kind(by=by, at_ms=hall.now_ms(), **fields), warrant)


def _session(server: Server, cookie: str) -> Session:
    return server.identity.signed_in({"type": "http", "headers": [(b"cookie", cookie.encode())]})
