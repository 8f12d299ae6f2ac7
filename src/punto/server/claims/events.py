"""What is written down about claims: events in one stream of the floor's own store.

What a patron said and why staff answered as they did are words about a person. The stream has commitments to them, and
the words are kept where they can be erased.
"""

from enum import Enum
from typing import Final

import msgspec
from msgspec import Struct

from punto.errors import Corrupt
from punto.table import Actor

CLAIMS: Final = "claims"


class ClaimAbout(Enum):
    """What a claim is about."""

    PAYMENT = "payment"
    STAKE = "stake"
    CARDS = "cards"
    OTHER = "other"


class Event(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Anything that happened to a claim."""


class TermsSet(Event, frozen=True, tag="claim-terms-set"):
    """From now on a round may be so old when a claim about it is raised, and a claim is answered within so long.

    *words_stay*: nobody erases what is said in a claim before it is answered, and later nobody who had a part in it.
    """

    within_ms: int
    answered_ms: int
    words_stay: bool = False


class ClaimRaised(Event, frozen=True, tag="claim-raised"):
    """A patron disputes a round, in *words* of the patron's own.

    *opened* is the entry of the table's log with which the round began, *wager* the one that shows that the patron
    played there. *asked* is the id that the terminal chose.
    """

    claim: int
    patron: str
    table: str
    round: int
    shoe: int
    opened: int
    wager: int
    about: ClaimAbout
    words: str
    due_ms: int
    asked: str = ""


class ClaimAnswered(Event, frozen=True, tag="claim-answered"):
    """Staff have answered, for a *reason*; *correction* is the entry of the table's log that put credits right."""

    claim: int
    upheld: bool
    reason: str
    correction: int = 0


class ClaimWithdrawn(Event, frozen=True, tag="claim-withdrawn"):
    """The patron claims no longer."""

    claim: int


AnyEvent = TermsSet | ClaimRaised | ClaimAnswered | ClaimWithdrawn


class Noted(Struct, frozen=True, omit_defaults=True):
    """An event as it is written: when, and who caused it, in which *session* of theirs."""

    at_ms: int
    by: Actor
    event: AnyEvent
    session: str = ""


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Noted)


def write(noted: Noted) -> bytes:
    """An event, as it is stored."""
    return _ENCODER.encode(noted)


def read(body: bytes) -> Noted:
    """An event as it was stored; `Corrupt` where it cannot be one."""
    try:
        return _DECODER.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Corrupt(f"an event of a claim that does not read: {error}") from None
