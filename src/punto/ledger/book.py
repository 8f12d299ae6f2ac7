"""How transfers are written down: in the wallet's own stream, or where no wallet is touched, in the table's book."""

from typing import Final

import msgspec
from msgspec import Struct

from punto.errors import Corrupt
from punto.rules.money import Cents


class Booked(Struct, frozen=True, omit_defaults=True, gc=False):
    """A transfer as it was booked; *balance* is the wallet's after it, and *owed* its patron's debt."""

    at_ms: int
    command: str
    giver: str
    taker: str
    cents: Cents
    balance_cents: Cents = Cents(0)
    owed_cents: Cents = Cents(0)


_DECODER: Final = msgspec.json.Decoder(Booked)


def read(body: bytes) -> Booked:
    """The transfer that was booked; `Corrupt` where it cannot be one."""
    try:
        return _DECODER.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Corrupt(f"a transfer that does not read: {error}") from None
