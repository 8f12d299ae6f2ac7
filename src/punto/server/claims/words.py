"""What was said in claims, as it is kept: the one place where it is written, and the one where it is read.

It is about the patron who raised the claim, also what staff have answered, and is erased with whatever else is kept
about that person.
"""

from collections.abc import Iterable

from punto.floor import Floor
from punto.floor.personal import KeptKind
from punto.server.claims.book import Claim


def keep(floor: Floor, patron: str, text: str) -> str:
    """On the writing thread: keep words of a claim, durably; the commitment to them."""
    return floor.personal.keep(patron, text, KeptKind.CLAIM)


def read(floor: Floor, claims: Iterable[Claim]) -> list[tuple[str | None, str | None]]:
    """On the writing thread: what patrons said and staff answered; none of what was erased, nothing of what is not."""
    return [
        (
            floor.personal.read(claim.patron, claim.words),
            floor.personal.read(claim.patron, claim.reason) if claim.reason else "",
        )
        for claim in claims
    ]
