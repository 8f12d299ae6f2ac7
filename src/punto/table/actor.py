"""Who gives a command, and whether the position carries it."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final
from unicodedata import normalize

from msgspec import Struct

from punto.errors import Malformed, NeedsSecond, NotAllowed, quoted
from punto.rules import HIGHER_RANKS, RANKS, Charge, Duty, Position, Rulebook

LONGEST_NAME: Final = 64
# What keeps names apart elsewhere.
_MARKS: Final = frozenset("/;#")


class Actor(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A person, or the system, in the position held; *acting* when the position is another's (B8, TNC5 6.2)."""

    name: str
    position: Position
    acting: bool = False


def check_duty(rulebook: Rulebook, ranks: Sequence[Position], actor: Actor, duty: Duty) -> None:
    """Refuse an actor who does not hold the duty.

    A duty may be done by its holder, by who acts in that position, and by anyone above (EB4, E7U, B8, TNC5 6.2).
    """
    charge = rulebook.conduct.duties.get(duty)
    if charge is None:
        raise NotAllowed(f"{rulebook.code} lets nobody {duty.value}")
    if not may(charge, ranks, actor.position):
        if actor.position not in ranks and actor.position in HIGHER_RANKS:
            raise NotAllowed(f"{one(actor.position)} has no rank at this table: its setup does not name the position")
        where = f" ({charge.clause})" if charge.clause else " (the rulebook does not say who, this house does)"
        raise NotAllowed(f"{one(actor.position)} may not {duty.value}: only {one(charge.position)} or above may{where}")


def usual_ranks(named: Sequence[Position]) -> tuple[Position, ...]:
    """The ranks by which a table is opened: the usual ones, and positions above them where the setup has *named* them.

    The order in the setup itself does not count yet, so that nobody opens a table with ranks that promote the opener.
    """
    return (*RANKS, *[position for position in named if position in HIGHER_RANKS])


def check_second(
    rulebook: Rulebook, ranks: Sequence[Position], first: Actor, second: Actor | None, duty: Duty
) -> Actor:
    """The second person, if it is another than the first and holds the duty."""
    if second is None or second.position is Position.SYSTEM or is_same_person(second.name, first.name):
        raise NeedsSecond(f"that takes two people: another must {duty.value}")
    check_person(second.name)
    check_duty(rulebook, ranks, second, duty)
    return second


def is_same_person(one_name: str, other: str) -> bool:
    """Whether two names are one person's, however they are written.

    >>> is_same_person("Ann", "ANN"), is_same_person("Ann", "Anna")
    (True, False)
    """
    return _folded(one_name) == _folded(other)


def _folded(name: str) -> str:
    return normalize("NFKC", name).casefold()


def may(charge: Charge, ranks: Sequence[Position], position: Position) -> bool:
    """Whether the position carries the charge."""
    if position is Position.SYSTEM:
        return charge.system
    return position in ranks and charge.position in ranks and ranks.index(position) >= ranks.index(charge.position)


def words(position: Position) -> str:
    """The position as it is said.

    >>> words(Position.PIT_MANAGER)
    'Pit Manager'
    """
    return position.value.replace("-", " ").title()


def one(position: Position) -> str:
    """One of them, in words.

    >>> one(Position.DEALER), one(Position.ASSISTANT_CASINO_MANAGER)
    ('a Dealer', 'an Assistant Casino Manager')
    """
    name = words(position)
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


@lru_cache(maxsize=10_000)
def check_person(name: str) -> None:
    """Refuse what cannot be anybody's name, in a log or on a line of text."""
    fits = 0 < len(name) <= LONGEST_NAME and name.isprintable() and name == name.strip()
    if not fits or not _MARKS.isdisjoint(name):
        marks = " ".join(sorted(_MARKS))
        raise Malformed(
            f"{quoted(name)} is nobody's name: expected 1 to {LONGEST_NAME} letters and signs, none of {marks}"
        )
