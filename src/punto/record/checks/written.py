"""Entries as they are written, read anew: the audit's own idea of their shapes.

What does not fit these shapes to the letter does not read: no field more, none less, each of its kind.
"""

from collections.abc import Callable
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from punto.rules import RANKS, Method, Position
from punto.store.contract import Tip

_Body = TypeVar("_Body", bound=Struct)


class Written(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Anything that is written down."""


class Actor(Written, frozen=True):
    """Who did it, and in what position."""

    name: str
    position: Position
    acting: bool = False


class Limit(Written, frozen=True):
    """The least and the most that one wager may be."""

    min_cents: int
    max_cents: int


class Timings(Written, frozen=True):
    """How long the table waits."""

    bets_ms: int = 20_000
    answer_ms: int = 30_000


class Setup(Written, frozen=True, kw_only=True):
    """What a table was opened with."""

    game: str
    declaration: str = ""
    decks: int = 8
    source: str = "device"
    reads: bool = True
    unit_cents: int = 0
    limits: dict[str, Limit] = {}
    differential_cents: int = 0
    layout: str = ""
    positions: int = 0
    hlga: bool = False
    wagers: tuple[str, ...] = ()
    method: Method | None = None
    behind: int = 14
    phrase: int = 1
    ranks: tuple[Position, ...] = RANKS
    timings: Timings = Timings()
    demonstration: bool = False
    rulebook: str = ""
    version: int | None = None
    digest: str = ""
    # The edition of the register of interpretations; 0 before editions were counted.
    readings: int = 0


class Beacon(Written, frozen=True):
    """A public beacon, and whether it could be reached when the shoe was loaded."""

    name: str
    key: str
    genesis_s: int
    period_s: int
    reached: bool = True

    def __str__(self) -> str:
        return f"{self.name} {self.key} {self.genesis_s} {self.period_s}{'' if self.reached else ' unreached'}"


class Payment(Written, frozen=True):
    """What a wager came to."""

    number: int
    patron: str
    wager: str
    stake_cents: int
    counted_cents: int
    result: str
    won_cents: int
    paid_cents: int
    clause: str


class Return(Written, frozen=True):
    """A stake, or part of it, that went back."""

    number: int
    patron: str
    cents: int


class Booked(Written, frozen=True):
    """A transfer between two accounts, in the stream of a wallet or in a table's book."""

    at_ms: int
    command: str
    giver: str
    taker: str
    cents: int
    balance_cents: int = 0
    owed_cents: int = 0


class Refused(Written, frozen=True):
    """A refusal for want of authority, in the security stream."""

    at_ms: int
    by: Actor
    table: str
    do: str
    code: str
    said: str


class Decision(Written, frozen=True):
    """What somebody decided about the store itself, in the stream of decisions."""

    at_ms: int
    by: str
    reason: str
    checkpoints: int
    outside: str
    ignored: tuple[str, ...] = ()
    aside: dict[str, tuple[int, int]] = {}
    file: str = ""
    rows: dict[str, int] = {}
    writers: dict[str, Tip] = {}
    writer: str = ""


def reader(shape: type[_Body]) -> Callable[[bytes], _Body]:
    """A function that reads bodies of one shape; what is wrong with a body, it raises as `ValueError`."""
    decode = msgspec.json.Decoder(shape).decode

    def read(body: bytes) -> _Body:
        try:
            return decode(body)
        except (msgspec.MsgspecError, ValueError, TypeError, RecursionError) as error:
            raise ValueError(str(error).replace("`", "'") or "it nests too deeply") from None

    return read


read_booked: Final = reader(Booked)
read_refused: Final = reader(Refused)
read_decision: Final = reader(Decision)
