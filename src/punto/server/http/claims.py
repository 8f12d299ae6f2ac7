"""Claims about rounds: patrons raise and withdraw them at their terminals, staff read and answer them."""

from typing import Annotated

from litestar import get, post
from litestar.handlers import BaseRouteHandler
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from punto.errors import Malformed, NoSuchCorrection, NotSignedIn, OwnAct
from punto.floor.handler import TABLE
from punto.rules import Position
from punto.rules.money import Cents
from punto.server.claims import LONGEST, Claim, ClaimAbout, ClaimOutcome, Claims, Raising, Spoken
from punto.server.claims import events as on
from punto.server.claims.presence import Correction, corrections_since, is_correction, patron_at, staff_at
from punto.server.http.asking import Ask, Asking, office_of, patron_of, scope_of, server_of
from punto.server.http.problems import documented
from punto.server.identity import Session, authority
from punto.server.identity.people import key
from punto.table import Actor

_Id = Annotated[str, Meta(max_length=64, pattern=r"^[A-Za-z0-9._-]*$")]
_Words = Annotated[str, Meta(min_length=1, max_length=LONGEST)]
_ASKED = (401, 404, 409, 429, 503)
_OF_STAFF = (401, 403, 404, 409, 429, 503)


class NewClaim(Struct, frozen=True, forbid_unknown_fields=True):
    """What a patron disputes about a round; its *id*, if it has one, makes it harmless to ask twice."""

    about: ClaimAbout
    words: _Words
    id: _Id = ""


class NewAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """What staff answer: whether the patron is right, and why.

    *correction* is the entry of the table's log with which credits were put right since, 0 where none were.
    """

    upheld: bool
    reason: _Words
    correction: Annotated[int, Meta(ge=0, le=2**53)] = 0


class ToldClaim(Struct, frozen=True):
    """A claim and how it stands. *words* and *reason* are none where they were erased; *position* is who answered."""

    claim: int
    table: str
    round: int
    shoe: int
    about: ClaimAbout
    outcome: ClaimOutcome
    raised_ms: int
    due_ms: int
    closed_ms: int
    words: str | None
    reason: str | None
    position: Position | None
    corrected: bool


class ListedClaim(Struct, frozen=True):
    """A claim as staff see it in a list; *by* is who answered."""

    claim: int
    patron: str
    table: str
    round: int
    shoe: int
    about: ClaimAbout
    outcome: ClaimOutcome
    raised_ms: int
    due_ms: int
    closed_ms: int
    by: str


class ToldCorrection(Struct, frozen=True):
    """A correction of the patron's credits since the claim was raised, by its entry in the table's log."""

    entry: int
    at_ms: int
    cents: Cents


class OpenedClaim(Struct, frozen=True):
    """A claim as whoever may answer it reads it; *own_act* where the reader acted in the round, and may not."""

    claim: ListedClaim
    words: str | None
    reason: str | None
    correction: int
    corrections: tuple[ToldCorrection, ...]
    own_act: bool


def patrons_only(connection: Asking, _: BaseRouteHandler) -> None:
    """Refuse, before the body is read, whoever is not at a terminal."""
    _need_patron(connection)


def answerers_only(connection: Asking, _: BaseRouteHandler) -> None:
    """Refuse, before the body is read, whoever may not answer claims."""
    _need_staff(connection)


# Patrons


@post(
    "/api/tables/{key:str}/rounds/{number:int}/claims",
    status_code=200,
    guards=[patrons_only],
    responses=documented(400, 413, *_ASKED),
)
async def raise_claim(request: Ask, key: FromPath[str], number: FromPath[int], data: JSONBody[NewClaim]) -> ToldClaim:
    """Dispute a round in which one has played; staff answer in time."""
    patron, claims = _need_patron(request), _claims(request)
    hosted = server_of(request).hall.find(key)
    claims.check_rate(patron.name)
    raising = Raising(hosted.key, number, data.about, plain(data.words), data.id)
    claim = claims.asked_before(patron.name, raising)
    if claim is None:
        at = await office_of(request).read_far(request, patron_at, hosted.key, number, patron.name)
        claim = await claims.raise_claim(patron, raising, at)
    return await _told(claims, claim)


@get("/api/claims/own", responses=documented(429, 503))
async def own_claims(request: Ask) -> list[ToldClaim]:
    """The newest claims of the patron who asks, with their answers; nobody else has any."""
    patron, claims = patron_of(request), _claims(request)
    return [] if patron is None else [_as_own(each) for each in await claims.spoken(claims.of(patron.name))]


@post("/api/claims/{claim:int}/withdrawal", status_code=200, guards=[patrons_only], responses=documented(400, *_ASKED))
async def withdraw(request: Ask, claim: FromPath[int]) -> ToldClaim:
    """Withdraw one's own claim, for good."""
    patron, claims = _need_patron(request), _claims(request)
    claims.check_rate(patron.name)
    return await _told(claims, await claims.withdraw(patron, claim))


# Staff


@get("/api/claims", sync_to_thread=False, guards=[answerers_only], responses=documented(401, 403))
def listed_claims(request: Ask) -> list[ListedClaim]:
    """The claims that wait, the most urgent first, then those closed last (pit supervisors and above)."""
    return [_listed(each) for each in _claims(request).listed()]


@get("/api/claims/{claim:int}", guards=[answerers_only], responses=documented(400, *_OF_STAFF))
async def opened_claim(request: Ask, claim: FromPath[int]) -> OpenedClaim:
    """A claim, what the patron says, and whether whoever asks may answer it (pit supervisors and above)."""
    (by, _), claims = _need_staff(request), _claims(request)
    await claims.refresh()
    found = claims.book.find(claim)
    own_act = await _is_own_act(request, by, found)
    corrections: list[Correction] = []
    if found.is_open:
        about = found.table, found.patron, found.raised_ms, _end_of(request, found.table)
        corrections = await office_of(request).read(request, corrections_since, *about)
    [spoken] = await claims.spoken([found])
    return OpenedClaim(
        _listed(found),
        spoken.words,
        spoken.reason,
        found.correction,
        tuple(ToldCorrection(*each) for each in corrections),
        own_act,
    )


@post(
    "/api/claims/{claim:int}/answer",
    status_code=200,
    guards=[answerers_only],
    responses=documented(400, 413, *_OF_STAFF),
)
async def answer(request: Ask, claim: FromPath[int], data: JSONBody[NewAnswer]) -> ListedClaim:
    """Answer a claim, for good (pit supervisors and above, but nobody who acted in that round)."""
    (by, session), claims = _need_staff(request), _claims(request)
    await claims.refresh()
    found, office = claims.book.find_open(claim), office_of(request)
    if await _is_own_act(request, by, found):
        raise OwnAct(f"you acted yourself in round {found.round} of table {found.table}: somebody else answers")
    if data.correction:
        about = found.table, data.correction, found.patron, found.raised_ms
        if not await office.read(request, is_correction, *about):
            raise NoSuchCorrection(
                f"entry {data.correction} of table {found.table} corrects no credits of this patron since the claim"
            )
    event = on.ClaimAnswered(claim, data.upheld, "", data.correction)
    return _listed(await claims.answer(by, session.id, claim, event, plain(data.reason)))


def plain(text: str) -> str:
    r"""Words as they are kept: without what cannot be seen.

    >>> plain("  the third card\r\nwas \x07red ")
    'the third card\nwas red'
    """
    lines = ("".join(sign for sign in line if sign.isprintable()).strip() for line in text.splitlines())
    found = "\n".join(lines).strip()
    if not found:
        raise Malformed(f"words: expected 1 to {LONGEST} characters that can be seen")
    return found


def _claims(request: Ask) -> Claims:
    return server_of(request).hall.claims


def _need_patron(request: Asking) -> Actor:
    patron = patron_of(request)
    if patron is None:
        raise NotSignedIn("only a patron at a terminal raises claims")
    return patron


def _need_staff(request: Asking) -> tuple[Actor, Session]:
    """Whoever may answer claims, and the session."""
    identity = server_of(request).identity
    session = identity.signed_in(scope_of(request))
    by = identity.acts_as(session)
    authority.check(by.position if by else None, authority.CLAIMS, "see claims or answer them")
    assert by is not None, "a position was just looked at"
    return by, session


async def _is_own_act(request: Ask, by: Actor, claim: Claim) -> bool:
    """Whether somebody would judge their own act: in the round, or at the very terminal that raised the claim."""
    patron = patron_of(request)
    if patron is not None and patron.name == claim.patron:
        return True
    return key(by.name) in await office_of(request).read_far(request, staff_at, claim.table, claim.opened)


def _end_of(request: Ask, table: str) -> int:
    return server_of(request).hall.writer.floor.history.end(TABLE + table).version


async def _told(claims: Claims, claim: Claim) -> ToldClaim:
    [spoken] = await claims.spoken([claim])
    return _as_own(spoken)


def _as_own(spoken: Spoken) -> ToldClaim:
    claim = spoken.claim
    return ToldClaim(
        claim=claim.number,
        table=claim.table,
        round=claim.round,
        shoe=claim.shoe,
        about=claim.about,
        outcome=claim.outcome,
        raised_ms=claim.raised_ms,
        due_ms=claim.due_ms,
        closed_ms=claim.closed_ms,
        words=spoken.words,
        reason=spoken.reason,
        position=claim.by.position if claim.by and claim.reason else None,
        corrected=bool(claim.correction),
    )


def _listed(claim: Claim) -> ListedClaim:
    return ListedClaim(
        claim=claim.number,
        patron=claim.patron,
        table=claim.table,
        round=claim.round,
        shoe=claim.shoe,
        about=claim.about,
        outcome=claim.outcome,
        raised_ms=claim.raised_ms,
        due_ms=claim.due_ms,
        closed_ms=claim.closed_ms,
        by=claim.by.name if claim.by and claim.reason else "",
    )
