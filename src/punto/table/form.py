"""The form of a command: it can be written down, and is what it says.

What comes as JSON has been read as a command; what is made in Python may hold anything.
"""

from typing import Final

import msgspec

from punto.errors import Malformed
from punto.table.actor import Actor, check_person
from punto.table.commands import AnyCommand, PlaceWager, SetStake

_LONGEST_ID: Final = 128
_WAGERS: Final = (PlaceWager, SetStake)
# The end of the year 9999 in Singapore.
_LAST_MS: Final = 253_402_271_999_999


def check_form(command: AnyCommand) -> None:
    """The fields are of their kinds; the id, the time, and the names of people can be told apart."""
    if not (_is_wager(command) if isinstance(command, _WAGERS) else _converts(command)):
        raise Malformed("the command has fields of other kinds than it should")
    check_id(command.id)
    if not 0 <= command.at_ms <= _LAST_MS:
        raise Malformed("a command has a time, in milliseconds since 1970")
    check_person(command.by.name)


def is_id(text: str) -> bool:
    """Whether a command can have this id: it can be told from others, and written down."""
    return 0 < len(text) <= _LONGEST_ID and text.isprintable()


def check_id(id_: str) -> None:
    """Refuse what cannot be an id."""
    if not is_id(id_):
        raise Malformed(f"a command has an id of 1 to {_LONGEST_ID} printable characters")


def _is_wager(command: PlaceWager | SetStake) -> bool:
    """Field by field, since there are so many of them."""
    by = command.by
    if type(command) is SetStake and type(command.round) is not int:
        return False
    return (
        type(command.stake_cents) is type(command.position) is type(command.at_ms) is int
        and type(command.id) is type(command.table) is type(command.patron) is type(command.wager) is str
        and type(by) is Actor
        and type(by.name) is str
    )


def _converts(command: AnyCommand) -> bool:
    try:
        msgspec.convert(msgspec.to_builtins(command), type(command))
    except (msgspec.ValidationError, TypeError, ValueError, OverflowError, RecursionError):
        return False
    return True
