"""The gate: whoever gives a command must still be let in when it is judged, by what is on record at that moment.

Pages learn of a change once it is durable; a command that was sent meanwhile comes too late. So the gate knows people
as the writing thread does, in the order of writing, and that thread alone uses it. The audit judges by the same order.
"""

from punto.errors import NotAllowed, NotSignedIn
from punto.floor.warrants import Warrant
from punto.server.identity.events import Kind, Noted
from punto.server.identity.people import People
from punto.table import Actor, AnyCommand


class Gate:
    """People as far as they are written down."""

    def __init__(self) -> None:
        self._people = People()

    def take(self, noted: Noted) -> None:
        """Something was written down."""
        self._people.evolve(noted)

    def __call__(self, command: AnyCommand, warrant: Warrant) -> None:
        """Refuse a command whose warrant does not hold."""
        at_ms = command.at_ms
        if warrant.session:
            self._check_session(warrant.session, command.by, at_ms)
        if warrant.second:
            self._check_session(warrant.second, getattr(command, "confirmed_by", None), at_ms)
        if warrant.at_terminal:
            self._check_terminal(command.by.name, at_ms)
        if warrant.device:
            shoe = self._people.terminals.get(warrant.device)
            if shoe is None or shoe.kind is not Kind.SHOE or shoe.table != command.table:
                raise NotSignedIn("this shoe is not known any more: nothing was done")

    def _check_session(self, id_: str, by: Actor | None, at_ms: int) -> None:
        session = self._people.sessions.get(id_)
        if session is None or at_ms >= session.until_ms:
            raise NotSignedIn("the session is over: nothing was done, sign in again")
        if self._people.actor(session, at_ms) != by:
            raise NotAllowed("you act in another position by now: nothing was done")

    def _check_terminal(self, name: str, at_ms: int) -> None:
        terminal = self._people.terminals.get(name)
        if terminal is None or terminal.kind is Kind.SHOE or terminal.is_forgotten(at_ms):
            raise NotSignedIn("this terminal is not known any more: nothing was done")
