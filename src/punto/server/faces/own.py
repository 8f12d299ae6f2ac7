"""What one patron may see of a table besides what everybody does."""

from punto.rules import Side
from punto.server.wire.tells import OwnOffer, OwnPayment, OwnState, OwnWager
from punto.table import Placed, Table
from punto.table.state import Offer


def own_state(table: Table, patron: str, seat: int, placed: list[Placed]) -> OwnState:
    """The patron's own wagers, payments, and the cards that the patron alone handles."""
    holding = {}
    offered = []
    for side in Side:
        if table.handler(side) == patron:
            holding[side] = tuple(laid.card for laid in table.hand(side))
        if table.custody(side).offered == patron:
            offered.append(side)
    return OwnState(
        seat=seat,
        wagers=tuple(OwnWager(each.number, each.wager, each.cents) for each in placed),
        payments=tuple(
            OwnPayment(each.wager, each.stake_cents, each.result, each.won_cents, each.paid_cents, each.clause)
            for each in table.payments
            if each.patron == patron
        ),
        holding=holding,
        offered=tuple(offered),
        offer=_offer(table, patron, placed),
        device=table.device == patron,
    )


def _offer(table: Table, patron: str, placed: list[Placed]) -> OwnOffer | None:
    pending = table.pending
    if not isinstance(pending, Offer) or patron not in pending.waiting:
        return None
    own = {each.number for each in placed}
    return OwnOffer(tuple(number for number in pending.wagers if number in own), pending.whole, pending.clause)
