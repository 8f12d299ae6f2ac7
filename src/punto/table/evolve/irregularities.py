"""What was found, and what followed from it."""

from collections import Counter
from typing import Final

from punto.cards import parse_card
from punto.rules import Deal, Found, Remedy, Side
from punto.table import events as on
from punto.table.evolve.changes import Changes
from punto.table.evolve.custody import handled, in_custody
from punto.table.evolve.rounds import discarded, taken_out, with_round_shoe
from punto.table.state import (
    IN_DEVICE,
    NOBODY,
    UNREAD,
    Counting,
    Custody,
    Glimpse,
    Laid,
    Offer,
    Ordering,
    Phase,
    Spare,
    Table,
    replace,
)


def _cards_rebuilt(table: Table, event: on.CardsRebuilt) -> Table:
    opening = table.game.opening
    cards = tuple(_named(event.cards))
    surplus = tuple(_named(event.surplus))
    sides = _sides(table, cards)
    lay_open = {side: table.lies_open(side) for side in Side}
    before = [
        *table.cards,
        *[Laid(spare.card, Side.PLAYER, up=False, in_hands=spare.seen) for spare in table.spare_now],
    ]
    laid = tuple(_moved(before, card, side, up=lay_open[side]) for card, side in zip(cards, sides, strict=True))
    # What the device or anybody had read before is in the count already.
    read = Counter([*cards, *surplus]) - Counter(laid.card for laid in table.cards)
    read -= Counter(spare.card for spare in table.spare_now)
    del read[""]
    out = len(cards) + len(surplus) - len(table.cards) - len(table.spare_now)
    phase = Phase.INITIAL_DEAL if len(cards) < len(opening.order) else Phase.DRAWING
    spare = _surplus(table, surplus, event.unseen)
    table = with_round_shoe(table, taken_out(table.round_shoe, out, read.elements()))
    # A card that the coup does not need is out with its shoe, and comes next in no other.
    table = replace(table, former_spare=spare) if table.shoe_is_out else replace(table, spare=spare)
    return handled(
        replace(
            table,
            phase=phase if cards else Phase.BETS_CLOSED,
            cards=laid,
            announced=False,
            pending=None,
        )
    )


def _surplus(table: Table, surplus: tuple[str, ...], unseen: tuple[int, ...]) -> tuple[Spare, ...]:
    """The cards that the coup does not need, before those that came out for the coming round.

    What was decided about a card stays decided.
    """
    before = [*table.spare_now]
    spare = []
    for place, card in enumerate(surplus, 1):
        was = next((each for each in before if each.card == card), None)
        if was:
            before.remove(was)
        fresh = Spare(card, place not in unseen, table.round)
        spare.append(replace(was, seen=fresh.seen) if was else fresh)
    later = () if table.shoe_is_out else [each for each in table.spare if each.round > table.round]
    return (*spare, *later)


def _named(cards: str) -> list[str]:
    """The names of cards; that of a card that nobody has read is empty."""
    return ["" if card == UNREAD else card for card in cards.split()]


def _moved(before: list[Laid], card: str, side: Side, *, up: bool) -> Laid:
    """A card in its new place: what was seen stays seen, and it lies open where that hand lies open."""
    for laid in before:
        if laid.card == card:
            before.remove(laid)
            return Laid(card, side, bool(card) and (laid.up or up), laid.in_hands, laid.seen_by)
    return Laid(card, side, up and bool(card))


def _sides(table: Table, cards: tuple[str, ...]) -> list[Side]:
    """Whose each of the cards is, in the order in which they came."""
    opening = table.game.opening
    initial = len(opening.order)
    if len(cards) <= initial:
        return [*opening.order[: len(cards)]]
    third = Deal.of(opening, map(parse_card, cards[:initial])).next
    return [*opening.order, *[side for side in (third, Side.BANKER) if side]][: len(cards)]


def _settlement_reversed(table: Table, _: on.SettlementReversed) -> Table:
    coups = table.coups if table.shoe_is_out else table.coups[:-1]
    if table.method is not table.dealt_by:
        # The round keeps the method by which it was dealt (B8, TNC5 3.8.2).
        table = replace(table, method=table.dealt_by, next_method=table.method)
    warned = {patron: number for patron, number in table.warned.items() if number != table.round}
    return replace(table, phase=Phase.OUTCOME, settled=False, payments=(), coups=coups, device_lost="", warned=warned)


def _order_wanted(table: Table, event: on.OrderWanted) -> Table:
    return replace(table, pending=Ordering(event.cards, event.clause, event.certain))


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
    return replace(table, pending=None, interrupted=table.interrupted and bool(table.asked or table.unread_in_hands))


def _bets_reopened(table: Table, event: on.BetsReopened) -> Table:
    kept = Counter(event.kept.split())
    spare, left = [], []
    for each in table.spare:
        stays = kept[each.told] > 0
        kept[each.told] -= stays
        if stays or each.round != table.round:
            spare.append(each if stays else replace(each, allowed=0))
        else:
            left.append(each)
    shoe = replace(table.shoe, gone=(*table.shoe.gone, *discarded(table, left)))
    return replace(
        table,
        phase=Phase.BETS_OPEN,
        shoe=shoe,
        until_ms=event.until_ms,
        heavier=None,
        cards=(),
        spare=tuple(spare),
        glimpsed=tuple(each if kept[each.told] else replace(each, allowed=0) for each in table.glimpsed),
        stated={},
        cutting_card_first=False,
        # Whoever wants to withdraw after an interruption can: bets are open.
        interrupted=False,
        announced=False,
        first=None,
        player=table.player if table.player.permitted else Custody(kept=table.player.kept),
        banker=table.banker if table.banker.permitted else Custody(kept=table.banker.kept),
        restated={},
    )


def _count_begun(table: Table, event: on.CountBegun) -> Table:
    names = event.left.split()
    left = iter(names)
    cards = tuple(
        replace(laid, card=next(left, "")) if laid.side is event.side and not laid.card else laid
        for laid in table.cards
    )
    # Whatever becomes of the round, cards are missing from this shoe (B8, TNC5 5.11.5).
    shoe = replace(taken_out(table.shoe, 0, names), shall_be_replaced=True, ends=True)
    before = table.pending.gone if isinstance(table.pending, Counting) else ()
    pending = Counting((*before, (event.side, event.cards)), event.clause)
    return replace(table, cards=cards, shoe=shoe, pending=pending)


def _cards_set_aside(table: Table, event: on.CardsSetAside) -> Table:
    counting = table.pending
    assert isinstance(counting, Counting)
    aside = event.cards.split()
    out = table.spare_now[: len(aside)]
    fresh = [card for place, card in enumerate(aside) if place >= len(out) or not out[place].card]
    others = [spare for spare in table.spare if not any(spare is one for one in out)]
    return replace(
        table,
        pending=replace(counting, aside=event.cards, manager=event.manager),
        spare=(*[Spare(card, True, table.round) for card in aside], *others),
        shoe=taken_out(table.shoe, len(aside) - len(out), fresh),
    )


def _cards_counted(table: Table, event: on.CardsCounted) -> Table:
    counting = table.pending
    assert isinstance(counting, Counting)
    return replace(table, pending=replace(counting, missing=event.missing))


def _missing_replaced(table: Table, event: on.MissingReplaced) -> Table:
    names = event.cards.split()
    replaced = iter(names)
    cards = tuple(
        replace(laid, card=laid.card or next(replaced), up=True) if laid.side is event.side else laid
        for laid in table.cards
    )
    shoe = replace(taken_out(table.shoe, 0, names), spent=True, shall_be_replaced=True)
    return replace(
        in_custody(table, event.side, NOBODY),
        cards=cards,
        pending=None,
        interrupted=table.interrupted and bool(table.asked),
        shoe=shoe,
        replaced=True,
    )


def _attested(table: Table, event: on.Attested) -> Table:
    return replace(table, attested=(*table.attested, (event.act, event.wager)))


def _patron_warned(table: Table, event: on.PatronWarned) -> Table:
    return replace(table, warned={event.patron: table.round, **table.warned})


def _irregularity_found(table: Table, event: on.IrregularityFound) -> Table:
    # Whoever was interrupted while something was awaited has the choice once that is done (B8, TNC5 5.17.1).
    # Where cards in patrons' hands are unread, it is judged once they lie open (interpretation 48).
    pending = table.pending
    offered = isinstance(pending, Offer) and pending.whole and pending.sequel is on.Sequel.PLAY_ON
    if event.found is Found.INTERRUPTION and not offered:
        return replace(table, interrupted=table.awaited is not None or event.deferred)
    names = event.cards.split()
    if event.found in IN_DEVICE and event.remedy is Remedy.PLAY_ON and not names:
        names = [""]
    return replace(table, glimpsed=(*table.glimpsed, *map(Glimpse, names)))


def _report_kept(table: Table, event: on.ReportKept) -> Table:
    return replace(table, reports=(*table.reports, event))


def _report_taken_up(table: Table, _: on.ReportTakenUp) -> Table:
    return replace(table, reports=table.reports[1:])


def _terminals_failed(table: Table, event: on.TerminalsFailed) -> Table:
    return replace(table, down=tuple(sorted({*table.down, *event.terminals})))


def _terminals_restored(table: Table, event: on.TerminalsRestored) -> Table:
    return replace(table, down=tuple(terminal for terminal in table.down if terminal not in event.terminals))


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
    on.ReportKept: _report_kept,
    on.ReportTakenUp: _report_taken_up,
    on.TerminalsFailed: _terminals_failed,
    on.TerminalsRestored: _terminals_restored,
}
