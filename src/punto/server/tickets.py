"""Tickets: credits on paper. Who has the code can redeem it, once; the record knows only the code's hash.

A ticket is a cash-out whose id comes from its code, and redeeming it a buy-in whose id does too. The store takes each
id once, so nothing can be redeemed twice, whichever floor is asked, and no list of tickets can be lost or go wrong.
"""

import base64
import hashlib
import secrets
from typing import Final

from punto.errors import BadTicket
from punto.rules.money import Cents
from punto.store.contract import Store
from punto.table.events import CreditsCashedOut
from punto.table.log import read as read_logged

_GROUP: Final = 4
_BYTES: Final = 10


def fresh_code() -> str:
    """A code that nobody can guess, in groups that a person can read out."""
    code = base64.b32encode(secrets.token_bytes(_BYTES)).decode()
    return "-".join(code[start : start + _GROUP] for start in range(0, len(code), _GROUP))


def issue_id(code: str) -> str:
    """The id of the cash-out that a ticket is."""
    return f"ticket-{_digest(code)}"


def redeem_id(code: str) -> str:
    """The id of the buy-in that redeems it."""
    return f"redeem-{_digest(code)}"


def worth(store: Store, code: str) -> Cents:
    """What a ticket is worth, redeemed or not."""
    issued = store.find(issue_id(code))
    event = read_logged(issued.body).event if issued else None
    if not isinstance(event, CreditsCashedOut):
        raise BadTicket("no ticket has this code")
    return event.cents


def _digest(code: str) -> str:
    """However it is typed: capitals or not, with its hyphens or without."""
    plain = "".join(sign for sign in code.upper() if sign.isalnum())
    return hashlib.sha256(f"punto ticket 1\n{plain}".encode()).hexdigest()
