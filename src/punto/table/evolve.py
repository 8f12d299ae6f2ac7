"""From one state of a table to the next: what an event changes. Nothing is judged here, and nothing refused."""

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import Any, Final

from punto.rules import Found, Method, Side
from punto.table import events as on
from punto.table.state import (
    NOBODY,
    Asked,
    Counting,
    Custody,
    Laid,
    Offer,
    Ordering,
    Phase,
    Placed,
    Shoe,
    Table,
    replace,
)


def evolve(table: Table, event: on.AnyEvent) -> Table:
    """The table after the event."""
    return _CHANGES[type(event)](table, event)


def _unchanged(table: Table, _: on.AnyEvent) -> Table:
    return table


# The table and its cards


def _table_opened(table: Table, event: on.TableOpened) -> Table:
    areas = event.setup.book.conduct.areas
    return Table(
        phase=Phase.CHANGE_OF_SHOE,
        setup=event.setup,
        round=table.round,
        shoes=table.shoes,
        method=event.setup.method,
        area_most=areas.most if areas else 0,
    )


def _table_closed(table: Table, _: on.TableClosed) -> Table:
    return Table(round=table.round, shoes=table.shoes)


def _shoe_loaded(table: Table, event: on.ShoeLoaded) -> Table:
    return replace(
        table,
        phase=Phase.IDLE,
        shoes=event.shoe,
        shoe=Shoe(event.shoe, event.commitment, event.sealed),
        surplus=(),
        coups=(),
    )


def _shoe_cut(table: Table, event: on.ShoeCut) -> Table:
    return replace(table, shoe=replace(table.shoe, cut=event.cards))


def _shoe_ended(table: Table, _: on.ShoeEnded) -> Table:
    # The last round stays as it was, for it may be put in order until bets open again (interpretation 23).
    shoe = Shoe(table.shoe.number, spent=True, out=True)
    return replace(table, phase=Phase.CHANGE_OF_SHOE, shoe=shoe, surplus=())


# The round


def _bets_opened(table: Table, event: on.BetsOpened) -> Table:
    return replace(
        table,
        phase=Phase.BETS_OPEN,
        round=event.round,
        seats={},
        serial=0,
        moves=0,
        until_ms=event.until_ms,
        heavier=None,
        cards=(),
        dealt_from=event.shoe,
        cutting_card_first=False,
        announced=False,
        settled=False,
        interrupted=False,
        payments=(),
        attested=(),
        placed_by_staff=False,
        replaced=False,
        device_lost="",
        first=None,
        player=NOBODY,
        banker=NOBODY,
    )


def _wager_placed(table: Table, event: on.WagerPlaced) -> Table:
    moves = table.moves + 1
    placed = Placed(event.number, event.patron, event.wager, event.stake_cents, event.position, moves)
    seats = {**table.seats, event.position: (*table.seats.get(event.position, ()), placed)}
    if event.for_patron:
        table = replace(table, placed_by_staff=True)
    return replace(table, seats=seats, serial=event.number, moves=moves)


def _stake_set(table: Table, event: on.WagerChanged | on.WagerRemoved | on.StakeFound) -> Table:
    if not event.to_cents:
        return _without(table, {event.number})
    placed = table.wagers[event.number]
    raised = event.to_cents > placed.cents
    moves = table.moves + raised
    changed = replace(placed, cents=event.to_cents, since=moves if raised else placed.since)
    seat = tuple(changed if each is placed else each for each in table.seats[placed.position])
    return replace(table, seats={**table.seats, placed.position: seat}, moves=moves)


def _wager_gone(table: Table, event: on.WagerTakenBack | on.WagerWithdrawn) -> Table:
    return _without(table, {event.number})


def _without(table: Table, numbers: AbstractSet[int]) -> Table:
    left = {
        position: tuple(placed for placed in seat if placed.number not in numbers)
        for position, seat in table.seats.items()
    }
    return replace(table, seats={position: seat for position, seat in left.items() if seat})


def _bets_closed(table: Table, _: on.BetsClosed) -> Table:
    return replace(table, phase=Phase.BETS_CLOSED)


def _differential_exceeded(table: Table, event: on.DifferentialExceeded) -> Table:
    return replace(table, heavier=event.heavier)


def _differential_met(table: Table, _: on.DifferentialMet) -> Table:
    return replace(table, heavier=None)


def _card_drawn(table: Table, event: on.CardDrawn) -> Table:
    cards = (*table.cards, Laid(event.card, event.side, event.up))
    phase = Phase.INITIAL_DEAL if len(cards) < len(table.game.opening.order) else Phase.DRAWING
    if table.surplus:
        return replace(table, phase=phase, cards=cards, surplus=table.surplus[1:])
    return replace(table, phase=phase, cards=cards, shoe=_out(table.shoe, 1, [event.card] if event.card else []))


def _out(shoe: Shoe, drawn: int, read: list[str]) -> Shoe:
    """The shoe after so many more cards have come out and these were read."""
    seen = dict(shoe.seen)
    for card in read:
        seen[card] = seen.get(card, 0) + 1
    return replace(shoe, drawn=shoe.drawn + drawn, seen=seen)


def _cutting_card_came(table: Table, event: on.CuttingCardCame) -> Table:
    return replace(table, shoe=replace(table.shoe, cutting_card=True), cutting_card_first=event.first)


def _cards_exposed(table: Table, event: on.CardsExposed) -> Table:
    names = iter(event.cards.split())
    read: list[str] = []
    cards = []
    for laid in table.cards:
        if laid.side is event.side:
            card = next(names)
            if not laid.card:
                read.append(card)
            cards.append(Laid(card, laid.side, True))
        else:
            cards.append(laid)
    shoe = _out(table.shoe, 0, read) if read else table.shoe
    return replace(table, cards=tuple(cards), shoe=shoe)


def _totals_announced(table: Table, _: on.TotalsAnnounced) -> Table:
    return replace(table, announced=True)


def _outcome_announced(table: Table, _: on.OutcomeAnnounced) -> Table:
    return replace(table, phase=Phase.OUTCOME, announced=True)


def _round_settled(table: Table, event: on.RoundSettled) -> Table:
    return replace(
        table,
        phase=Phase.SETTLED,
        settled=True,
        payments=event.payments,
        coups=table.coups if table.shoe_is_out else (*table.coups, event.cards),
        shoe=replace(table.shoe, spent=table.shoe.spent or table.shoe.cutting_card),
    )


def _round_voided(table: Table, event: on.RoundVoided) -> Table:
    out = event.out.split()
    shoe = _out(table.shoe, len(out) - table.unread, out) if out else table.shoe
    return replace(
        table,
        phase=Phase.VOID,
        seats={},
        heavier=None,
        pending=None,
        interrupted=False,
        coups=table.coups if table.shoe_is_out else (*table.coups, ""),
        shoe=replace(shoe, spent=shoe.spent or shoe.cutting_card or event.replace),
    )


# Custody


def _areas_restricted(table: Table, event: on.AreasRestricted) -> Table:
    return replace(table, area_most=event.most)


def _method_chosen(table: Table, event: on.MethodChosen) -> Table:
    keep = event.method is Method.C
    return replace(
        table, method=event.method, device=table.device if keep else "", may_draw=table.may_draw if keep else ()
    )


def _in_custody(table: Table, side: Side, custody: Custody) -> Table:
    return replace(table, player=custody) if side is Side.PLAYER else replace(table, banker=custody)


def _cards_offered(table: Table, event: on.CardsOffered) -> Table:
    return _in_custody(table, event.side, replace(table.custody(event.side), offered=event.patron, wanted=False))


def _cards_taken(table: Table, event: on.CardsAccepted | on.HolderChosen | on.HandPassed) -> Table:
    custody = replace(table.custody(event.side), offered="", holder=event.patron, designee="", wanted=False)
    return _in_custody(table, event.side, custody)


def _cards_refused(table: Table, event: on.CardsRefused) -> Table:
    custody = table.custody(event.side)
    refused = (*custody.refused, event.patron)
    return _in_custody(table, event.side, replace(custody, offered="", holder="", designee="", refused=refused))


def _holder_wanted(table: Table, event: on.HolderWanted) -> Table:
    return _in_custody(table, event.side, replace(table.custody(event.side), wanted=True))


def _squeeze_permitted(table: Table, event: on.SqueezePermitted) -> Table:
    custody = Custody(holder=event.patron, designee=event.designee, permitted=True)
    return _in_custody(table, event.side, custody)


def _cards_kept(table: Table, event: on.CardsKept) -> Table:
    return _in_custody(table, event.side, NOBODY)


def _cards_retrieved(table: Table, event: on.CardsRetrieved) -> Table:
    custody = table.custody(event.side)
    if custody.permitted:
        return table
    return _in_custody(table, event.side, replace(custody, offered="", holder="", designee=""))


def _first_chosen(table: Table, event: on.FirstChosen) -> Table:
    return replace(table, first=event.side)


def _device_taken(table: Table, event: on.DeviceTaken) -> Table:
    return replace(table, device=event.patron)


def _device_given_up(table: Table, event: on.DeviceGivenUp) -> Table:
    custody = table.book.conduct.custody
    lost = custody is not None and event.clause == custody.lost
    return replace(table, device="", device_lost=event.patron if lost else "")


def _drawing_permitted(table: Table, event: on.DrawingPermitted) -> Table:
    others = tuple(patron for patron in table.may_draw if patron != event.patron)
    return replace(table, may_draw=(*others, event.patron) if event.permitted else others)


# Irregularities


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
    shoe = _out(table.shoe, len(later) - table.unread, later)
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
    shoe = _out(table.shoe, 0, names)
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
        shoe=_out(table.shoe, len(aside), aside),
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
    shoe = replace(_out(table.shoe, 0, names), spent=True)
    return replace(
        _in_custody(table, event.side, NOBODY), cards=cards, pending=None, interrupted=False, shoe=shoe, replaced=True
    )


def _attested(table: Table, event: on.Attested) -> Table:
    return replace(table, attested=(*table.attested, event.act))


def _patron_warned(table: Table, event: on.PatronWarned) -> Table:
    return replace(table, warned={event.patron: table.round, **table.warned})


def _referred(table: Table, event: on.Referred) -> Table:
    return replace(table, pending=Asked(event.found, event.matter, event.clause))


def _irregularity_found(table: Table, event: on.IrregularityFound) -> Table:
    # Whoever was interrupted while something was awaited has the choice once that is done (B8, TNC5 5.17.1).
    pending = table.pending
    offered = isinstance(pending, Offer) and pending.whole and pending.sequel is on.Sequel.PLAY_ON
    if event.found is Found.INTERRUPTION and pending is not None and not offered:
        return replace(table, interrupted=True)
    return table


def _ruled(table: Table, event: on.Ruled) -> Table:
    return _without(replace(table, pending=None, interrupted=False), {each.number for each in event.returns})


_CHANGES: Final[dict[type, Callable[[Table, Any], Table]]] = {
    on.TableOpened: _table_opened,
    on.TableClosed: _table_closed,
    on.ShoeLoaded: _shoe_loaded,
    on.ShoeCut: _shoe_cut,
    on.ShoeEnded: _shoe_ended,
    on.BetsOpened: _bets_opened,
    on.WagerPlaced: _wager_placed,
    on.WagerChanged: _stake_set,
    on.WagerTakenBack: _wager_gone,
    on.LateWager: _unchanged,
    on.LateWithdrawal: _unchanged,
    on.BetsClosed: _bets_closed,
    on.DifferentialExceeded: _differential_exceeded,
    on.DifferentialMet: _differential_met,
    on.WagerRemoved: _stake_set,
    on.CardDrawn: _card_drawn,
    on.CuttingCardCame: _cutting_card_came,
    on.CardsExposed: _cards_exposed,
    on.TotalsAnnounced: _totals_announced,
    on.OutcomeAnnounced: _outcome_announced,
    on.RoundSettled: _round_settled,
    on.RoundVoided: _round_voided,
    on.AreasRestricted: _areas_restricted,
    on.MethodChosen: _method_chosen,
    on.CardsOffered: _cards_offered,
    on.CardsAccepted: _cards_taken,
    on.CardsRefused: _cards_refused,
    on.HolderWanted: _holder_wanted,
    on.HolderChosen: _cards_taken,
    on.SqueezePermitted: _squeeze_permitted,
    on.HandPassed: _cards_taken,
    on.FirstChosen: _first_chosen,
    on.DeviceTaken: _device_taken,
    on.DeviceGivenUp: _device_given_up,
    on.DrawingPermitted: _drawing_permitted,
    on.IrregularityFound: _irregularity_found,
    on.CardsRebuilt: _cards_rebuilt,
    on.SettlementReversed: _settlement_reversed,
    on.OrderWanted: _order_wanted,
    on.OrderDetermined: _order_determined,
    on.WithdrawalOffered: _withdrawal_offered,
    on.WagerWithdrawn: _wager_gone,
    on.OfferAnswered: _offer_answered,
    on.OfferExtended: _offer_extended,
    on.OfferClosed: _offer_closed,
    on.CardsKept: _cards_kept,
    on.Attested: _attested,
    on.BetsReopened: _bets_reopened,
    on.CardsRetrieved: _cards_retrieved,
    on.CountBegun: _count_begun,
    on.CardsSetAside: _cards_set_aside,
    on.CardsCounted: _cards_counted,
    on.MissingReplaced: _missing_replaced,
    on.StakeFound: _stake_set,
    on.PatronWarned: _patron_warned,
    on.Referred: _referred,
    on.Ruled: _ruled,
    on.CreditsBought: _unchanged,
    on.CreditsCashedOut: _unchanged,
    on.CreditsCorrected: _unchanged,
}
