"""What was said in claims, as long as it must not be erased: before an answer by nobody, then by nobody concerned."""

from collections.abc import Iterable, Iterator

from punto.errors import PuntoError
from punto.floor import Floor
from punto.server.claims.book import Book, Claim, ClaimOutcome
from punto.server.claims.events import CLAIMS, read
from punto.server.claims.presence import staff_at
from punto.server.identity.erasing import Disputed, Disputes
from punto.server.identity.people import key


def disputes_among(floor: Floor, claims: Iterable[Claim], at_ms: int) -> Disputes:
    """What was said in these claims; after an answer it matters for as long as claims may be raised."""
    by_patron: dict[str, list[Claim]] = {}
    for claim in claims:
        by_patron.setdefault(key(claim.patron), []).append(claim)

    def of(person: str) -> list[Disputed]:
        return list(_disputed(floor, by_patron.get(key(person), ()), at_ms))

    return of


def disputes_on_record(floor: Floor, at_ms: int) -> Disputes:
    """The same of all claims on record, for whoever has the machine."""
    floor.look_over((CLAIMS,))
    book = Book()
    for entry in floor.history.read(CLAIMS):
        book.evolve(read(entry.body))
    return disputes_among(floor, book.newest(), at_ms)


def _disputed(floor: Floor, claims: Iterable[Claim], at_ms: int) -> Iterator[Disputed]:
    for claim in claims:
        said = frozenset(filter(None, (claim.words, claim.reason)))
        if claim.is_open:
            yield Disputed(said, is_open=True, until_ms=claim.due_ms)
        elif claim.outcome is not ClaimOutcome.WITHDRAWN and claim.until_ms > at_ms:
            yield Disputed(said, is_open=False, until_ms=claim.until_ms, people=_people(floor, claim))


def _people(floor: Floor, claim: Claim) -> frozenset[str] | None:
    """Who on the staff had a part in the round of a claim, if its table's log reads."""
    try:
        return staff_at(floor.history.believed, claim.table, claim.opened)
    except (PuntoError, ValueError, StopIteration):
        return None
