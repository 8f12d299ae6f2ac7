"""Reconstruction: the very cards that came, in the order that they should have had."""

from collections import Counter

from punto.record.checks import matters
from punto.record.checks.custody import must_be_down
from punto.record.checks.findings import Code
from punto.record.checks.shoes import check_waiting, see
from punto.record.checks.sitting import AFTER_CLOSE, UNREAD, Laid, Phase, Sitting
from punto.rules import Remedy, Side


def cards_rebuilt(sitting: Sitting, event: matters.CardsRebuilt) -> None:
    """The cards lie as they should have come; what the coup does not need is surplus (interpretation 23)."""
    sitting.expect(AFTER_CLOSE, "cards were rebuilt", free=False)
    terms, shoe = sitting.open, sitting.dealt_from
    if sitting.matter:
        sitting.expect_clause(event.clause, sitting.matter.clause)
    cards, surplus = event.cards.split(), event.surplus.split()
    _check_order(sitting, event.before.split(), cards + surplus)
    if sitting.promised and sitting.promised.split() != cards + surplus:
        sitting.wrong(Code.BAD_CARD, f"the cards were rebuilt in another order than was offered, {sitting.promised}")
    sitting.promised = ""
    if terms.virtual and cards + surplus != [laid.card for laid in sitting.cards] + shoe.surplus:
        sitting.wrong(Code.BAD_SHOE, "a virtual shoe comes in the order that was committed to, and in no other")
    # What had come, comes anew, in the order that it should have had.
    had = [laid.card for laid in sitting.cards]
    del shoe.came[len(shoe.came) - len(had) :]
    for card in had:
        if card in shoe.seen:
            shoe.seen[card] -= 1
    open_ = {side: _lies_open(sitting, side) for side in Side}
    deal = terms.game.begin()
    laid = []
    for card in cards:
        side, kind = deal.next, terms.cards.get(card)
        if side is None or kind is None:
            sitting.wrong(Code.BAD_CARD, f"{card} is not needed in the coup that was rebuilt")
            break
        see(sitting, card)
        shoe.came.append(card)
        deal = deal.take(kind)
        laid.append(Laid(card, side, open_[side]))
    if surplus and deal.next is not None:
        sitting.wrong(Code.BAD_CARD, f"{surplus[0]} is called surplus though the coup is not complete")
    shoe.surplus = surplus
    check_waiting(sitting, surplus)
    sitting.lay(laid)
    sitting.announced = False
    sitting.phase = Phase.DEALING


def _check_order(sitting: Sitting, before: list[str], order: list[str]) -> None:
    """The order holds all that had come; what was surplus came before anything that nobody had seen."""
    had = [laid.card for laid in sitting.cards if laid.card]
    waiting = Counter(sitting.dealt_from.surplus)
    if [card for card in before if card != UNREAD] != had + sitting.dealt_from.surplus:
        sitting.wrong(Code.BAD_CARD, f"{' '.join(before)} were rebuilt; on the table lay {' '.join(had)}")
    unread = len(sitting.cards) - len(had)
    laid = Counter(had)
    for card in order:
        if laid[card]:
            laid[card] -= 1
        elif waiting[card]:
            waiting[card] -= 1
        elif unread:
            unread -= 1
        elif waiting.total():
            next_ = next(waiting.elements())
            sitting.wrong(Code.BAD_CARD, f"{card} is said to have come while {next_} was the next to come")
            return
    gone = (+laid) + (+waiting)
    if gone or unread:
        sitting.wrong(Code.BAD_CARD, f"{' '.join(gone) or 'a card'} had come, and is not among the cards rebuilt")


def _lies_open(sitting: Sitting, side: Side) -> bool:
    """Whether a hand lies open, or its cards will once they come."""
    hand = sitting.hand(side)
    return all(laid.up for laid in hand) if hand else not must_be_down(sitting, side)


def order_wanted(sitting: Sitting, event: matters.OrderWanted) -> None:
    """A Pit Manager is asked for the order (B8, TNC5 5.8.2.2)."""
    sitting.expect(AFTER_CLOSE | {Phase.SETTLED}, "an order was asked for")
    if sitting.matter is None or sitting.matter.remedy is not Remedy.ORDER_THEN_OFFER:
        sitting.wrong(Code.BAD_REMEDY, "an order of cards was asked for without need")
    else:
        sitting.expect_clause(event.clause, sitting.matter.clause)
    sitting.ordering = event.cards


def order_determined(sitting: Sitting, event: matters.OrderDetermined) -> None:
    """The order is one of the very cards that were to be ordered."""
    if not sitting.ordering:
        sitting.wrong(Code.OUT_OF_TURN, "an order of cards was determined that nobody had asked for")
    elif sorted(event.order.split()) != sorted(sitting.ordering.split()):
        sitting.wrong(Code.BAD_CARD, f"{event.order} is no order of {sitting.ordering}")
    sitting.ordering = ""
