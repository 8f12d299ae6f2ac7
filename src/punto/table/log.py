"""How events are written down: each with who caused it, by which command, and when."""

from collections.abc import Iterable
from functools import cache
from typing import Final
from zlib import crc32

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from punto.errors import Corrupt
from punto.table.actor import Actor
from punto.table.commands import AnyCommand, BuyIn, CashOut, Command, SetStake
from punto.table.events import AnyEvent
from punto.table.evolve import evolve
from punto.table.state import Table


class Logged(Struct, frozen=True, omit_defaults=True, gc=False):
    """An event of a table's log.

    Only the first event of a command has the rest. *asked* is a checksum of what the command asked: an id that comes
    again may be another's. *given_ms* is when it was given, where the table had come further by then. *session* is
    that of the member of staff who gave it, *second* that of the second person, *device* the shoe that read its card.
    """

    at_ms: int
    by: Actor
    command: str
    event: AnyEvent
    asked: int = 0
    given_ms: int = 0
    session: str = ""
    second: str = ""
    device: str = ""


ENCODER: Final = msgspec.json.Encoder()
DECODER: Final = msgspec.json.Decoder(Logged)
_TABLE: Final = msgspec.json.Decoder(Table)
# What a snapshot begins with: one of another make may lack what a table has learnt to remember since.
_MAKE: Final = b"4:"
# So many fields every command has: id, table, who, and when.
_BASE: Final = len(Command.__struct_fields__)


# Where the seat stands among the fields of what a terminal asks: whoever asks again may sit elsewhere by then.
_SEAT: Final[dict[type[Command], int]] = {
    kind: kind.__struct_fields__.index("position") - _BASE for kind in (SetStake, BuyIn, CashOut)
}


def checksum(command: AnyCommand) -> int:
    """What a command asks, whoever asks it, whenever, and from which seat, as a number."""
    asked = astuple(command)[_BASE:]
    seat = _SEAT.get(type(command))
    if seat is not None:
        asked = asked[:seat] + asked[seat + 1 :]
    return crc32(ENCODER.encode(asked), _checksum_of(type(command)))


@cache
def _checksum_of(kind: type[Command]) -> int:
    return crc32(str(kind.__struct_config__.tag).encode())


def read(body: bytes) -> Logged:
    """The event that was written; `Corrupt` where it cannot be one."""
    try:
        return DECODER.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Corrupt(f"an event that does not read: {error}") from None


def fold(bodies: Iterable[bytes], table: Table) -> Table:
    """The table after all that was written."""
    decode = DECODER.decode
    try:
        for body in bodies:
            table = evolve(table, decode(body).event)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Corrupt(f"an event that does not read: {error}") from None
    return table


def write_state(table: Table) -> bytes:
    """A table's state, for a snapshot."""
    return _MAKE + ENCODER.encode(table)


def read_state(body: bytes) -> Table | None:
    """The state of a snapshot; none when it is of another make, and the table is worked out from its events."""
    if not body.startswith(_MAKE):
        return None
    try:
        return _TABLE.decode(body[len(_MAKE) :])
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
