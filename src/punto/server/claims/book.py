"""The book of claims: every claim that is open or was answered not long ago, worked out from what was written."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from punto.errors import ClaimClosed, NoSuchClaim
from punto.server.claims import events as on
from punto.server.claims.events import ClaimAbout, Noted
from punto.table import Actor

# A claim that is closed is known for so long at least: a patron may come back for the answer.
_KEPT_MS: Final = 30 * 24 * 3_600_000


class ClaimOutcome(Enum):
    """How a claim stands."""

    OPEN = "open"
    UPHELD = "upheld"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


@dataclass(slots=True)
class Claim:
    """One claim; *reason* and *words* are commitments, which stay *until_ms* for whoever had a part in the round."""

    number: int
    patron: str
    table: str
    round: int
    shoe: int
    opened: int
    about: ClaimAbout
    words: str
    asked: str
    raised_ms: int
    due_ms: int
    outcome: ClaimOutcome = ClaimOutcome.OPEN
    closed_ms: int = 0
    until_ms: int = 0
    by: Actor | None = None
    reason: str = ""
    correction: int = 0

    @property
    def is_open(self) -> bool:
        """Whether it waits for an answer."""
        return self.outcome is ClaimOutcome.OPEN


class Book:
    """All claims that matter now."""

    def __init__(self) -> None:
        # The number of the newest claim, and the terms in force.
        self.last = 0
        self.terms: on.TermsSet | None = None
        self._claims: dict[int, Claim] = {}
        self._open: dict[int, Claim] = {}
        self._by_round: dict[tuple[str, str, int], Claim] = {}
        # How many are open about each table.
        self._at: Counter[str] = Counter()

    def evolve(self, noted: Noted) -> Claim | None:
        """Something has happened; it is never refused. The claim that it happened to."""
        match noted.event:
            case on.TermsSet() as terms:
                self.terms = terms
                return None
            case on.ClaimRaised() as raised:
                return self._raise(raised, noted.at_ms)
            case on.ClaimAnswered(number, upheld, reason, correction):
                claim = self._close(number, ClaimOutcome.UPHELD if upheld else ClaimOutcome.REJECTED, noted)
                if claim is not None:
                    claim.reason, claim.correction = reason, correction
                return claim
            case on.ClaimWithdrawn(number):
                return self._close(number, ClaimOutcome.WITHDRAWN, noted)

    def _raise(self, raised: on.ClaimRaised, at_ms: int) -> Claim:
        claim = Claim(
            number=raised.claim,
            patron=raised.patron,
            table=raised.table,
            round=raised.round,
            shoe=raised.shoe,
            opened=raised.opened,
            about=raised.about,
            words=raised.words,
            asked=raised.asked,
            raised_ms=at_ms,
            due_ms=raised.due_ms,
        )
        self.last = max(self.last, claim.number)
        self._claims[claim.number] = self._open[claim.number] = claim
        self._by_round[claim.patron, claim.table, claim.round] = claim
        self._at[claim.table] += 1
        self._forget(at_ms)
        return claim

    def _close(self, number: int, outcome: ClaimOutcome, noted: Noted) -> Claim | None:
        claim = self._open.pop(number, None)
        if claim is not None:
            claim.outcome, claim.closed_ms, claim.by = outcome, noted.at_ms, noted.by
            claim.until_ms = noted.at_ms + (self.terms.within_ms if self.terms else 0)
            self._at[claim.table] -= 1
        return claim

    def _forget(self, at_ms: int) -> None:
        """Forget closed claims about rounds of which none can be raised any more; the oldest come first."""
        kept_ms = max(_KEPT_MS, self.terms.within_ms if self.terms else 0)
        old = []
        for claim in self._claims.values():
            if claim.raised_ms >= at_ms - kept_ms:
                break
            if not claim.is_open:
                old.append(claim)
        for claim in old:
            del self._claims[claim.number]
            self._by_round.pop((claim.patron, claim.table, claim.round), None)

    def find(self, number: int) -> Claim:
        """The claim of that number."""
        claim = self._claims.get(number)
        if claim is None:
            raise NoSuchClaim(f"there is no claim {number}, or it was closed long ago")
        return claim

    def find_open(self, number: int) -> Claim:
        """The claim of that number, if it waits for an answer."""
        claim = self.find(number)
        if not claim.is_open:
            raise ClaimClosed(f"claim {number} was {_CLOSED[claim.outcome]}: nothing was changed")
        return claim

    def open(self) -> list[Claim]:
        """The claims that wait for an answer, the most urgent first."""
        return sorted(self._open.values(), key=lambda claim: (claim.due_ms, claim.number))

    def newest(self) -> Iterator[Claim]:
        """All claims, the newest first."""
        return reversed(self._claims.values())

    def of(self, patron: str) -> list[Claim]:
        """A patron's claims, the newest first."""
        return [claim for claim in self.newest() if claim.patron == patron]

    def open_of(self, patron: str) -> int:
        """How many claims of a patron wait for an answer."""
        return sum(claim.patron == patron for claim in self._open.values())

    def about(self, patron: str, table: str, round_: int) -> Claim | None:
        """A patron's claim about a round, however it stands."""
        return self._by_round.get((patron, table, round_))

    def at(self, table: str) -> int:
        """How many claims about a table wait for an answer."""
        return self._at[table]

    def overdue(self, at_ms: int) -> list[Claim]:
        """The claims that should have been answered by now."""
        return [claim for claim in self._open.values() if at_ms > claim.due_ms]

    @property
    def waiting(self) -> int:
        """How many claims wait for an answer."""
        return len(self._open)


_CLOSED: Final = {
    ClaimOutcome.UPHELD: "answered already",
    ClaimOutcome.REJECTED: "answered already",
    ClaimOutcome.WITHDRAWN: "withdrawn by the patron",
}
