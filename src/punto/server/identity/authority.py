"""Who may do what with accounts, sessions and terminals."""

from typing import Final

from punto.errors import NotAllowed
from punto.rules import HIGHER_RANKS, RANKS, Position
from punto.table.actor import Actor, one, words

# All positions of staff, from the lowest.
STAFF: Final = (*RANKS, *HIGHER_RANKS)
# Where the least position is the house's own order; no rulebook speaks of it.
ACCOUNTS: Final = Position.GAMING_SHIFT_MANAGER
ACTING: Final = Position.ASSISTANT_CASINO_MANAGER
UNLOCKING: Final = Position.PIT_MANAGER
OTHERS_SESSIONS: Final = Position.PIT_MANAGER
TERMINALS: Final = Position.PIT_SUPERVISOR
PROGRAM: Final = Position.PIT_MANAGER
LOOKING: Final = Position.PIT_SUPERVISOR
PATRONS: Final = Position.PIT_SUPERVISOR
CLAIMS: Final = Position.PIT_SUPERVISOR
REPORTING: Final = Position.PIT_SUPERVISOR
EXCLUDING: Final = Position.PIT_MANAGER
LIFTING: Final = Position.GAMING_SHIFT_MANAGER
LOOKING_AT_PATRONS: Final = Position.DEALER
PERSONAL: Final = Position.GAMING_SHIFT_MANAGER


def is_at_least(position: Position | None, least: Position) -> bool:
    """Whether a position ranks as high as another."""
    return position in STAFF and STAFF.index(position) >= STAFF.index(least)


def check(position: Position | None, least: Position, what: str) -> None:
    """Refuse a position that is too low."""
    if not is_at_least(position, least):
        who = one(position) if position else "nobody"
        raise NotAllowed(f"{who} may not {what}: only {one(least)} or above may")


def check_staff(position: Position) -> None:
    """Refuse what is no position of the staff."""
    if position not in STAFF:
        raise NotAllowed(f"nobody on the staff is {one(position)}")


def check_grant(own: Position | None, granted: Position) -> None:
    """Refuse to grant more than one has: up to one's own position at the top, and only below it elsewhere."""
    check(own, ACTING, "let somebody act in another position")
    check_staff(granted)
    below = not is_at_least(own, ACCOUNTS)
    if not is_at_least(own, granted) or (below and own is granted):
        raise NotAllowed(f"{one(own) if own else 'nobody'} may not let anybody act as {words(granted)}")


def check_other(by: Actor, name: str, what: str) -> None:
    """Refuse what nobody does for themselves."""
    if by.name == name:
        raise NotAllowed(f"you cannot {what}: another manager must do that")
