"""Warrants: by which session or device a command was given, for the record and for whoever checks that before it."""

from collections.abc import Callable
from typing import Final, NamedTuple

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
# Raises what refuses a command whose warrant does not hold at the time it was given.
Gate = Callable[[AnyCommand, Warrant], None]
