"""Claims: each was raised in time by a patron who played there, and answered once by somebody with no part in it.

The rounds are read anew from the tables' logs, by rules of the audit's own. That an answer came late is no finding: the
report counts it.
"""

from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import Annotated, Final, Literal, NamedTuple

from msgspec import Meta

from punto.record.checks import events as tables
from punto.record.checks import matters, people, warrants
from punto.record.checks.findings import Code, Counts, Findings
from punto.record.checks.moments import WORD_MS
from punto.record.checks.register import Register, key
from punto.record.checks.written import Actor, Written, reader
from punto.rules import HIGHER_RANKS, RANKS, Position
from punto.store.contract import Entry, Store

CLAIMS: Final = "claims"
PERSONS: Final = "identity/persons"
_TABLE: Final = "table/"
_STAFF: Final = (*RANKS, *HIGHER_RANKS)
_FLOOR: Final = Actor("floor", Position.SYSTEM)
# A stake that is refused is on no record: a wager so many rounds before is enough.
_ROUNDS_BEFORE: Final = 2
# So many entries after a round may still have a ruling about it.
_AFTER: Final = 1_000

# The SHA-256 of words: what was said is never written.
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Place = Annotated[int, Meta(ge=1, le=2**53)]
Later = Annotated[int, Meta(ge=0, le=2**53)]


class TermsSet(Written, frozen=True, tag="claim-terms-set"):
    """Within how long claims are raised and answered; and whether its words stay until then."""

    within_ms: Place
    answered_ms: Place
    words_stay: bool = False


class ClaimRaised(Written, frozen=True, tag="claim-raised"):
    """A patron disputes a round."""

    claim: int
    patron: str
    table: str
    round: int
    shoe: int
    opened: Place
    wager: Place
    about: Literal["payment", "stake", "cards", "other"]
    words: Digest
    due_ms: int
    asked: str = ""


class ClaimAnswered(Written, frozen=True, tag="claim-answered"):
    """Staff have answered."""

    claim: int
    upheld: bool
    reason: Digest
    correction: Later = 0


class ClaimWithdrawn(Written, frozen=True, tag="claim-withdrawn"):
    """The patron claims no longer."""

    claim: int


AnyEvent = TermsSet | ClaimRaised | ClaimAnswered | ClaimWithdrawn


class Noted(Written, frozen=True):
    """A line of the stream of claims: what happened, when, by whom, and in which session of theirs."""

    at_ms: int
    by: Actor
    event: AnyEvent
    session: str = ""


read_claim: Final[Callable[[bytes], Noted]] = reader(Noted)


class _Open(Written, frozen=True):
    """A claim that waits for an answer."""

    raised: ClaimRaised
    at_ms: int


class _Said(Written, frozen=True):
    """What was said in a claim: when that was closed (0: not yet), and until when not everybody may erase it."""

    raised: ClaimRaised
    closed_ms: int = 0
    until_ms: int = 0


class _Erased(NamedTuple):
    """Something about a person was erased, by an entry."""

    version: int
    at_ms: int
    by: Actor
    event: people.PersonErased


class ClaimBook:
    """Judges the stream of claims, entry by entry."""

    def __init__(self, register: Register, judge: warrants.Warrants, findings: Findings, counts: Counts) -> None:
        # Where the logs of tables are read; an audit that goes on reads those of its own store.
        self.store: Store | None = None
        self._register = register
        self._warrants = judge
        self._findings = findings
        self._counts = counts
        self._terms: TermsSet | None = None
        self._last = 0
        self._open: dict[int, _Open] = {}
        self._raised: set[tuple[str, str, int]] = set()
        # What was said in claims under terms by which it stays, by its commitment; and what was erased under this head.
        self._said: dict[str, _Said] = {}
        self._erased: list[_Erased] = []

    def __getstate__(self) -> dict[str, object]:
        """All but the store, for an audit that goes on later."""
        return {**self.__dict__, "store": None}

    def entry(self, entry: Entry, has_table: Callable[[str], bool]) -> None:
        """One more entry; *has_table* says whether a table has a log."""
        try:
            noted = read_claim(entry.body)
        except ValueError as error:
            self._findings.of_play(
                Code.UNREADABLE, CLAIMS, entry.version, None, f"an entry of a claim that does not read: {error}"
            )
            return
        event = noted.event
        self._warrants.named |= bool(noted.session)
        match event:
            case TermsSet():
                said = "" if noted.by == _FLOOR else f"{noted.by.name} set the terms of claims, which the floor does"
                self._terms = event
            case ClaimRaised():
                table = event.table if has_table(_TABLE + event.table) else ""
                said = self._of_raised(noted, event, entry.version, table)
            case ClaimAnswered():
                said = self._of_answer(noted, event, entry.version)
            case ClaimWithdrawn():
                said = self._of_withdrawal(noted, event, entry.version)
        round_ = self._round_of(event)
        if said:
            self._findings.of_play(Code.BAD_CLAIM, CLAIMS, entry.version, round_, said)
        self._take(noted)

    def erased(self, version: int, noted: people.Noted) -> None:
        """What was kept about somebody was erased; whether it was said in a claim is judged once a head is read."""
        if isinstance(noted.event, people.PersonErased) and self._said:
            self._erased.append(_Erased(version, noted.at_ms, noted.by, noted.event))

    def reconcile(self) -> None:
        """All entries of a head were read: what was said in a claim was not erased before its time."""
        for erased in self._erased:
            for commitment in erased.event.erased:
                said = self._said.get(commitment)
                why = self._of_erasure(erased, said) if said else ""
                if said and why:
                    self._findings.of_play(Code.BAD_CLAIM, PERSONS, erased.version, said.raised.round, why)
        self._erased.clear()

    def _of_erasure(self, erased: "_Erased", said: "_Said") -> str:
        """What is wrong with the erasure of what was said in a claim."""
        claim, until_ms = said.raised.claim, said.until_ms
        if not said.closed_ms or erased.at_ms + WORD_MS < said.closed_ms:
            return f"what was said in claim {claim} was erased while the claim waited for an answer"
        if not until_ms or erased.at_ms + WORD_MS >= until_ms:
            return ""
        if erased.by == _FLOOR:
            return f"what was said in claim {claim} was erased by nobody of whom it is known who they are"
        if key(erased.by.name) in map(key, self._people_of(said.raised, said.closed_ms)):
            return f"{erased.by.name} had erased what was said in claim {claim}, and had acted in that round"
        return ""

    def close(self) -> None:
        """All entries were read."""
        self._counts.claims_open = len(self._open)

    def _round_of(self, event: AnyEvent) -> int | None:
        if isinstance(event, TermsSet):
            return None
        claim = event if isinstance(event, ClaimRaised) else None
        found = self._open.get(event.claim)
        return claim.round if claim else found.raised.round if found else None

    def _take(self, noted: Noted) -> None:
        match noted.event:
            case ClaimRaised() as raised:
                self._counts.claims += 1
                self._last = max(self._last, raised.claim)
                self._raised.add((raised.patron, raised.table, raised.round))
                self._open[raised.claim] = _Open(raised, noted.at_ms)
                if self._terms is not None and self._terms.words_stay:
                    self._said[raised.words] = _Said(raised)
            case ClaimAnswered(claim, _, reason):
                found = self._open.pop(claim, None)
                self._counts.claims_late += found is not None and noted.at_ms > found.raised.due_ms
                if found is not None and found.raised.words in self._said and self._terms is not None:
                    said = _Said(found.raised, noted.at_ms, noted.at_ms + self._terms.within_ms)
                    self._said[found.raised.words] = self._said[reason] = said
            case ClaimWithdrawn(claim):
                found = self._open.pop(claim, None)
                if found is not None:
                    self._said.pop(found.raised.words, None)

    # Patrons

    def _of_raised(self, noted: Noted, event: ClaimRaised, version: int, table: str) -> str:
        """What is wrong with a claim as it was raised."""
        if noted.by != Actor(event.patron, Position.PATRON):
            return f"{noted.by.name}, {noted.by.position.value}, raised a claim of {event.patron}"
        if event.claim != self._last + 1:
            return f"claim {event.claim} came after claim {self._last}"
        if (event.patron, event.table, event.round) in self._raised:
            return f"{event.patron} claimed twice about one round"
        if self._terms is None or event.due_ms != noted.at_ms + self._terms.answered_ms:
            return f"claim {event.claim} is due at a time that the terms in force do not give"
        if self._register.began:
            self._warrants.patron((CLAIMS, version, event.round), event.patron, noted.at_ms)
        if not table:
            return f"claim {event.claim} is about a table that never was"
        return self._of_round(noted, event, self._terms.within_ms)

    def _of_round(self, noted: Noted, event: ClaimRaised, within_ms: int) -> str:
        """What is wrong with the round that a claim is about, or with the patron there."""
        opening = next(self._steps(event.table, event.opened), None)
        opened = opening[1].event if opening else None
        if opening is None or not isinstance(opened, tables.BetsOpened) or opened.round != event.round:
            return f"claim {event.claim} is about round {event.round}, which did not begin there"
        if opened.shoe != event.shoe:
            return f"claim {event.claim} names shoe {event.shoe}, and the round was played from shoe {opened.shoe}"
        logged = opening[1]
        if (logged.given_ms or logged.at_ms) > noted.at_ms + WORD_MS:
            return f"claim {event.claim} was raised before its round was played"
        if noted.at_ms - logged.at_ms > within_ms:
            return f"claim {event.claim} was raised after the time for that was over"
        wager = next(self._steps(event.table, event.wager), None)
        placed = wager[1].event if wager else None
        if not isinstance(placed, tables.WagerPlaced | tables.LateWager) or placed.patron != event.patron:
            return f"claim {event.claim} is of {event.patron}, who has no wager there"
        if self._rounds_between(event) not in range(_ROUNDS_BEFORE + 1):
            return f"claim {event.claim} is of {event.patron}, whose wager is of another round"
        return ""

    def _rounds_between(self, event: ClaimRaised) -> int:
        """How many rounds before the one that is claimed about the wager was made; below zero where it came later."""
        first, last = sorted((event.opened, event.wager))
        between = takewhile(lambda step: step[0] <= last, self._steps(event.table, first + 1))
        count = 0
        for _, logged in between:
            count += isinstance(logged.event, tables.BetsOpened)
            if count > _ROUNDS_BEFORE:
                break
        return count if event.wager < event.opened else -count

    def _of_withdrawal(self, noted: Noted, event: ClaimWithdrawn, version: int) -> str:
        found = self._open.get(event.claim)
        if found is None:
            return f"claim {event.claim} was withdrawn, and was not open"
        if noted.by != Actor(found.raised.patron, Position.PATRON):
            return f"{noted.by.name}, {noted.by.position.value}, withdrew a claim of {found.raised.patron}"
        if self._register.began:
            self._warrants.patron((CLAIMS, version, found.raised.round), noted.by.name, noted.at_ms)
        return ""

    # Staff

    def _of_answer(self, noted: Noted, event: ClaimAnswered, version: int) -> str:
        """What is wrong with an answer."""
        found, by = self._open.get(event.claim), noted.by
        if found is None:
            return f"claim {event.claim} was answered, and was not open"
        raised = found.raised
        if by.position not in _STAFF or _STAFF.index(by.position) < _STAFF.index(Position.PIT_SUPERVISOR):
            return f"{by.name}, {by.position.value}, answered claim {event.claim}: that takes a Pit Supervisor"
        if self._register.began:
            where = CLAIMS, version, raised.round
            claim = warrants.Claim(by, noted.session, self._warrants.moment(noted.at_ms), where)
            self._warrants.person(claim)
            self._warrants.proof(claim)
        if key(by.name) in map(key, self._people_of(raised, noted.at_ms - WORD_MS)):
            return f"{by.name} answered claim {event.claim}, and had acted in that round"
        if event.correction and not self._is_corrected(found, event.correction, noted.at_ms):
            return f"claim {event.claim} was made good by entry {event.correction} of its table, which corrects nothing"
        return ""

    def _people_of(self, raised: ClaimRaised, until_ms: int) -> Iterator[str]:
        """Who on the staff had a part in a round, up to a time."""
        after = 0
        for version, logged in self._steps(raised.table, raised.opened):
            event = logged.event
            if isinstance(event, tables.BetsOpened) and version > raised.opened and not after:
                after = version
            if after and version > after + _AFTER:
                return
            about = isinstance(event, matters.Ruled | matters.Referred) and event.round == raised.round
            if (not after or about) and (logged.given_ms or logged.at_ms) <= until_ms:
                yield from _names(logged)

    def _is_corrected(self, found: _Open, entry: int, until_ms: int) -> bool:
        """Whether an entry of the table's log put the patron's credits right between the claim and a time."""
        step = next(self._steps(found.raised.table, entry), None)
        if step is None or not isinstance(step[1].event, tables.CreditsCorrected):
            return False
        logged = step[1]
        in_time = found.at_ms <= logged.at_ms and (logged.given_ms or logged.at_ms) <= until_ms + WORD_MS
        return in_time and step[1].event.patron == found.raised.patron

    def _steps(self, table: str, version: int) -> Iterator[tuple[int, matters.Logged]]:
        """The entries of a table's log from a version on, as far as they read: what does not is told elsewhere."""
        assert self.store is not None, "an audit says which store it reads"
        for entry in self.store.read(_TABLE + table, version - 1):
            try:
                yield entry.version, matters.read_logged(entry.body)
            except ValueError:
                return


def _names(logged: matters.Logged) -> Iterator[str]:
    """The members of staff behind an entry of a table's log."""
    event = logged.event
    seconds = (getattr(event, "confirmed_by", None), getattr(event, "approved_by", None))
    for actor in (logged.by, *seconds):
        if isinstance(actor, Actor) and actor.position in _STAFF and actor not in warrants.OWN:
            yield actor.name
    if isinstance(event, matters.Referred | matters.ReportKept) and event.by:
        yield event.by
