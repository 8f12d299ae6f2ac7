"""What a page asks: to look on, to sit down, to wager, to act.

Whoever asks is known by the connection, never by the message; when it was asked is the floor's to say.
"""

from enum import Enum
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from punto.rules import Side
from punto.rules.deal import FULL
from punto.rules.money import Cents
from punto.server.wire.tells import CardEdge
from punto.table import commands as do
from punto.table.commands import AnyCommand, Command


class Ask(Struct, frozen=True, tag_field="t", tag=True, omit_defaults=True, forbid_unknown_fields=True):
    """Any message of a page."""


class Role(Enum):
    """As what a page watches a table."""

    DISPLAY = "display"
    STAFF = "staff"


class Watch(Ask, frozen=True, tag="watch"):
    """Look on at a table, from now on."""

    table: str
    role: Role = Role.DISPLAY


class WatchFloor(Ask, frozen=True, tag="watch-floor"):
    """Look on at all tables, one line each."""


class Leave(Ask, frozen=True, tag="leave"):
    """Look on no longer, and give up the seat."""

    table: str


class Sit(Ask, frozen=True, tag="sit"):
    """Take a seat: that position, or without one the next that is free."""

    table: str
    position: int = 0


class Stake(Ask, frozen=True, tag="stake"):
    """Make the stake on a wager come to so much in all; nothing takes it back.

    With a round it counts in that round or not at all, however late it arrives.
    """

    id: str
    table: str
    wager: str
    cents: Cents
    round: int = 0


class Buy(Ask, frozen=True, tag="buy"):
    """Buy play credits, on a demonstration floor."""

    id: str
    table: str
    cents: Cents


class Collect(Ask, frozen=True, tag="collect"):
    """Turn all credits into a ticket.

    A page that never saw the answer asks *again*, under the same id: it gets that ticket, and collects nothing else.
    """

    id: str
    table: str
    again: bool = False


class Redeem(Ask, frozen=True, tag="redeem"):
    """Turn a ticket into credits, once."""

    id: str
    table: str
    code: str


class Bend(Ask, frozen=True, tag="bend"):
    """A card is being squeezed: how far it is lifted, from 0 to 1, and from which edge. Others see it bend."""

    table: str
    side: Side
    card: Annotated[int, Meta(ge=0, lt=FULL)]
    lift: Annotated[float, Meta(ge=0, le=1)]
    edge: CardEdge


class TakeTable(Ask, frozen=True, tag="take-table"):
    """Deal here from now on, in place of the automatic dealer.

    A page that has lost its connection asks *again*: it takes the table from nobody who has taken it meanwhile.
    """

    table: str
    id: str = ""
    again: bool = False


class HandBack(Ask, frozen=True, tag="hand-back"):
    """Leave the table to the automatic dealer."""

    table: str
    id: str = ""


class Confirm(Ask, frozen=True, tag="confirm"):
    """Confirm, as the second person, what somebody else has proposed at a table."""

    id: str
    table: str
    digest: str


class Withdraw(Ask, frozen=True, tag="withdraw"):
    """Withdraw what one has proposed, or turn down what another has."""

    id: str
    table: str
    digest: str


class Ping(Ask, frozen=True, tag="ping"):
    """Ask whether the floor is there."""

    n: int = 0


# What the floor fills in: nobody says for another that something is confirmed.
_KNOWN: Final = frozenset({*Command.__struct_fields__, "beyond_file", "confirmed_by", "approved_by"})
# What is filled in from the seat where a patron acts, and must be said by staff.
_OF_THE_SEAT: Final = {"patron": (str, ""), "position": (int, 0)}
# What has a message of its own, or is the floor's alone.
_LEFT_OUT: Final = frozenset({do.SetStake, do.ReleaseCredits, do.DrawBeacon})


def _as_asked(kind: type[Command]) -> type[Struct]:
    """A command as a page sends it: without who, where and when."""
    fields: list[Any] = []
    for field in msgspec.structs.fields(kind):
        if field.name in _KNOWN:
            continue
        if field.name in _OF_THE_SEAT:
            fields.append((field.name, *_OF_THE_SEAT[field.name]))
        elif field.required:
            fields.append((field.name, field.type))
        else:
            made = field.default is msgspec.NODEFAULT
            default = msgspec.field(default_factory=field.default_factory) if made else field.default
            fields.append((field.name, field.type, default))
    config = kind.__struct_config__
    return msgspec.defstruct(
        kind.__name__,
        fields,
        namespace={"__doc__": kind.__doc__},
        module=__name__,
        tag_field="do",
        tag=config.tag,
        frozen=True,
        kw_only=True,
        omit_defaults=True,
        forbid_unknown_fields=True,
    )


# Commands by the form in which they are asked.
COMMANDS: Final[dict[type[Struct], type[Command]]] = {
    _as_asked(kind): kind for kind in AnyCommand.__args__ if kind not in _LEFT_OUT
}
AnyAct: Any = None
for _form in COMMANDS:
    AnyAct = _form if AnyAct is None else AnyAct | _form


class Do(Ask, frozen=True, tag="do"):
    """Give a command; its id makes it harmless to ask twice."""

    id: str
    table: str
    act: AnyAct


OfTheFloor = Watch | WatchFloor | Leave | Sit | Bend | TakeTable | HandBack | Ping
AnyAsk = Stake | Do | Confirm | Withdraw | Buy | Collect | Redeem | OfTheFloor
