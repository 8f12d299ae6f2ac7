"""What pages are told: a table's state as its audience may see it, and then only what changed.

A state is a set of fields. The first message about a table carries all of them, each later one those that changed.
Times are spans, never moments: a page counts them down on its own monotonic clock.
"""

from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from punto.roads import Colour
from punto.rules import Act, Method, Position, Result, Side, Winner
from punto.rules.money import Cents
from punto.server.wire.shown import AnyShown
from punto.table import Limit, Setup


class Text(Struct, frozen=True):
    """A phrase in both languages."""

    en: str
    zh: str


# A table, as it is set up


class PayRow(Struct, frozen=True):
    """A row of a pay table: what it pays, when, and where that stands."""

    odds: str
    when: Text
    clause: str


class WagerInfo(Struct, frozen=True):
    """A wager on offer; *group* is where it lies on the layout."""

    name: str
    label: Text
    group: Literal["main", "pair", "side"]
    clause: str
    pays: tuple[PayRow, ...]
    min_cents: Cents
    max_cents: Cents


class TableInfo(Struct, frozen=True):
    """What is fixed while a table is open."""

    game: str
    title: Text
    rulebook: str
    version: int | None
    terminals: bool
    deck: str
    decks: int
    virtual: bool
    # Virtual cards where the rulebook has a dealing device: every page says so (interpretation 42).
    demonstration: bool
    # Whether the setup is another than that of the floor's file, and a few digits that tell it from others.
    beyond_file: bool
    setup_digest: str
    # The positions of staff as this table ranks them, the lowest first.
    ranks: tuple[Position, ...]
    # Whether the device reads cards, also those that come face down.
    reads: bool
    permanent_7: bool
    unit_cents: Cents
    # One of the rulebook's layouts; terminals have none.
    layout: str
    positions: int
    bets_ms: int
    methods: tuple[Method, ...]
    hlga: bool
    differential_cents: Cents
    wagers: tuple[WagerInfo, ...]


# A table, as it stands


class Clock(Struct, frozen=True):
    """How long something still lasts, and how long it lasts in all; *at_ms* on a clock of the floor's own.

    That clock tells no time of day: a page sees by it that a message came later than others do.
    """

    what: Literal["bets", "answers", "cards", "cut", "reveal", "next"]
    remaining_ms: int
    total_ms: int
    at_ms: int
    # The hand that is to be answered for, or turned, within this time.
    side: Side | None = None


class Said(Struct, frozen=True):
    """What was announced last, and the clause that asks for it."""

    text: Text
    clause: str


class CardState(Struct, frozen=True, array_like=True):
    """A card on the table; its name is empty while it lies face down."""

    side: Side
    card: str


class ShoeState(Struct, frozen=True):
    """The shoe; of a virtual one what it is committed to. *last_round* once the cutting card has come.

    Patrons may commit to a secret while the shoe *takes_contributions*. *contributors* counts those who have. Once that
    is over, *closed* is the digest of all commitments, which pages keep before they reveal a secret, and *unrevealed*
    counts those whose secret is still awaited. Where the floor's file names a public *beacon*, the value of its
    *beacon_round* is added.
    """

    number: int
    commitment: str
    cut: int
    may_cut: bool
    cards: int
    left: int
    last_round: bool
    takes_contributions: bool
    contributors: int
    closed: str
    unrevealed: int
    beacon: str
    beacon_round: int


class WagerResult(Struct, frozen=True):
    """What a wager came to in this coup, whoever has placed it: the row that pays, and why."""

    result: Result
    row: int | None
    odds: str
    clause: str
    why: Text


class OutcomeState(Struct, frozen=True):
    """The outcome of the round, and what it means for every wager."""

    winner: Winner
    player: int
    banker: int
    results: dict[str, WagerResult]


class BigMark(Struct, frozen=True, array_like=True):
    """A mark of the big road; columns and rows count from 0, and *pairs* names the hands that had one."""

    column: int
    row: int
    winner: Literal["B", "P"]
    ties: int
    pairs: Literal["", "b", "p", "bp"]


class DerivedMark(Struct, frozen=True, array_like=True):
    """A mark of a derived road; columns and rows count from 0."""

    column: int
    row: int
    colour: Colour


class Answers(Struct, frozen=True, array_like=True):
    """What each derived road would show next; null where it does not begin yet."""

    eye: Colour | None
    small: Colour | None
    roach: Colour | None


class Ask(Struct, frozen=True):
    """The answers of the derived roads, for each hand that may win next."""

    player: Answers
    banker: Answers


class Roads(Struct, frozen=True):
    """The roads of the shoe so far, laid out. A bead is `B`, `P` or `T`, then `b` and `p` for the pairs."""

    bead: tuple[str, ...]
    big: tuple[BigMark, ...]
    eye: tuple[DerivedMark, ...]
    small: tuple[DerivedMark, ...]
    roach: tuple[DerivedMark, ...]
    ask: Ask


class Chances(Struct, frozen=True):
    """The exact probability of the next outcome, from the cards that are out."""

    player: float
    banker: float
    tie: float


class HandState(Struct, frozen=True):
    """Who handles a hand, by position: 0 is the Dealer, or nobody; *offered* while an answer is awaited."""

    position: int = 0
    offered: int = 0


class Wait(Struct, frozen=True):
    """What the table waits for."""

    what: Literal["answers", "order", "decision", "count", "balance", "store", "record", "elsewhere"]
    clause: str


class TableState(Struct, frozen=True):
    """A table as anybody may see it: on the wall, and on every page."""

    info: TableInfo | None
    phase: str
    round: int
    shoe: ShoeState
    clock: Clock | None
    said: Said | None
    cards: tuple[CardState, ...]
    totals: tuple[int | None, int | None]
    due: Side | None
    outcome: OutcomeState | None
    void: str
    stakes: dict[str, tuple[Cents, int]]
    patrons: int
    roads: Roads
    chances: Chances | None
    hands: dict[Side, HandState]
    # The hands that lie face down and may be laid open now, by whoever has them.
    may_turn: tuple[Side, ...]
    # Where the patron sits who controls the device; 0 is the Dealer, or nobody.
    device: int
    wait: Wait | None
    method: Method | None
    heavier: Side | None
    # Whether somebody has taken the table, whose name only staff are told, and whether else it is dealt by itself.
    taken: bool
    automatic: bool
    # Whether the time of day may be wrong: the machine's clock has stepped, or cannot be right.
    time_in_doubt: bool


# What one patron may see besides


class OwnWager(Struct, frozen=True):
    """A wager of one's own on the table."""

    number: int
    wager: str
    cents: Cents


class OwnPayment(Struct, frozen=True):
    """What a wager of one's own came to."""

    wager: str
    stake_cents: Cents
    result: Result
    won_cents: Cents
    paid_cents: Cents
    clause: str
    # The Gaming Shift Manager stated the result; it is not the coup's.
    decided: bool


class OwnReturn(Struct, frozen=True):
    """A wager of one's own, or part of it, that went back in this round by a decision; *left_cents* of it stay."""

    wager: str
    cents: Cents
    left_cents: Cents
    clause: str


class OwnOffer(Struct, frozen=True):
    """Wagers that may be withdrawn now: any of them, or where *whole* all or none."""

    wagers: tuple[int, ...]
    whole: bool
    clause: str


class OwnContribution(Struct, frozen=True):
    """What one has contributed to the order of the shoe: the commitment, and whether the secret is revealed."""

    commitment: str
    revealed: bool


class OwnState(Struct, frozen=True):
    """What a patron sees of a table besides what everybody does."""

    seat: int
    wagers: tuple[OwnWager, ...]
    payments: tuple[OwnPayment, ...]
    returned: tuple[OwnReturn, ...]
    # The cards that one handles, by hand, seen by nobody else.
    holding: dict[Side, tuple[str, ...]]
    offered: tuple[Side, ...]
    offer: OwnOffer | None
    device: bool
    # The terminal at this seat is down: it places and withdraws nothing.
    down: bool
    # Whether one may contribute to the order of the shoe now, and what one has contributed to it.
    may_contribute: bool
    contribution: OwnContribution | None


class Purse(Struct, frozen=True):
    """A patron's credits, and what came in and went out since the visit began.

    Where the house lets the patron play no more (*closed*), what was accepted is played, and credits are collected.
    """

    credits_cents: Cents
    owed_cents: Cents
    bought_cents: Cents
    cashed_cents: Cents
    staked_cents: Cents
    won_cents: Cents
    played_ms: int
    # Tables with stakes of the patron's, seated there or not.
    tables: tuple[str, ...] = ()
    # Stopped tables where the patron has been or has a stake, and what is at stake there until the record was checked;
    # none where that is not known either.
    waiting: dict[str, Cents | None] = {}
    # Whether the record of the patron's credits is stopped: nothing is staked or collected until it was checked.
    stopped: bool = False
    # What lies aside because it is, or was; it comes to the credits by itself.
    withheld_cents: Cents = Cents(0)
    closed: bool = False


# What staff see besides


class StaffWager(Struct, frozen=True):
    """A wager on the table, and whose it is."""

    number: int
    position: int
    patron: str
    wager: str
    cents: Cents


class StaffPayment(Struct, frozen=True):
    """A payment in paying order."""

    number: int
    position: int
    patron: str
    wager: str
    stake_cents: Cents
    result: Result
    won_cents: Cents
    paid_cents: Cents
    clause: str


class StaffHand(Struct, frozen=True):
    """Who handles a hand."""

    offered: str
    refused: tuple[str, ...]
    holder: str
    designee: str
    wanted: bool


class SeenCard(Struct, frozen=True):
    """A card that somebody has seen and that is not in play; one that is *barred* decides no wager placed later.

    Its name is a question mark where nobody has read it.
    """

    card: str
    barred: bool


class Pending(Struct, frozen=True):
    """What must be decided, by whom, and what about."""

    what: Literal["answers", "order", "decision", "count", "balance"]
    clause: str
    # The position that it takes.
    takes: str
    found: str = ""
    matter: str = ""
    # Which matter it is, and the round that it is about; those that come after it.
    number: int = 0
    round: int = 0
    # Who reported or referred it, and does not decide it.
    referred_by: str = ""
    later: tuple[str, ...] = ()
    # The cards that were seen and that the decision is about.
    seen: tuple[SeenCard, ...] = ()
    cards: str = ""
    # How many cards, from the first, are certain to be in their places.
    certain: int = 0
    waiting: tuple[str, ...] = ()
    wagers: tuple[int, ...] = ()
    whole: bool = False
    gone: dict[Side, int] = {}
    aside: str = ""
    missing: str = ""
    excess_cents: Cents = Cents(0)
    # Where there are steps before the last, the clause of each.
    clauses: tuple[str, ...] = ()


class Prompt(Struct, frozen=True):
    """A human act that somebody should vouch for, and the clause that asks for it; of a wager, if it is about one."""

    act: Act
    clause: str
    wager: int = 0


class Next(Struct, frozen=True):
    """The next right act at the table: a command, and what must be known to give it."""

    do: str
    side: Side | None = None
    patron: str = ""
    needs_cards: int = 0


class Money(Struct, frozen=True):
    """The table's meters since it was first opened, in cents."""

    drop_cents: int
    out_cents: int
    wagered_cents: int
    hold_cents: int
    escrow_cents: int
    rounds: int
    voids: int


class Edge(Struct, frozen=True):
    """The house edge of a wager for the cards that are left, exact; below zero it favours the players."""

    wager: str
    edge: float
    usual: float


class Line(Struct, frozen=True):
    """One thing that happened: when, by whom, what, in the words of the log."""

    version: int
    at_ms: int
    by: str
    position: str
    event: AnyShown


class Alarm(Struct, frozen=True):
    """Something that needs a person."""

    what: Literal[
        "decision",
        "second",
        "card",
        "edge",
        "differential",
        "shoe",
        "voids",
        "damaged",
        "store",
        "clock",
        "audit",
        "exclusions",
    ]
    text: Text


class LimitsAhead(Struct, frozen=True):
    """The limits from the next round on, where they were changed."""

    limits: dict[str, Limit]
    differential_cents: Cents


class ProposalState(Struct, frozen=True):
    """An act that waits for a second person; its *digest* tells it from others, and *takes* says who may confirm.

    *not_by* names those who may not: one of them and the first person has opened or changed the other's account,
    or somebody else has opened both.
    *enrolling* names those who stand with nobody yet: they have not enrolled on a device of their own; *came_back*
    those who stand with nobody for a while: they came in by a code from the machine.
    """

    digest: str
    do: str
    by: str
    takes: Position
    setup: Setup | None
    limits: dict[str, Limit]
    differential_cents: Cents | None
    # The wager, and what it is found to be.
    number: int
    stake_cents: Cents | None
    # Whose money, how much of it, and why it is put right.
    patron: str
    cents: Cents | None
    reason: str
    not_by: tuple[str, ...]
    enrolling: tuple[str, ...]
    came_back: tuple[str, ...]


class StaffState(Struct, frozen=True):
    """What staff see of a table besides what everybody does."""

    wagers: tuple[StaffWager, ...]
    payments: tuple[StaffPayment, ...]
    # What will be collected and paid, from the outcome on until it is.
    due: tuple[StaffPayment, ...]
    hands: dict[Side, StaffHand]
    device: str
    # Who has taken the table.
    dealer: str
    may_draw: tuple[str, ...]
    first: Side | None
    seats: dict[int, str]
    pending: Pending | None
    prompts: tuple[Prompt, ...]
    next: Next | None
    unread: int
    # Cards that are out of the device and come next, and cards in it that somebody has seen.
    surplus: tuple[str, ...]
    glimpsed: tuple[str, ...]
    # The terminals that are down.
    down: tuple[int, ...]
    area_most: int
    ahead: LimitsAhead | None
    shoe_spent: bool
    # Replacing the cards is proposed, and what the shoe holds is in doubt.
    shoe_proposed: bool
    shoe_in_doubt: bool
    money: Money
    edges: tuple[Edge, ...]
    # Of the next outcome, also while a card is known that comes; everybody else is told them only if none is.
    chances: Chances | None
    alarms: tuple[Alarm, ...]
    log: tuple[Line, ...]
    # What a closed table was open with, and what the floor's file opens it with.
    last: Setup | None
    file: Setup | None
    # What waits for a second person.
    proposals: tuple[ProposalState, ...]
    # How many claims about this table wait for an answer.
    claims: int


# The floor, one line a table


class Balance(Struct, frozen=True):
    """The wagers on the two hands, and by how much they may differ."""

    player_cents: Cents
    banker_cents: Cents
    most_cents: Cents


HeldUp = Literal["", "store", "record", "elsewhere"]


class Tile(Struct, frozen=True):
    """A table at a glance."""

    key: str
    title: Text
    game: str
    terminals: bool
    # It is played by demonstration rules (interpretation 42).
    demonstration: bool
    # Its setup is another than that of the floor's file.
    beyond_file: bool
    phase: str
    round: int
    patrons: int
    min_cents: Cents
    max_cents: Cents
    # Whether somebody has taken it, and whether it is dealt by itself where nobody has.
    taken: bool
    automatic: bool
    beads: str
    cards_left: int
    # Why nothing goes on there: its store does not answer, its record is checked, or another process runs it.
    held_up: HeldUp = ""
    # For staff only: none for everybody else.
    staked_cents: Cents | None = None
    # Where a table differential is set.
    balance: Balance | None = None
    money: Money | None = None
    alarms: tuple[Alarm, ...] | None = None
    # Who has taken it.
    dealer: str = ""


class Welcome(Struct, frozen=True, tag_field="t", tag="welcome"):
    """The first message: who one is here, and what the floor is."""

    floor: str
    demonstration: bool
    currency: str
    languages: tuple[str, ...]
    patron: str
    staff: str
    position: str
    now_ms: int


def _in_part(state: type[Struct]) -> Any:  # noqa: ANN401 (a type that is made here)
    """A state of which any field may be left out: what was not told is as it was."""
    return msgspec.defstruct(
        state.__name__.replace("State", "Change"),
        [(field.name, field.type | UnsetType, UNSET) for field in msgspec.structs.fields(state)],
        namespace={"__doc__": f"The fields of {state.__name__} that have changed."},
        module=__name__,
        frozen=True,
        kw_only=True,
    )


TableChange: Any = _in_part(TableState)
OwnChange: Any = _in_part(OwnState)
StaffChange: Any = _in_part(StaffState)


class Told(Struct, frozen=True, tag_field="t", tag="table"):
    """A table's state: all of it where *whole*, else what changed."""

    table: str
    version: int
    set: TableChange
    whole: bool = False


class ToldOwn(Struct, frozen=True, tag_field="t", tag="own"):
    """One's own state at a table: all of it at first, then what changed."""

    table: str
    version: int
    set: OwnChange


class ToldStaff(Struct, frozen=True, tag_field="t", tag="staff"):
    """The staff's state of a table: all of it at first, then what changed."""

    table: str
    version: int
    set: StaffChange


class ToldPurse(Struct, frozen=True, tag_field="t", tag="purse"):
    """One's credits."""

    purse: Purse


# What a claim is about, and how it stands.
ClaimAbout = Literal["payment", "stake", "cards", "other"]
ClaimOutcome = Literal["open", "upheld", "rejected", "withdrawn"]


class OwnClaim(Struct, frozen=True):
    """A claim of one's own; *remaining_ms* until it should be answered, below zero once it is overdue."""

    claim: int
    table: str
    round: int
    shoe: int
    about: ClaimAbout
    outcome: ClaimOutcome
    remaining_ms: int | None


class ToldClaims(Struct, frozen=True, tag_field="t", tag="claims"):
    """One's newest claims, all of them each time; what was said in them is asked for by HTTP."""

    claims: tuple[OwnClaim, ...]


class QueuedClaim(Struct, frozen=True):
    """A claim that waits for an answer, for so long yet; below zero it is overdue."""

    claim: int
    patron: str
    table: str
    round: int
    shoe: int
    about: ClaimAbout
    remaining_ms: int


class ToldClaimQueue(Struct, frozen=True, tag_field="t", tag="claim-queue"):
    """The most urgent claims that wait, and how many there are in all; for Pit Supervisors and above."""

    claims: tuple[QueuedClaim, ...]
    open: int
    overdue: int


class ToldFloor(Struct, frozen=True, tag_field="t", tag="floor"):
    """Tables at a glance: those that changed."""

    tiles: tuple[Tile, ...]


class FloorAlarms(Struct, frozen=True, tag_field="t", tag="alarms"):
    """What needs a person, at no table: for staff who watch the floor, all of it each time."""

    alarms: tuple[Alarm, ...]


class Accepted(Struct, frozen=True, tag_field="t", tag="accepted"):
    """A command was done, durably; the version of the table's log after it."""

    id: str
    version: int


class Proposed(Struct, frozen=True, tag_field="t", tag="proposed"):
    """A command waits until a second person confirms it, by this digest. Nothing was done yet."""

    id: str
    digest: str


class Refused(Struct, frozen=True, tag_field="t", tag="refused"):
    """A command or a message was refused: a stable code, and one line. Nothing was done."""

    id: str
    code: str
    message: str
    clause: str = ""


class InDoubt(Struct, frozen=True, tag_field="t", tag="unknown"):
    """Nobody knows yet whether a command was done: a page asks again, under the same id, until it is told."""

    id: str


class Ticket(Struct, frozen=True, tag_field="t", tag="ticket"):
    """Credits turned into a ticket: who has its code can redeem it, once."""

    id: str
    code: str
    cents: Cents


# Where a card is taken to be squeezed.
CardEdge = Literal["left", "right", "top", "bottom", "top-left", "top-right", "bottom-left", "bottom-right"]


class Bent(Struct, frozen=True, tag_field="t", tag="bent"):
    """Somebody squeezes a card: nothing of its face is told."""

    table: str
    side: Side
    card: int
    lift: float
    edge: CardEdge


class Ended(Struct, frozen=True, tag_field="t", tag="ended"):
    """Nothing more comes: signed out, replaced by another page, or the floor stops."""

    code: str
    message: str


class Pong(Struct, frozen=True, tag_field="t", tag="pong"):
    """Yes."""

    n: int


OfTheTable = Told | ToldOwn | ToldStaff | Bent
Answer = Accepted | Proposed | Refused | InDoubt | Ticket
OfClaims = ToldClaims | ToldClaimQueue
AnyTell = Welcome | OfTheTable | ToldPurse | ToldFloor | FloorAlarms | OfClaims | Answer | Ended | Pong
