"""Who was at a round, by what is on record: the patron who claims, and the staff who dealt it or decided something."""

from collections.abc import Iterable, Iterator
from itertools import chain, takewhile
from typing import Any, Final, NamedTuple

from punto.errors import NotAtRound
from punto.record.rounds import Step, steps_of
from punto.record.seeking import opening_of
from punto.rules import HIGHER_RANKS, RANKS
from punto.rules.money import Cents
from punto.server.identity.people import key
from punto.store import Store

# A stake that is refused leaves nothing on record: it is enough to have played so many rounds before.
ROUNDS_BEFORE: Final = 2
# So many entries after a round are searched for rulings about it.
_AFTER: Final = 1_000
# So many of the last entries of a table are searched for corrections.
_SEARCHED: Final = 5_000
_OPENED: Final = "bets-opened"
_WAGERS: Final = frozenset({"wager-placed", "late-wager"})
_STAFF: Final = frozenset(position.value for position in (*RANKS, *HIGHER_RANKS))
# Those of no person: the floor, the clock, the automatic dealer, and who opens tables by the file.
_NOBODY: Final = frozenset({"floor", "clock", "automatic dealer", "house", "import"})
_SECOND: Final = ("confirmed_by", "approved_by")


class AtRound(NamedTuple):
    """A round at which a patron was: the entries that say so, its shoe, and when its bets were opened."""

    opened: int
    wager: int
    shoe: int
    opened_ms: int


class Correction(NamedTuple):
    """A correction of a patron's credits: the entry of the table's log, when, and how much."""

    entry: int
    at_ms: int
    cents: Cents


def patron_at(store: Store, table: str, number: int, patron: str) -> AtRound:
    """Where the record shows that a patron played in a round, or not long before it."""
    opening = opening_of(store, table, number)
    wager = next((step for step in _of_round(store, table, opening) if _is_wager_of(step, patron)), None)
    if wager is None:
        first = opening_of(store, table, max(1, number - ROUNDS_BEFORE))
        before = takewhile(lambda step: step.version < opening.version, steps_of(store, table, first.version))
        wager = next((step for step in before if _is_wager_of(step, patron)), None)
    if wager is None:
        raise NotAtRound(f"you have wagered neither in round {number} of this table nor in the two before it")
    return AtRound(opening.version, wager.version, opening.event["shoe"], opening.at_ms)


def staff_at(store: Store, table: str, opened: int) -> frozenset[str]:
    """Who on the staff gave or confirmed a command in the round that began with an entry, or ruled about it later."""
    steps = steps_of(store, table, opened - 1)
    opening = next(steps)
    number = opening.event["round"]
    within = list(takewhile(lambda step: step.type != _OPENED, steps))
    end = opened + len(within)
    later = takewhile(lambda step: step.version <= end + _AFTER, steps_of(store, table, end))
    ruled = (step for step in later if step.event.get("round") == number and step.type in ("ruled", "referred"))
    return frozenset(map(key, chain.from_iterable(map(_people, chain((opening,), within, ruled)))))


def corrections_since(store: Store, table: str, patron: str, since_ms: int, end: int) -> list[Correction]:
    """How a patron's credits were put right at a table since a time, the newest last, among its last entries."""
    mark, after = b'"credits-corrected"', max(0, end - _SEARCHED)
    bodies = (entry for entry in store.read(f"table/{table}", after) if mark in entry.body)
    steps = (next(steps_of(store, table, entry.version - 1)) for entry in bodies)
    return [_told(step) for step in steps if _is_correction_of(step, patron, since_ms)]


def is_correction(store: Store, table: str, entry: int, patron: str, since_ms: int) -> bool:
    """Whether an entry of a table's log has put a patron's credits right since a time."""
    found = next(steps_of(store, table, entry - 1), None) if entry > 0 else None
    return found is not None and _is_correction_of(found, patron, since_ms)


def _of_round(store: Store, table: str, opening: Step) -> Iterator[Step]:
    return takewhile(lambda step: step.type != _OPENED, steps_of(store, table, opening.version))


def _is_wager_of(step: Step, patron: str) -> bool:
    return step.type in _WAGERS and step.event.get("patron") == patron


def _is_correction_of(step: Step, patron: str, since_ms: int) -> bool:
    return step.type == "credits-corrected" and step.event["patron"] == patron and step.at_ms >= since_ms


def _told(step: Step) -> Correction:
    return Correction(step.version, step.at_ms, Cents(step.event["cents"]))


def _people(step: Step) -> Iterable[str]:
    """The members of staff behind a step."""
    actors: list[dict[str, Any]] = [step.by]
    actors += [second for name in _SECOND if isinstance(second := step.event.get(name), dict)]
    yield from (each["name"] for each in actors if each["position"] in _STAFF and each["name"] not in _NOBODY)
    if step.type in ("referred", "report-kept") and step.event.get("by"):
        yield str(step.event["by"])
