"""Claims: a patron disputes a round, and staff answer in time. What is wished is judged, written, and then told."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import structlog

from punto.errors import (
    ClaimExists,
    ClaimTooLate,
    Conflict,
    IdInUse,
    NoSuchClaim,
    NotAllowed,
    PuntoError,
    Refusal,
    StaleVersion,
    TooManyClaims,
)
from punto.rules import Position
from punto.server.claims import events as on
from punto.server.claims import words
from punto.server.claims.book import Book, Claim
from punto.server.claims.disputes import disputes_among
from punto.server.claims.events import CLAIMS, AnyEvent, ClaimAbout, Noted, read, write
from punto.server.claims.presence import AtRound
from punto.server.faces.state import ENCODER
from punto.server.identity import authority
from punto.server.identity.erasing import Disputes
from punto.server.identity.limits import Limiter, Rate
from punto.server.identity.people import key
from punto.server.orders import HOUR_MS, ClaimTerms
from punto.server.patience import Errand, patiently
from punto.server.wire import tells
from punto.store import chain
from punto.store.contract import Tip
from punto.table import Actor

if TYPE_CHECKING:
    from punto.server.connection import Connection
    from punto.server.hall import Hall
    from punto.server.identity.gate import Gate

# The longest text of a claim, and of an answer.
LONGEST: Final = 500
# How many claims of one patron, and of all, may wait for an answer.
MOST_OPEN: Final = 5
_MOST_OF_ALL: Final = 1_000
# How many a patron is told of, and how many staff see in the queue and in the list.
_TOLD: Final = 20
_QUEUED: Final = 100
_LISTED: Final = 50
_WISHES: Final = Rate(6, 6)
_TRIES: Final = 10
_LOOK_S: Final = 2.0
_FLOOR: Final = Actor("floor", Position.SYSTEM)


class Raising(NamedTuple):
    """What a patron claims; *id* is the terminal's own."""

    table: str
    round: int
    about: ClaimAbout
    words: str
    id: str


class Spoken(NamedTuple):
    """A claim with what was said in it; none of what was erased."""

    claim: Claim
    words: str | None
    reason: str | None


class _Wish(NamedTuple):
    """Somebody wishes something: judged with the commitment to the words, which is empty as long as none is kept."""

    by: Actor
    session: str
    decide: Callable[[int, str], Sequence[AnyEvent]]
    about: str = ""
    text: str = ""


class Claims:
    """One for each hall, on the event loop."""

    def __init__(self, hall: "Hall") -> None:
        self._hall = hall
        self.terms = ClaimTerms()
        # Looks once more, on the thread that writes, whether somebody is still let in.
        self.gate: Gate | None = None
        self.book = Book()
        self._end = chain.start(CLAIMS)
        self._turn = asyncio.Lock()
        self._limiter = Limiter(_WISHES)
        self._looking: asyncio.Task[None] | None = None
        # The overdue claims that the log has named.
        self._named: set[int] = set()
        self._log = structlog.get_logger("punto.claims")

    # The beginning and the end

    async def begin(self) -> None:
        """Read what is on record, and look after claims from now on; a damaged stream keeps no floor from opening."""
        await self.look()
        self._looking = asyncio.get_running_loop().create_task(self._watch())

    def end(self) -> None:
        """Look no longer."""
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_S)
            try:
                await self.look()
            except RuntimeError:  # the floor is closing
                return

    async def look(self) -> None:
        """Read what other floors on the same store wrote, and name what is overdue, once."""
        try:
            await self.catch_up()
        except PuntoError:  # the store is away, or the stream is stopped: others say so
            return
        for claim in self.book.overdue(self._hall.now_ms()):
            if claim.number not in self._named:
                self._named.add(claim.number)
                self._log.warning("a claim is overdue", claim=claim.number, table=claim.table, round=claim.round)
                self._tell_staff(claim)
        self._named &= {claim.number for claim in self.book.open()}

    async def catch_up(self) -> None:
        """Read what was written since."""
        async with self._turn:
            await self._catch_up()

    async def refresh(self) -> None:
        """The same for whoever waits only for a while."""
        await patiently(asyncio.get_running_loop().create_task(self.catch_up()), Errand())

    async def _catch_up(self) -> None:
        self._apply(await self._hall.writer.call(self._fresh))

    def _fresh(self) -> list[tuple[Noted, Tip]]:
        """On the writing thread: what is signed in the store and not yet here."""
        floor = self._hall.writer.floor
        floor.look_over((CLAIMS,))
        entries = floor.history.read(CLAIMS, self._end.version)
        return [(read(entry.body), Tip(entry.version, entry.hash)) for entry in entries]

    # What patrons wish

    def check_rate(self, patron: str) -> None:
        """Refuse a patron who wishes too much at once."""
        self._limiter.take(patron, self._hall.now_ms())

    def asked_before(self, patron: str, raising: Raising) -> Claim | None:
        """The claim that a terminal raised under the same id, whose answer was lost."""
        before = self.book.about(patron, raising.table, raising.round)
        if before is None or not raising.id or before.asked != raising.id:
            return None
        if before.about is not raising.about:
            raise IdInUse("this id belongs to another claim: nothing was done")
        return before

    async def raise_claim(self, patron: Actor, raising: Raising, at: AtRound) -> Claim:
        """Raise a claim about a round at which the patron was."""

        def decide(at_ms: int, kept: str) -> list[AnyEvent]:
            self._check_room(patron.name, raising)
            terms = self.terms
            if at_ms - at.opened_ms > terms.within_ms:
                hours = terms.within_ms // HOUR_MS
                raise ClaimTooLate(f"the round was played more than {hours} hours ago: a claim about it is too late")
            raised = on.ClaimRaised(
                claim=self.book.last + 1,
                patron=patron.name,
                table=raising.table,
                round=raising.round,
                shoe=at.shoe,
                opened=at.opened,
                wager=at.wager,
                about=raising.about,
                words=kept,
                due_ms=at_ms + terms.answered_ms,
                asked=raising.id,
            )
            ordered = on.TermsSet(terms.within_ms, terms.answered_ms, words_stay=True)
            return [raised] if self.book.terms == ordered else [ordered, raised]

        await self._write(_Wish(patron, "", decide, patron.name, raising.words))
        claim = self.book.about(patron.name, raising.table, raising.round)
        assert claim, "what was written is in the book"
        return claim

    def _check_room(self, patron: str, raising: Raising) -> None:
        before = self.book.about(patron, raising.table, raising.round)
        if before is not None:
            raise ClaimExists(f"you have raised a claim about this round before: number {before.number}")
        if self.book.open_of(patron) >= MOST_OPEN:
            raise TooManyClaims(f"{MOST_OPEN} claims of yours wait for an answer: more cannot be open at once")
        if self.book.waiting >= _MOST_OF_ALL:
            raise TooManyClaims("too many claims wait for an answer on this floor: try again later, or ask the staff")

    async def withdraw(self, patron: Actor, number: int) -> Claim:
        """Withdraw one's own claim."""

        def decide(_: int, __: str) -> list[AnyEvent]:
            self.own(patron, number)
            self.book.find_open(number)
            return [on.ClaimWithdrawn(number)]

        await self._write(_Wish(patron, "", decide))
        return self.book.find(number)

    def own(self, patron: Actor, number: int) -> Claim:
        """A patron's own claim; of others nobody learns here whether they exist."""
        claim = self.book.find(number)
        if claim.patron != patron.name:
            raise NoSuchClaim(f"there is no claim {number} of yours")
        return claim

    # What staff wish

    async def answer(self, by: Actor, session: str, number: int, event: on.ClaimAnswered, reason: str) -> Claim:
        """Answer a claim, for good; whether somebody may is judged before, but for the position."""

        def decide(_: int, kept: str) -> list[AnyEvent]:
            authority.check(by.position, authority.CLAIMS, "answer claims")
            self.book.find_open(number)
            return [on.ClaimAnswered(number, event.upheld, kept, event.correction)]

        await self._write(_Wish(by, session, decide, self.book.find_open(number).patron, reason))
        return self.book.find(number)

    # What was said

    async def spoken(self, claims: Sequence[Claim]) -> list[Spoken]:
        """Claims with what was said in them."""
        if not claims:
            return []
        writer = self._hall.writer
        said = await writer.ask(words.read, writer.floor, claims)
        return [Spoken(claim, *each) for claim, each in zip(claims, said, strict=True)]

    def of(self, patron: str) -> list[Claim]:
        """The newest claims of a patron."""
        return self.book.of(patron)[:_TOLD]

    def listed(self) -> list[Claim]:
        """The open claims, the most urgent first, and then those that were closed last."""
        closed = sorted((each for each in self.book.newest() if not each.is_open), key=lambda each: -each.closed_ms)
        return [*self.book.open(), *closed[:_LISTED]]

    async def disputes(self, name: str) -> Disputes:
        """What was said in claims of whoever has that name, however it is written, and must not be erased yet."""
        await self.refresh()
        claims = [claim for claim in self.book.newest() if key(claim.patron) == key(name)]
        return disputes_among(self._hall.writer.floor, claims, self._hall.now_ms())

    # Writing

    async def _write(self, wish: _Wish) -> None:
        """Make durable what a wish leads to. Whoever waits for a store that hangs is told so after a while."""
        errand = Errand()
        writing = asyncio.get_running_loop().create_task(self._written(wish, errand))
        await patiently(writing, errand)

    async def _written(self, wish: _Wish, errand: Errand) -> None:
        writer, kept = self._hall.writer, ""
        async with self._turn:
            for _ in range(_TRIES):
                at_ms = self._hall.now_ms()
                wish.decide(at_ms, kept)  # what is refused is not kept
                if wish.text and not kept:
                    kept = await writer.call(words.keep, writer.floor, wish.about, wish.text, errand=errand)
                noted = [self._noted(wish, event, at_ms) for event in wish.decide(at_ms, kept)]
                try:
                    end = await writer.call(self._note, noted, at_ms, errand=errand)
                except StaleVersion:
                    await self._catch_up()
                    continue
                except (NotAllowed, Refusal):  # what is not on record is not kept either
                    if kept:
                        await writer.call(writer.floor.personal.erase_these, (kept,))
                    raise
                self._apply([(each, end) for each in noted])
                return
        raise Conflict(f"other floors wrote {_TRIES} times meanwhile: nothing was changed, try again")

    @staticmethod
    def _noted(wish: _Wish, event: AnyEvent, at_ms: int) -> Noted:
        by_floor = isinstance(event, on.TermsSet)
        return Noted(at_ms, _FLOOR if by_floor else wish.by, event, "" if by_floor else wish.session)

    def _note(self, noted: list[Noted], at_ms: int) -> Tip:
        """On the writing thread."""
        by, session = noted[-1].by, noted[-1].session
        if self.gate is not None:
            self.gate.admit(by, session, at_ms)
        entries = [(CLAIMS, write(each)) for each in noted]
        return self._hall.writer.floor.note(entries, {CLAIMS: self._end.version}, at_ms)[CLAIMS]

    def _apply(self, fresh: Iterable[tuple[Noted, Tip]]) -> None:
        """What is durable is so, and everybody concerned is told."""
        changed: dict[int, Claim] = {}
        for noted, end in fresh:
            self._end = end
            claim = self.book.evolve(noted)
            if claim is not None:
                changed[claim.number] = claim
        for claim in changed.values():
            self._tell_patron(claim.patron)
            self._tell_staff(claim)

    # Telling

    def greet(self, page: "Connection") -> None:
        """Tell a patron's page of the patron's claims."""
        if page.patron is not None and self.of(page.patron.name):
            page.tell(self._of_patron(page.patron.name))

    def show(self, page: "Connection") -> None:
        """Tell a page that watches the floor which claims wait, if that is for whoever is behind it."""
        page.tell(self._queue() if _may_see(page) else _NO_QUEUE)

    def _tell_patron(self, patron: str) -> None:
        message = self._of_patron(patron)
        for page in self._hall.visitors.pages(patron):
            page.tell(message)

    def _tell_staff(self, claim: Claim) -> None:
        watchers = [page for page in self._hall.watchers if _may_see(page)]
        if watchers:
            message = self._queue()
            for page in watchers:
                page.tell(message)
        hosted = self._hall.tables.get(claim.table)
        if hosted is not None:
            hosted.tell_staff()

    def _of_patron(self, patron: str) -> bytes:
        at_ms = self._hall.now_ms()
        claims = tuple(
            tells.OwnClaim(
                claim=each.number,
                table=each.table,
                round=each.round,
                shoe=each.shoe,
                about=each.about.value,
                outcome=each.outcome.value,
                remaining_ms=each.due_ms - at_ms if each.is_open else None,
            )
            for each in self.of(patron)
        )
        return ENCODER.encode(tells.ToldClaims(claims))

    def _queue(self) -> bytes:
        at_ms = self._hall.now_ms()
        claims = tuple(
            tells.QueuedClaim(
                claim=each.number,
                patron=each.patron,
                table=each.table,
                round=each.round,
                shoe=each.shoe,
                about=each.about.value,
                remaining_ms=each.due_ms - at_ms,
            )
            for each in self.book.open()[:_QUEUED]
        )
        return ENCODER.encode(tells.ToldClaimQueue(claims, self.book.waiting, len(self.book.overdue(at_ms))))


_NO_QUEUE: Final = ENCODER.encode(tells.ToldClaimQueue((), 0, 0))


def _may_see(page: "Connection") -> bool:
    return page.staff is not None and authority.is_at_least(page.staff.position, authority.CLAIMS)
