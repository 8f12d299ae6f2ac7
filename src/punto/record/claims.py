"""Claims of patrons as a store has them, for whoever lists them; the audit judges them elsewhere."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from punto.record.checks.claims import CLAIMS, ClaimAnswered, ClaimRaised, ClaimWithdrawn, read_claim
from punto.record.entries import does_not_read, entries_of
from punto.store import Store

OPEN = "open"


class ListedClaim(Struct, frozen=True):
    """A claim and what became of it; *by* is who answered, *correction* the entry of the table's log that paid."""

    claim: int
    patron: str
    table: str
    round: int
    shoe: int
    about: str
    raised_ms: int
    due_ms: int
    outcome: str = OPEN
    closed_ms: int = 0
    by: str = ""
    correction: int = 0

    @property
    def is_late(self) -> bool:
        """Whether it was answered after it was due."""
        return bool(self.by) and self.closed_ms > self.due_ms


def claims_of(store: Store) -> list[ListedClaim]:
    """Every claim of a store, by number."""
    found: dict[int, ListedClaim] = {}
    for claim in _changes(store, found):
        found[claim.claim] = claim
    return [found[number] for number in sorted(found)]


def _changes(store: Store, found: dict[int, ListedClaim]) -> Iterator[ListedClaim]:
    for entry in entries_of(store, CLAIMS):
        try:
            noted = read_claim(entry.body)
        except ValueError as error:
            raise does_not_read(entry, error) from None
        at_ms, event = noted.at_ms, noted.event
        match event:
            case ClaimRaised():
                yield ListedClaim(
                    event.claim,
                    event.patron,
                    event.table,
                    event.round,
                    event.shoe,
                    event.about,
                    at_ms,
                    event.due_ms,
                )
            case ClaimAnswered(number, upheld) if number in found:
                outcome = "upheld" if upheld else "rejected"
                closed = replace(found[number], outcome=outcome, closed_ms=at_ms, by=noted.by.name)
                yield replace(closed, correction=event.correction)
            case ClaimWithdrawn(number) if number in found:
                yield replace(found[number], outcome="withdrawn", closed_ms=at_ms)
