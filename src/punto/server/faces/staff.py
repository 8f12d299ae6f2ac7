"""What staff may see of a table: whose wagers lie where, what is due, what must be decided, and the money.

Cards that lie face down are as hidden from staff as from everybody else.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from punto.floor.croupier import Step, next_step
from punto.ledger import TableMeters
from punto.rules import Duty, Result, Side
from punto.rules.money import Cents
from punto.server.wire.tells import (
    Alarm,
    Chances,
    Edge,
    LimitsAhead,
    Line,
    Money,
    Next,
    Pending,
    Prompt,
    ProposalState,
    SeenCard,
    StaffHand,
    StaffPayment,
    StaffState,
    StaffWager,
    Text,
)
from punto.table import Payment, Phase, Placed, Setup, Table
from punto.table.attesting import prompts
from punto.table.bets import on_hand
from punto.table.settling import due
from punto.table.state import Asked, Counting, Offer, Ordering

# An alarm names so much of what is stopped.
_MOST_TOLD: Final = 5


@dataclass(slots=True)
class Watched:
    """What staff see besides the table's own state."""

    seats: Mapping[int, str] = field(default_factory=dict)
    meters: TableMeters = field(default_factory=TableMeters)
    edges: tuple[Edge, ...] = ()
    chances: Chances | None = None
    log: Sequence[Line] = ()
    last: Setup | None = None
    file: Setup | None = None
    proposals: tuple[ProposalState, ...] = ()
    damage: tuple[str, ...] = ()
    troubles: tuple[Alarm, ...] = ()
    dealer: str = ""
    claims: int = 0


def staff_state(table: Table, watched: Watched) -> StaffState:
    """A table on the dealer's and the pit's consoles."""
    placed = table.wagers
    return StaffState(
        wagers=tuple(
            StaffWager(each.number, each.position, each.patron, each.wager, each.cents) for each in placed.values()
        ),
        payments=_in_paying_order(table.payments, placed),
        due=_in_paying_order(due(table), placed) if table.phase is Phase.OUTCOME and table.deal.coup else (),
        hands={side: _hand(table, side) for side in Side},
        device=table.device,
        dealer=watched.dealer,
        may_draw=table.may_draw,
        first=table.first,
        seats=dict(watched.seats),
        pending=pending(table),
        prompts=tuple(Prompt(each.act, table.book.conduct.acts[each.act], each.wager) for each in prompts(table)),
        next=as_next(table, next_step(table)),
        unread=table.unread,
        surplus=tuple(spare.told for spare in table.spare),
        glimpsed=tuple(each.told for each in table.glimpsed),
        down=table.down,
        area_most=table.area_most,
        ahead=LimitsAhead(table.ahead.limits, table.ahead.differential_cents) if table.ahead else None,
        shoe_spent=table.shoe.spent,
        shoe_proposed=table.shoe.proposed,
        shoe_in_doubt=table.shoe.in_doubt,
        money=money(watched.meters),
        edges=watched.edges,
        chances=watched.chances,
        alarms=(
            *watched.troubles,
            *alarms(table, watched.edges, proposed=bool(watched.proposals), damage=watched.damage),
        ),
        log=tuple(watched.log),
        last=watched.last,
        file=watched.file,
        proposals=watched.proposals,
        claims=watched.claims,
    )


def _in_paying_order(payments: Sequence[Payment], placed: Mapping[int, Placed]) -> tuple[StaffPayment, ...]:
    """Losing wagers are collected, then others paid, from one end of the layout to the other (B8 1.1.7)."""
    told = [_payment(each, placed) for each in payments]
    return tuple(sorted(told, key=lambda each: (each.result is not Result.LOSE, each.position, each.number)))


def _payment(payment: Payment, placed: Mapping[int, Placed]) -> StaffPayment:
    at = placed.get(payment.number)
    return StaffPayment(
        number=payment.number,
        position=at.position if at else 0,
        patron=payment.patron,
        wager=payment.wager,
        stake_cents=payment.stake_cents,
        result=payment.result,
        won_cents=payment.won_cents,
        paid_cents=payment.paid_cents,
        clause=payment.clause,
    )


def _hand(table: Table, side: Side) -> StaffHand:
    custody = table.custody(side)
    return StaffHand(custody.offered, custody.refused, custody.holder, custody.designee, custody.wanted)


def as_next(table: Table, step: Step | None) -> Next | None:
    """The act that is due, as a console offers it."""
    if step is None:
        return None
    side: Side | None = step.fields.get("side")
    unread = sum(not laid.card for laid in table.hand(side)) if side and step.do.__name__ == "ExposeCards" else 0
    return Next(str(step.do.__struct_config__.tag), side, step.fields.get("patron", ""), unread)


def pending(table: Table) -> Pending | None:
    """What must be decided, and who decides it."""
    if table.heavier:
        clauses = table.book.conduct.differential
        excess = Cents(differential(table) - table.open.differential_cents)
        takes = _takes(table, Duty.REMOVE_WAGERS)
        steps = (clauses.decrease, clauses.increase, clauses.remove) if clauses else ()
        return Pending("balance", clauses.remove if clauses else "", takes, excess_cents=excess, clauses=steps)
    match table.awaited:
        case Offer() as offer:
            takes = _takes(table, Duty.RUN_ROUND)
            return Pending(
                "answers", offer.clause, takes, waiting=offer.waiting, wagers=offer.wagers, whole=offer.whole
            )
        case Ordering() as ordering:
            return Pending(
                "order",
                ordering.clause,
                _takes(table, Duty.ORDER_CARDS),
                cards=ordering.cards,
                certain=ordering.certain,
            )
        case Asked() as asked:
            takes = _takes(table, Duty.RULE)
            found, matter, number = asked.found.value, asked.matter, asked.number
            others = {each.number for each in table.asked[1:]}
            loose = [each for each in table.loose if each.seen and each.matter not in others]
            return Pending(
                "decision",
                asked.clause,
                takes,
                found=found,
                matter=matter,
                number=number,
                round=asked.round,
                referred_by=asked.by,
                later=tuple(each.matter for each in table.asked[1:]),
                seen=tuple(SeenCard(each.told, each in table.barred) for each in loose),
            )
        case Counting() as counting:
            takes = _takes(table, Duty.WITNESS_COUNT)
            return Pending(
                "count",
                counting.clause,
                takes,
                gone=dict(counting.gone),
                aside=counting.aside,
                missing=counting.missing,
            )
        case None:
            return None


def _takes(table: Table, duty: Duty) -> str:
    charge = table.book.conduct.duties.get(duty)
    return charge.position.value if charge else ""


def differential(table: Table) -> int:
    """By how much the wagers on one hand exceed those on the other."""
    return abs(on_hand(table, Side.PLAYER) - on_hand(table, Side.BANKER))


def money(meters: TableMeters) -> Money:
    """The meters of a table."""
    total = meters.total
    return Money(
        drop_cents=total.drop_cents,
        out_cents=total.out_cents,
        wagered_cents=total.wagered_cents,
        hold_cents=total.hold_cents,
        escrow_cents=total.escrow_cents,
        rounds=total.rounds,
        voids=total.voids,
    )


def alarms(table: Table, edges: Sequence[Edge], *, proposed: bool, damage: Sequence[str] = ()) -> tuple[Alarm, ...]:
    """What needs a person at this table.

    *proposed* says whether a second person must confirm something there, *damage* what of its record is stopped.
    """
    found: list[Alarm] = []
    if damage:
        told, more = "; ".join(damage[:_MOST_TOLD]), len(damage) - _MOST_TOLD
        english, chinese = (f"; and {more:,} more", f"；另有{more:,}处") if more > 0 else ("", "")
        found.append(Alarm("damaged", Text(f"The record is stopped: {told}{english}", f"记录已停止：{told}{chinese}")))
    if proposed:
        found.append(Alarm("second", Text("A second person must confirm", "需第二人确认")))
    if table.heavier:
        found.append(Alarm("differential", Text("The table differential is exceeded", "超出台面差额")))
    elif table.awaited is not None and not isinstance(table.awaited, Offer):
        found.append(Alarm("decision", Text("A decision is waiting", "有待裁决")))
    if (table.phase is Phase.BETS_OPEN or table.heavier) and any(each.seen for each in table.loose):
        known = Text("A card that may come is known while wagers can change", "可下注时已有可能派出的牌为人所知")
        found.append(Alarm("card", known))
    if table.phase not in (Phase.CLOSED, Phase.CHANGE_OF_SHOE):
        labels = [table.game.wager(edge.wager).label for edge in edges if edge.edge < 0]
        if labels:
            english, chinese = ", ".join(label.en for label in labels), "、".join(label.zh for label in labels)
            found.append(Alarm("edge", Text(f"In the players' favour: {english}", f"对玩家有利：{chinese}")))
    return tuple(found)
