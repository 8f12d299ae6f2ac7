"""What was found, and what followed from it."""

from typing import Final

from punto.rules import Found, Side
from punto.table import events as on
from punto.table.evolve.changes import Changes
from punto.table.evolve.custody import in_custody
from punto.table.evolve.rounds import taken_out, without
from punto.table.state import NOBODY, Asked, Counting, Laid, Offer, Ordering, Phase, Table, replace


def _cards_rebuilt(table: Table, event: on.CardsRebuilt) -> Table:
    opening = table.game.opening
    cards = tuple(event.cards.split())
    surplus = tuple(event.surplus.split())
    sides = _sides(table, cards)
    up = {side: table.lies_open(side) for side in Side}
    laid = tuple(Laid(card, side, up[side]) for card, side in zip(cards, sides, strict=True))
    earlier, later = event.before.split(), [*cards, *surplus]
    for card in earlier:
        later.remove(card)
    shoe = taken_out(table.shoe, len(later) - table.unread, later)
    phase = Phase.INITIAL_DEAL if len(cards) < len(opening.order) else Phase.DRAWING
    return replace(
        table,
        phase=phase if cards else Phase.BETS_CLOSED,
        cards=laid,
        surplus=surplus,
        shoe=shoe,
        announced=False,
        pending=None,
    )


def _sides(table: Table, cards: tuple[str, ...]) -> list[Side]:
    """Whose each of the cards is, in the order in which they came."""
    bare = replace(table, cards=tuple(Laid(card, Side.PLAYER, True) for card in cards))
    deal = bare.deal
    held = len(deal.opening.player)
    thirds = [Side.PLAYER] * (len(deal.player) == 3) + [Side.BANKER] * (len(deal.banker) == 3)  # noqa: PLR2004
    assert len(deal.player) + len(deal.banker) - held == len(cards)
    return [*deal.opening.order[: len(cards)], *thirds]


def _settlement_reversed(table: Table, _: on.SettlementReversed) -> Table:
    coups = table.coups if table.shoe_is_out else table.coups[:-1]
    warned = {patron: number for patron, number in table.warned.items() if number != table.round}
    return replace(table, phase=Phase.OUTCOME, settled=False, payments=(), coups=coups, device_lost="", warned=warned)


def _order_wanted(table: Table, event: on.OrderWanted) -> Table:
    return replace(table, pending=Ordering(event.cards, event.clause))


def _order_determined(table: Table, _: on.OrderDetermined) -> Table:
    return replace(table, pending=None)


def _withdrawal_offered(table: Table, event: on.WithdrawalOffered) -> Table:
    offer = Offer(event.clause, event.wagers, event.patrons, event.whole, event.until_ms, event.sequel, event.order)
    return replace(table, pending=offer)


def _offer_answered(table: Table, event: on.OfferAnswered) -> Table:
    offer = table.pending
    assert isinstance(offer, Offer)
    waiting = tuple(patron for patron in offer.waiting if patron != event.patron)
    return replace(table, pending=replace(offer, waiting=waiting))


def _offer_extended(table: Table, event: on.OfferExtended) -> Table:
    offer = table.pending
    assert isinstance(offer, Offer)
    return replace(table, pending=replace(offer, until_ms=event.until_ms))


def _offer_closed(table: Table, _: on.OfferClosed) -> Table:
    return replace(table, pending=None, interrupted=False)


def _bets_reopened(table: Table, event: on.BetsReopened) -> Table:
    return replace(
        table,
        phase=Phase.BETS_OPEN,
        until_ms=event.until_ms,
        heavier=None,
        cards=(),
        cutting_card_first=False,
        announced=False,
        first=None,
        player=table.player if table.player.permitted else NOBODY,
        banker=table.banker if table.banker.permitted else NOBODY,
    )


def _count_begun(table: Table, event: on.CountBegun) -> Table:
    names = event.left.split()
    left = iter(names)
    cards = tuple(
        Laid(next(left, ""), laid.side, laid.up) if laid.side is event.side and not laid.card else laid
        for laid in table.cards
    )
    shoe = taken_out(table.shoe, 0, names)
    before = table.pending.gone if isinstance(table.pending, Counting) else ()
    pending = Counting((*before, (event.side, event.cards)), event.clause)
    return replace(table, cards=cards, shoe=shoe, pending=pending)


def _cards_set_aside(table: Table, event: on.CardsSetAside) -> Table:
    counting = table.pending
    assert isinstance(counting, Counting)
    aside = event.cards.split()
    return replace(
        table,
        pending=replace(counting, aside=event.cards),
        surplus=tuple(aside),
        shoe=taken_out(table.shoe, len(aside), aside),
    )


def _cards_counted(table: Table, event: on.CardsCounted) -> Table:
    counting = table.pending
    assert isinstance(counting, Counting)
    return replace(table, pending=replace(counting, missing=event.missing))


def _missing_replaced(table: Table, event: on.MissingReplaced) -> Table:
    names = event.cards.split()
    replaced = iter(names)
    cards = tuple(
        Laid(laid.card or next(replaced), laid.side, True) if laid.side is event.side else laid for laid in table.cards
    )
    shoe = replace(taken_out(table.shoe, 0, names), spent=True)
    return replace(
        in_custody(table, event.side, NOBODY), cards=cards, pending=None, interrupted=False, shoe=shoe, replaced=True
    )


def _attested(table: Table, event: on.Attested) -> Table:
    return replace(table, attested=(*table.attested, event.act))


def _patron_warned(table: Table, event: on.PatronWarned) -> Table:
    return replace(table, warned={event.patron: table.round, **table.warned})


def _referred(table: Table, event: on.Referred) -> Table:
    number = table.matters + 1
    return replace(table, matters=number, pending=Asked(event.found, event.matter, event.clause, number))


def _irregularity_found(table: Table, event: on.IrregularityFound) -> Table:
    # Whoever was interrupted while something was awaited has the choice once that is done (B8, TNC5 5.17.1).
    pending = table.pending
    offered = isinstance(pending, Offer) and pending.whole and pending.sequel is on.Sequel.PLAY_ON
    if event.found is Found.INTERRUPTION and pending is not None and not offered:
        return replace(table, interrupted=True)
    return table


def _ruled(table: Table, event: on.Ruled) -> Table:
    return without(replace(table, pending=None, interrupted=False), {each.number for each in event.returns})


CHANGES: Final[Changes] = {
    on.IrregularityFound: _irregularity_found,
    on.CardsRebuilt: _cards_rebuilt,
    on.SettlementReversed: _settlement_reversed,
    on.OrderWanted: _order_wanted,
    on.OrderDetermined: _order_determined,
    on.WithdrawalOffered: _withdrawal_offered,
    on.OfferAnswered: _offer_answered,
    on.OfferExtended: _offer_extended,
    on.OfferClosed: _offer_closed,
    on.Attested: _attested,
    on.BetsReopened: _bets_reopened,
    on.CountBegun: _count_begun,
    on.CardsSetAside: _cards_set_aside,
    on.CardsCounted: _cards_counted,
    on.MissingReplaced: _missing_replaced,
    on.PatronWarned: _patron_warned,
    on.Referred: _referred,
    on.Ruled: _ruled,
}
