"""Tickets: credits on paper. Who has the code can redeem it, once; the record knows only the code's hash.

A ticket is a cash-out whose id comes from its code, and redeeming it a buy-in whose id does too. The store takes each
id once, so nothing can be redeemed twice, whichever floor is asked, and no list of tickets can be lost or go wrong.
"""

import base64
import hashlib
from typing import Final

from punto.floor import Keys
from punto.rules.money import Cents
from punto.store.contract import Store
from punto.table.events import CreditsCashedOut
from punto.table.log import read as read_logged

_GROUP: Final = 4
_BYTES: Final = 10


def code_of(keys: Keys, patron: str, id_: str) -> str:
    """The code of the ticket that a patron asks for under an id: the floor alone can work it out, and always can."""
    code = base64.b32encode(keys.secret_of(f"ticket\n{patron}\n{id_}")[:_BYTES]).decode()
    return "-".join(code[start : start + _GROUP] for start in range(0, len(code), _GROUP))


def issue_id(code: str) -> str:
    """The id of the cash-out that a ticket is."""
    return f"ticket-{_digest(code)}"


def redeem_id(code: str) -> str:
    """The id of the buy-in that redeems it."""
    return f"redeem-{_digest(code)}"


def worth(store: Store, code: str) -> Cents | None:
    """What a ticket is worth, redeemed or not; nothing where there is none."""
    found = store.find(issue_id(code))
    event = read_logged(found.body).event if found else None
    return event.cents if isinstance(event, CreditsCashedOut) else None


def _digest(code: str) -> str:
    """However it is typed: capitals or not, with its hyphens or without."""
    plain = "".join(sign for sign in code.upper() if sign.isalnum())
    return hashlib.sha256(f"punto ticket 1\n{plain}".encode()).hexdigest()
