"""What anybody may see of a table.

Cards that lie face down have no name here, whoever handles them; people are positions, and money is in sums.
"""

from dataclasses import dataclass, field
from typing import Final, Literal

from punto.rules import Coup, Language, Side, Winner, total
from punto.rules.money import Cents
from punto.server.faces.info import text
from punto.server.faces.roads import roads
from punto.server.wire.tells import (
    CardState,
    Chances,
    Clock,
    HandState,
    HeldUp,
    OutcomeState,
    Said,
    ShoeState,
    TableInfo,
    TableState,
    Text,
    WagerResult,
    Wait,
)
from punto.table import AnyEvent, Phase, Source, Table
from punto.table import events as on
from punto.table.contributing import is_fresh
from punto.table.contributions import Cause, closing_digest
from punto.table.state import Asked, Counting, Offer, Ordering

_OVER: Final = frozenset({Phase.OUTCOME, Phase.SETTLED})
_WAITS: Final[dict[type, Literal["answers", "order", "decision", "count"]]] = {
    Offer: "answers",
    Ordering: "order",
    Asked: "decision",
    Counting: "count",
}


@dataclass(slots=True)
class Shown:
    """What is shown of a table besides its state: what was said last, and what time or the lab add."""

    info: TableInfo | None = None
    said: Said | None = None
    void: str = ""
    clock: Clock | None = None
    chances: Chances | None = None
    taken: bool = False
    automatic: bool = False
    time_in_doubt: bool = False
    # Why nothing goes on: the store takes nothing just now, the table's record is stopped, or another process runs it.
    held_up: HeldUp = ""
    patrons: int = 0
    # Where each patron sits.
    seats: dict[str, int] = field(default_factory=dict)


def public_state(table: Table, shown: Shown) -> TableState:
    """The table on the wall."""
    setup = table.setup
    # Cards of an old shoe are off the table once a fresh one is on it.
    cleared = table.phase is Phase.IDLE and table.shoe.number != table.dealt_from
    coup = table.deal.coup if setup and table.cards and table.all_known and table.all_up and table.announced else None
    return TableState(
        info=shown.info,
        phase=table.phase.value,
        round=table.round,
        shoe=shoe_state(table),
        clock=None if shown.held_up else shown.clock,
        said=shown.said,
        cards=tuple(CardState(laid.side, laid.card if laid.up else "") for laid in table.cards if not cleared),
        totals=_totals(table) if setup and not cleared else (None, None),
        due=_due(table) if setup else None,
        outcome=_outcome(table, coup) if coup and table.phase in _OVER else None,
        void=shown.void if table.phase is Phase.VOID else "",
        stakes=stakes(table),
        patrons=shown.patrons,
        roads=roads(table.outcomes if setup else ()),
        chances=shown.chances,
        hands={side: _hand(table, side, shown.seats) for side in Side},
        may_turn=tuple(side for side in Side if table.awaited is None and table.may_turn(side)),
        device=shown.seats.get(table.device, 0),
        wait=Wait(shown.held_up, "") if shown.held_up else wait(table),
        method=table.method,
        heavier=table.heavier,
        taken=shown.taken,
        automatic=shown.automatic,
        time_in_doubt=shown.time_in_doubt,
    )


def shoe_state(table: Table) -> ShoeState:
    """The shoe in place."""
    setup, shoe = table.setup, table.shoe
    cards = setup.decks * table.game.deck.size if setup else 0
    in_place = bool(setup) and table.phase is not Phase.CHANGE_OF_SHOE
    virtual = in_place and setup is not None and setup.source is Source.VIRTUAL
    committed = ((each.patron, each.commitment) for each in shoe.contributions)
    return ShoeState(
        number=shoe.number,
        commitment=shoe.commitment,
        cut=shoe.cut,
        may_cut=virtual and not shoe.cut and is_fresh(table) and not shoe.reveal_until_ms,
        cards=cards,
        left=cards - shoe.drawn if in_place else 0,
        last_round=shoe.cutting_card,
        takes_contributions=virtual and is_fresh(table) and shoe.takes_contributions,
        contributors=len(shoe.contributions),
        closed=closing_digest(shoe.commitment, committed) if shoe.reveal_until_ms else "",
        unrevealed=len(shoe.unrevealed),
        beacon=shoe.beacon.name if shoe.beacon and shoe.beacon.reached else "",
        beacon_round=shoe.beacon_round,
    )


def stakes(table: Table) -> dict[str, tuple[Cents, int]]:
    """What lies on each wager in all, and how many wagers that is."""
    sums: dict[str, tuple[Cents, int]] = {}
    for seat in table.seats.values():
        for placed in seat:
            cents, count = sums.get(placed.wager, (0, 0))
            sums[placed.wager] = Cents(cents + placed.cents), count + 1
    return sums


def _totals(table: Table) -> tuple[int | None, int | None]:
    """The totals of the hands as far as all their cards lie open."""
    if not table.cards:
        return None, None
    deal = table.so_far
    player, banker = (
        total(cards) if cards and table.lies_open(side) else None
        for side, cards in ((Side.PLAYER, deal.player), (Side.BANKER, deal.banker))
    )
    return player, banker


def _due(table: Table) -> Side | None:
    """The hand that the next card belongs to, once bets are closed."""
    if table.phase not in (Phase.BETS_CLOSED, Phase.INITIAL_DEAL, Phase.DRAWING) or table.awaited is not None:
        return None
    order = table.game.opening.order
    if len(table.cards) < len(order):
        return order[len(table.cards)]
    return table.deal.next if table.all_up and table.announced else None


def _outcome(table: Table, coup: Coup) -> OutcomeState:
    settled = table.game.settle(coup)
    results = {}
    for name in table.open.wagers:
        settlement = settled[name]
        results[name] = WagerResult(
            result=settlement.result,
            row=settlement.row,
            odds=str(settlement.pay.odds) if settlement.pay else "",
            clause=settlement.clause,
            why=Text(settlement.why(Language.ENGLISH), settlement.why(Language.CHINESE)),
        )
    return OutcomeState(coup.winner, coup.player.total, coup.banker.total, results)


def _hand(table: Table, side: Side, seats: dict[str, int]) -> HandState:
    custody = table.custody(side)
    return HandState(seats.get(custody.hand, 0), seats.get(custody.offered, 0))


def wait(table: Table) -> Wait | None:
    """What the table waits for, if anything."""
    if table.heavier:
        differential = table.book.conduct.differential
        return Wait("balance", differential.decrease if differential else "")
    awaited = table.awaited
    return Wait(_WAITS[type(awaited)], awaited.clause) if awaited is not None else None


def said_of(table: Table, event: AnyEvent) -> Said | None:
    """What is announced with an event."""
    match event:
        case on.BetsOpened() | on.BetsReopened():
            return Said(text(table.book.opens.phrases[table.open.phrase - 1]), table.book.opens.clause)
        case on.BetsClosed():
            return Said(text(table.book.closes.phrases[table.open.phrase - 1]), table.book.closes.clause)
        case on.TotalsAnnounced(player=player, banker=banker, clause=clause):
            return Said(Text(f"Player {player}, Banker {banker}", f"闲{player}点，庄{banker}点"), clause)
        case on.OutcomeAnnounced(winner=winner, player=player, banker=banker, clause=clause):
            return Said(_won(winner, player, banker), clause)
        case on.CuttingCardCame(clause=clause):
            return Said(
                Text("Cutting card: this is the last round of the shoe", "切牌已现：本局为本靴最后一局"), clause
            )
        case on.RoundVoided(clause=clause):
            return Said(Text("The round is void: all stakes are returned", "本局作废：退还全部本金"), clause)
        case on.ShoeLoaded(shoe=shoe):
            return Said(Text(f"A fresh shoe, number {shoe}", f"新牌靴，第{shoe}靴"), "")
        case on.ShoeEnded(cause=Cause.UNREVEALED):
            return Said(
                Text("A contribution to the shoe was withheld: new cards follow", "有人未公开其随机数：更换牌靴"), ""
            )
        case on.ShoeEnded():
            return Said(Text("The shoe is over", "本靴结束"), "")
    return None


def _won(winner: Winner, player: int, banker: int) -> Text:
    match winner:
        case Winner.PLAYER:
            return Text(f"Player wins, {player} to {banker}", f"闲赢，{player}比{banker}")
        case Winner.BANKER:
            return Text(f"Banker wins, {banker} to {player}", f"庄赢，{banker}比{player}")
        case Winner.TIE:
            return Text(f"Tie at {player}", f"和，双方{player}点")
