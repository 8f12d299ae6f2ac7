"""Warrants: by which session or device a command was given, for the record and for whoever checks that before it."""

from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

from punto.table import AnyCommand


class Warrant(NamedTuple):
    """What stands behind a command.

    *session* is that of the member of staff who gives it, *second* that of the second person, *device* the shoe that
    read a card. *at_terminal* where a patron gives it: the name of the patron is that of the terminal.
    """

    session: str = ""
    second: str = ""
    device: str = ""
    at_terminal: bool = False


# Of the floor's own acts, and of whoever uses a floor without people.
NO_WARRANT: Final = Warrant()


class Records(Protocol):
    """What a gate may look up in the record, as it stands when a command is judged."""

    def has_wallet(self, patron: str) -> bool:
        """Whether anything was ever booked for a patron."""

    def cash_since(self, person: str, at_ms: int) -> int:
        """How much cash a member of staff has moved alone since a time, in cents."""


# Raises what refuses a command whose warrant does not hold at the time it was given. The answer is the member of staff
# in whose name the command counts as cash that one person moved, or nothing.
Gate = Callable[[AnyCommand, Warrant, Records], str | None]
