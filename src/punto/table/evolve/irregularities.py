"""What was found, and what followed from it."""

from collections import Counter
from typing import Final, TypeVar

from punto.cards import parse_card
from punto.rules import Deal, Found, Remedy, Side
from punto.rules.money import Cents
from punto.table import events as on
from punto.table.evolve.changes import Changes
from punto.table.evolve.custody import handled, in_custody
from punto.table.evolve.rounds import taken_out, without
from punto.table.state import (
    IN_DEVICE,
    NOBODY,
    OF_CONTENTS,
    PLAYING,
    UNREAD,
    Asked,
    Counting,
    Glimpse,
    Laid,
    Offer,
    Ordering,
    Phase,
    Spare,
    Table,
    replace,
)

Seen = TypeVar("Seen", Spare, Glimpse)


def _cards_rebuilt(table: Table, event: on.CardsRebuilt) -> Table:
    opening = table.game.opening
    cards = tuple(_named(event.cards))
    surplus = tuple(_named(event.surplus))
    sides = _sides(table, cards)
    lay_open = {side: table.lies_open(side) for side in Side}
    before = [*table.cards]
    laid = tuple(_moved(before, card, side, up=lay_open[side]) for card, side in zip(cards, sides, strict=True))
    # What the device or anybody had read before is in the count already.
    read = Counter([*cards, *surplus]) - Counter(laid.card for laid in table.cards)
    read -= Counter(spare.card for spare in table.spare_now)
    del read[""]
    out = len(cards) + len(surplus) - len(table.cards) - len(table.spare_now)
    phase = Phase.INITIAL_DEAL if len(cards) < len(opening.order) else Phase.DRAWING
    return handled(
        replace(
            table,
            phase=phase if cards else Phase.BETS_CLOSED,
            cards=laid,
            spare=_surplus(table, surplus, event.unseen),
            shoe=taken_out(table.shoe, out, read.elements()),
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
    return (*spare, *[each for each in table.spare if each.round > table.round])


def _named(cards: str) -> list[str]:
    """The names of cards; that of a card that nobody has read is empty."""
    return ["" if card == UNREAD else card for card in cards.split()]


def _moved(before: list[Laid], card: str, side: Side, *, up: bool) -> Laid:
    """A card in its new place: what was seen stays seen, and it lies open where that hand lies open."""
    for laid in before:
        if laid.card == card:
            before.remove(laid)
            return Laid(card, side, bool(card) and (laid.up or up), laid.in_hands)
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
    return replace(table, pending=None, interrupted=False)


def _bets_reopened(table: Table, event: on.BetsReopened) -> Table:
    kept = Counter(event.kept.split())
    spare = []
    for each in table.spare:
        stays = kept[each.told] > 0
        kept[each.told] -= stays
        if stays or each.round != table.round:
            spare.append(each if stays else replace(each, allowed=0))
    return replace(
        table,
        phase=Phase.BETS_OPEN,
        until_ms=event.until_ms,
        heavier=None,
        cards=(),
        spare=tuple(spare),
        glimpsed=tuple(each if kept[each.told] else replace(each, allowed=0) for each in table.glimpsed),
        stated={},
        dealer_stands_in=False,
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
    others = [spare for spare in table.spare if spare not in out]
    return replace(
        table,
        pending=replace(counting, aside=event.cards),
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
        in_custody(table, event.side, NOBODY), cards=cards, pending=None, interrupted=False, shoe=shoe, replaced=True
    )


def _attested(table: Table, event: on.Attested) -> Table:
    return replace(table, attested=(*table.attested, (event.act, event.wager)))


def _patron_warned(table: Table, event: on.PatronWarned) -> Table:
    return replace(table, warned={event.patron: table.round, **table.warned})


def _referred(table: Table, event: on.Referred) -> Table:
    number = table.matters + 1
    asked = Asked(event.found, event.matter, event.clause, number, event.round or table.round)
    # Cards named in the report are out of the device. Extra and foreign ones never belonged to it.
    cards = [] if event.found in OF_CONTENTS else _named(event.cards)
    if event.found is Found.CARD_SEEN:
        table = _marked(table, number)
    spare, glimpsed, shoe = [*table.spare], [*table.glimpsed], table.shoe
    for card in cards:
        known = next((each for each in glimpsed if each.card == card), None)
        unseen = next((each for each in spare if not each.seen and each.card in ("", card)), None)
        if event.found is Found.CARD_SEEN and not known and unseen:
            turned = replace(unseen, card=card, seen=True, matter=number)
            spare[spare.index(unseen)] = turned
            shoe = taken_out(shoe, 0, [] if unseen.card else [card])
            continue
        if known:
            glimpsed.remove(known)
        spare.append(Spare(card, bool(card), asked.round, matter=number))
        shoe = taken_out(shoe, 1, filter(None, [card]))
    if event.found in IN_DEVICE and not cards:
        glimpsed.append(Glimpse("", matter=number))
    in_doubt = shoe.in_doubt or (event.found in OF_CONTENTS and asked.round > table.round)
    return replace(
        table,
        matters=number,
        asked=(*table.asked, asked),
        spare=tuple(spare),
        glimpsed=tuple(glimpsed),
        shoe=replace(shoe, in_doubt=in_doubt),
    )


def _marked(table: Table, number: int) -> Table:
    """The table where all seen cards that are before nobody yet belong to this matter."""
    asked = {each.number for each in table.asked}
    barred = [each for each in table.barred if each.matter not in asked]
    return replace(
        table,
        spare=tuple(replace(each, matter=number) if each in barred else each for each in table.spare),
        glimpsed=tuple(replace(each, matter=number) if each in barred else each for each in table.glimpsed),
    )


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


def _ruled(table: Table, event: on.Ruled) -> Table:
    asked = tuple(each for each in table.asked if each.number != (event.matter or table.asked[0].number))
    table = _played(_burnt(table, event), event)
    shoe = table.shoe
    match event.shoe:
        case on.ShoeRuling.REPLACE:
            # A round that is under way is completed with the cards that it has.
            shoe = replace(shoe, spent=shoe.spent or table.phase not in PLAYING, ends=True)
        case on.ShoeRuling.KEEP:
            # Of a cutting card that comes later nothing is decided yet: its round is the last one (interpretation 21).
            shoe = replace(shoe, spent=False, proposed=False, in_doubt=False, goes_on=shoe.cutting_card, ends=False)
    table = replace(
        table,
        asked=asked,
        interrupted=False,
        shoe=shoe,
        stated=table.stated | {each.number: each for each in event.results},
    )
    return _returned(table, event.returns)


def _burnt(table: Table, event: on.Ruled) -> Table:
    """Cards that are burnt are gone: by their names, wherever they are, and so many that come next."""
    spare, glimpsed, shoe = [*table.spare], [*table.glimpsed], table.shoe
    for card in event.burnt.split():
        name = "" if card == UNREAD else card
        out = next((each for each in spare if each.seen and each.card == name), None)
        seen = next((each for each in glimpsed if each.card == name), None)
        if out:
            spare.remove(out)
            continue
        if seen:
            glimpsed.remove(seen)
        shoe = taken_out(shoe, 1, filter(None, [name]))
    for _ in range(event.burnt_next):
        next_ = next((each for each in spare if each.round <= table.round), None)
        if next_:
            spare.remove(next_)
            continue
        shoe = taken_out(shoe, 1, [])
        unnamed = next((each for each in glimpsed if not each.card), None)
        if unnamed:
            glimpsed.remove(unnamed)
    return replace(table, spare=tuple(spare), glimpsed=tuple(glimpsed), shoe=shoe)


def _played(table: Table, event: on.Ruled) -> Table:
    """Cards that are to be played decide wagers of that round, whoever has seen them; other rounds they do not."""
    played = Counter(event.played.split())

    def allowed(each: Seen) -> Seen:
        if not played[each.told]:
            return each
        played[each.told] -= 1
        return replace(each, allowed=event.round)

    spare = [allowed(each) if each.seen else each for each in table.spare]
    # They come in the order in which the decision names them, in the places that they had.
    places = [place for place, each in enumerate(spare) if each != table.spare[place]]
    order = event.played.split()
    in_order = sorted((spare[place] for place in places), key=lambda each: order.index(each.told))
    for place, each in zip(places, in_order, strict=True):
        spare[place] = each
    return replace(table, spare=tuple(spare), glimpsed=tuple(map(allowed, table.glimpsed)))


def _returned(table: Table, returns: tuple[on.Return, ...]) -> Table:
    """The table after stakes, or parts of them, went back."""
    for each in returns:
        placed = table.wagers[each.number]
        if each.cents == placed.cents:
            table = without(table, {each.number})
        else:
            seat = tuple(
                replace(placed, cents=Cents(placed.cents - each.cents)) if one.number == each.number else one
                for one in table.seats[placed.position]
            )
            table = replace(table, seats={**table.seats, placed.position: seat})
    return table


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
    on.Referred: _referred,
    on.Ruled: _ruled,
    on.ReportKept: _report_kept,
    on.ReportTakenUp: _report_taken_up,
    on.TerminalsFailed: _terminals_failed,
    on.TerminalsRestored: _terminals_restored,
}
