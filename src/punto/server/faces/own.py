"""What one patron may see of a table besides what everybody does."""

from punto.rules import Side
from punto.rules.money import Cents
from punto.server.wire.tells import OwnContribution, OwnOffer, OwnPayment, OwnReturn, OwnState, OwnWager
from punto.table import Payment, Placed, Table
from punto.table import events as on
from punto.table.contributing import is_fresh
from punto.table.state import Offer


def own_state(
    table: Table, patron: str, seat: int, placed: list[Placed], returned: tuple[OwnReturn, ...] = ()
) -> OwnState:
    """The patron's own wagers, payments, and the cards that the patron alone handles."""
    holding = {}
    offered = []
    for side in Side:
        if table.handler(side) == patron:
            # Before the hand is passed to the patron no event says that its cards may be seen.
            holding[side] = tuple(laid.card for laid in table.hand(side) if laid.is_known_to(patron))
        if table.custody(side).offered == patron:
            offered.append(side)
    return OwnState(
        seat=seat,
        wagers=tuple(OwnWager(each.number, each.wager, each.cents) for each in placed),
        payments=tuple(_payment(table, each) for each in table.payments if each.patron == patron),
        returned=returned,
        holding=holding,
        offered=tuple(offered),
        offer=_offer(table, patron, placed),
        device=table.device == patron,
        down=seat in table.down,
        may_contribute=_may_contribute(table, patron),
        contribution=_contribution(table, patron),
    )


def _may_contribute(table: Table, patron: str) -> bool:
    """Whether the patron may contribute to the order of the shoe, and has not yet."""
    shoe = table.shoe
    takes = is_fresh(table) and shoe.takes_contributions and table.withholding.admits(patron)
    return takes and _contribution(table, patron) is None


def _contribution(table: Table, patron: str) -> OwnContribution | None:
    for each in table.shoe.contributions:
        if each.patron == patron:
            return OwnContribution(each.commitment, bool(each.secret))
    return None


def _payment(table: Table, payment: Payment) -> OwnPayment:
    return OwnPayment(
        wager=payment.wager,
        stake_cents=payment.stake_cents,
        result=payment.result,
        won_cents=payment.won_cents,
        paid_cents=payment.paid_cents,
        clause=payment.clause,
        decided=payment.number in table.stated,
    )


def returned_by(before: Table, ruled: on.Ruled) -> dict[str, tuple[OwnReturn, ...]]:
    """What went back by a decision at the table as it stood before, by patron."""
    clause = next((asked.clause for asked in before.asked if asked.number == ruled.matter), "")
    found: dict[str, tuple[OwnReturn, ...]] = {}
    for each in ruled.returns:
        placed = before.wagers[each.number]
        left = Cents(placed.cents - each.cents)
        found[each.patron] = (*found.get(each.patron, ()), OwnReturn(placed.wager, each.cents, left, clause))
    return found


def _offer(table: Table, patron: str, placed: list[Placed]) -> OwnOffer | None:
    pending = table.pending
    if not isinstance(pending, Offer) or patron not in pending.waiting:
        return None
    own = {each.number for each in placed}
    return OwnOffer(tuple(number for number in pending.wagers if number in own), pending.whole, pending.clause)
