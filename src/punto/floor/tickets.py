"""Tickets: credits on paper. Whoever has the code can redeem it, once; the record knows only the code's hash.

A ticket is a cash-out whose id comes from its code, and redeeming it is a buy-in whose id does too. Both are noted in a
stream of tickets, in the same transaction. A ticket is worth what that stream says as far as it is signed, so neither a
forged cash-out nor an id that somebody has blanked makes one.
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from punto.errors import BadTicket, Corrupt
from punto.floor.keys import Keys
from punto.rules.money import Cents
from punto.store.contract import Entry
from punto.table import AnyCommand, AnyEvent
from punto.table import commands as do
from punto.table import events as on

TICKETS: Final = "tickets"
_ISSUE: Final = "ticket-"
_REDEEM: Final = "redeem-"
# How the ids of cash-outs begin by which the desk pays tickets, and what a page of the desk may begin no id with.
PAYOUT: Final = "ticket-"
_PAYOUT: Final = "desk-" + PAYOUT
# The commands that may issue or redeem a ticket.
OF_TICKETS: Final = frozenset({do.BuyIn, do.CashOut})
_GROUP: Final = 4
_BYTES: Final = 10


class TicketStep(Enum):
    """What becomes of a ticket."""

    ISSUED = "issued"
    REDEEMED = "redeemed"


class TicketNote(Struct, frozen=True):
    """An entry of the stream of tickets: *ticket* is the hash of the ticket's code."""

    at_ms: int
    command: str
    table: str
    ticket: str
    step: TicketStep
    cents: Cents


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(TicketNote)
_MAKE: Final = b"tickets 1:"
_TICKETS: Final = msgspec.msgpack.Decoder(dict[str, tuple[Cents, TicketStep]])


def code_of(keys: Keys, patron: str, id_: str) -> str:
    """The code of the ticket that a patron asks for under an id: the floor alone can work it out, and always can."""
    return codes_of(keys, patron, id_)[0]


def codes_of(keys: Keys, patron: str, id_: str) -> list[str]:
    """That code, and then those that the ticket has if it was made before the floor's key was rotated."""
    return [_code(secret) for secret in keys.sealing.secrets_of(f"ticket\n{patron}\n{id_}")]


def _code(secret: bytes) -> str:
    code = base64.b32encode(secret[:_BYTES]).decode()
    return "-".join(code[start : start + _GROUP] for start in range(0, len(code), _GROUP))


def issue_id(code: str) -> str:
    """The id of the cash-out that a ticket is."""
    return _ISSUE + _digest(code)


def redeem_id(code: str) -> str:
    """The id of the buy-in that redeems it."""
    return _REDEEM + _digest(code)


def payout_id(code: str) -> str:
    """The id of the cash-out by which the desk pays it: a ticket is paid once, whatever the page calls the message."""
    return _PAYOUT + _digest(code)


def payout_reference(id_: str) -> str:
    """What the desk calls the redemption of a ticket that a page asks to be paid under an id."""
    return f"{_REDEEM}desk-{id_}"


class TicketMove(NamedTuple):
    """What is done to which ticket, and what it is worth."""

    step: TicketStep
    ticket: str
    cents: Cents


def step_of(command: AnyCommand) -> TicketMove | None:
    """What a command does to which ticket; none where it is about no ticket."""
    if type(command) is do.CashOut and command.id.startswith(_ISSUE):
        return TicketMove(TicketStep.ISSUED, command.id.removeprefix(_ISSUE), command.cents)
    if type(command) is do.BuyIn and command.id.startswith(_REDEEM):
        return TicketMove(TicketStep.REDEEMED, command.id.removeprefix(_REDEEM), command.cents)
    return None


def step_of_event(command: str, event: AnyEvent) -> TicketMove | None:
    """What an event did to which ticket, by the id of its command."""
    if type(event) is on.CreditsCashedOut and command.startswith(_ISSUE):
        return TicketMove(TicketStep.ISSUED, command.removeprefix(_ISSUE), event.cents)
    if type(event) is on.CreditsBought and command.startswith(_REDEEM):
        return TicketMove(TicketStep.REDEEMED, command.removeprefix(_REDEEM), event.cents)
    return None


class Tickets:
    """Every ticket that was issued, with what it is worth and whether it was redeemed."""

    def __init__(self) -> None:
        self.version = 0
        self._tickets: dict[str, tuple[Cents, TicketStep]] = {}
        # What each ticket of the group in the making was before.
        self._before: dict[str, tuple[Cents, TicketStep] | None] = {}
        # The version of the snapshot that is kept of them; none before anybody has looked for one.
        self.kept: int | None = None

    def written(self) -> bytes:
        """All tickets, for a snapshot."""
        assert not self._before, "a snapshot is taken between groups"
        return _MAKE + msgspec.msgpack.encode(self._tickets)

    def restore(self, version: int, body: bytes) -> bool:
        """Go on from a snapshot; whether it was one."""
        if not body.startswith(_MAKE):
            return False
        try:
            self._tickets = _TICKETS.decode(body[len(_MAKE) :])
        except (msgspec.DecodeError, UnicodeDecodeError):
            return False
        self.version = self.kept = version
        return True

    def read(self, entries: Iterable[Entry]) -> None:
        """Learn what was noted since."""
        for entry in entries:
            note = read_note(entry.body)
            self._tickets[note.ticket] = note.cents, note.step
            self.version = entry.version

    def worth(self, code: str) -> Cents | None:
        """What a ticket is worth, redeemed or not; none where there is no such ticket."""
        found = self._tickets.get(_digest(code))
        return found[0] if found else None

    def take(self, table: str, command: AnyCommand) -> Iterator[bytes]:
        """The note of a command that issues or redeems a ticket; `BadTicket` where that cannot be."""
        move = step_of(command)
        if move is None:
            return
        done, digest, cents = move
        known = self._tickets.get(digest)
        if done is TicketStep.ISSUED and known is not None:
            raise BadTicket("the ticket was made before")
        if done is TicketStep.REDEEMED and known != (cents, TicketStep.ISSUED):
            raise BadTicket("the ticket was redeemed before" if known else "no ticket has this code")
        self._before.setdefault(digest, known)
        self._tickets[digest] = cents, done
        yield _ENCODER.encode(TicketNote(command.at_ms, command.id, table, digest, done, cents))

    def commit(self, version: int) -> None:
        """What was taken since the last commit is durable."""
        self._before.clear()
        self.version = version

    def take_back(self) -> None:
        """What was taken since the last commit was not written."""
        for digest, before in self._before.items():
            if before is None:
                del self._tickets[digest]
            else:
                self._tickets[digest] = before
        self._before.clear()


def read_note(body: bytes) -> TicketNote:
    """An entry of the stream of tickets; `Corrupt` where it cannot be one."""
    try:
        return _DECODER.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Corrupt(f"a ticket that does not read: {error}") from None


def _digest(code: str) -> str:
    """However it is typed: capitals or not, with its hyphens or without."""
    plain = "".join(sign for sign in code.upper() if sign.isalnum())
    return hashlib.sha256(f"punto ticket 1\n{plain}".encode()).hexdigest()
