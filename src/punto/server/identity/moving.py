"""Moving credits to another device: whoever has a terminal has its credits, so it takes two people to give it away.

One offers a code for a terminal that has credits, and another confirms that in a session of their own; only then there
is a code. What is proposed waits for as long as a code would be good.
"""

from hashlib import sha256
from typing import Final, NamedTuple

from punto.errors import Corrupt, NotAllowed, NothingPending, NotSignedIn, TooFast
from punto.floor import Floor
from punto.ledger import wallet
from punto.server.identity import authority
from punto.server.identity.gate import check_alone, check_two
from punto.server.identity.people import People, Session, key
from punto.server.identity.register import Clock
from punto.table import Actor

LIFE_MS: Final = 10 * 60_000
# How many proposals of one person may wait.
_MOST: Final = 4
_DIGITS: Final = 16


class Move(NamedTuple):
    """A terminal with credits that is to be another device, proposed by somebody in a session."""

    digest: str
    name: str
    label: str
    by: Actor
    session: str
    until_ms: int


class Moves:
    """What waits for its second person, in memory."""

    def __init__(self, people: People, clock: Clock) -> None:
        self._people = people
        self._clock = clock
        self._waiting: dict[str, Move] = {}

    def propose(self, by: Session, name: str, label: str) -> Move:
        """Propose it; proposed again, it is the same proposal, and waits for as long again."""
        at_ms = self._clock()
        actor = self._people.actor(by, at_ms)
        if actor is None:
            raise NotSignedIn("the session is over: sign in again")
        check_alone(self._people, actor.name, at_ms)
        self._people.check_proved(by, at_ms)
        digest = sha256(f"{name}\0{label}\0{key(actor.name)}".encode(errors="replace")).hexdigest()[:_DIGITS]
        own = [each for each in self.waiting() if each.by.name == actor.name and each.digest != digest]
        if len(own) >= _MOST:
            raise TooFast(f"{_MOST} of your proposals wait already: withdraw one first")
        move = self._waiting[digest] = Move(digest, name, label, actor, by.id, at_ms + LIFE_MS)
        return move

    def waiting(self) -> tuple[Move, ...]:
        """What waits: until its time is over, or whoever proposed it is there no more in that position."""
        at_ms = self._clock()
        self._waiting = {digest: each for digest, each in self._waiting.items() if self._stands(each, at_ms)}
        return tuple(self._waiting.values())

    def find(self, digest: str) -> Move:
        """What still waits."""
        for each in self.waiting():
            if each.digest == digest:
                return each
        raise NothingPending("that is not proposed any more: it was decided, or its time is over")

    def end(self, move: Move) -> None:
        """It is done, withdrawn or turned down."""
        self._waiting.pop(move.digest, None)

    def may_confirm(self, session: Session, at_ms: int) -> Actor:
        """Whoever is signed in, and may confirm what another has proposed."""
        other = self._people.actor(session, at_ms)
        if other is None:
            raise NotSignedIn("the session is over: sign in again")
        authority.check(other.position, authority.TERMINALS, "confirm that a terminal with credits moves")
        return other

    def second(self, move: Move, session: Session, at_ms: int) -> Actor:
        """The second person, in a session of theirs; whoever may not confirm it is refused."""
        people, first, other = self._people, move.by, self.may_confirm(session, at_ms)
        if key(other.name) == key(first.name):
            raise NotAllowed("it takes two people: somebody else confirms this")
        check_two(people, first.name, other.name, at_ms)
        people.check_proved(session, at_ms)
        return other

    def _stands(self, move: Move, at_ms: int) -> bool:
        session = self._people.sessions.get(move.session)
        there = session is not None and self._people.actor(session, at_ms) == move.by
        return there and at_ms < move.until_ms


def has_credits(floor: Floor, name: str) -> bool:
    """Whether a patron's wallet holds anything, on the writing thread; one that is stopped may."""
    try:
        return floor.holding(wallet(name)).balance_cents > 0
    except Corrupt:
        return True
