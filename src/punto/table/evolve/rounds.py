"""A round: wagers, cards, totals, outcome, settlement."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from punto.rules import Found, Method
from punto.table import events as on
from punto.table.contributions import Withholding
from punto.table.evolve.changes import Changes
from punto.table.evolve.custody import handled
from punto.table.state import (
    NOBODY,
    OF_CONTENTS,
    PLAYED,
    UNREAD,
    Glimpse,
    Laid,
    Phase,
    Placed,
    Shoe,
    Spare,
    Table,
    replace,
)


def _bets_opened(table: Table, event: on.BetsOpened) -> Table:
    return replace(
        table,
        phase=Phase.BETS_OPEN,
        setup=table.ahead or table.setup,
        ahead=None,
        round=event.round,
        readings=event.readings,
        seats={},
        serial=0,
        moves=0,
        until_ms=event.until_ms,
        heavier=None,
        cards=(),
        dealt_from=event.shoe,
        dealt_by=table.method,
        former=Shoe(0),
        former_spare=(),
        shoe=replace(table.shoe, goes_on=False),
        withholding=Withholding(),
        cutting_card_first=False,
        announced=False,
        settled=False,
        paid=False,
        restated={},
        interrupted=False,
        payments=(),
        stated={},
        attested=(),
        by_staff=(),
        in_chips=frozenset(),
        replaced=False,
        dealer_stands_in=False,
        device_lost="",
        first=None,
        player=NOBODY,
        banker=NOBODY,
    )


def _wager_placed(table: Table, event: on.WagerPlaced) -> Table:
    moves = table.moves + 1
    since = table.wagers[event.same_moment_as].since if event.same_moment_as else moves
    placed = Placed(event.number, event.patron, event.wager, event.stake_cents, event.position, since)
    seats = {**table.seats, event.position: (*table.seats.get(event.position, ()), placed)}
    if event.for_patron:
        in_chips = table.in_chips | {event.number}
        table = replace(table, by_staff=(*table.by_staff, event.number), in_chips=in_chips)
    return replace(table, seats=seats, serial=event.number, moves=moves, unplayed=PLAYED)


def _wager_changed(table: Table, event: on.WagerChanged) -> Table:
    in_chips = table.in_chips | {event.number} if event.for_patron else table.in_chips - {event.number}
    return replace(_accepted_anew(table, event), in_chips=in_chips)


def _accepted_anew(table: Table, event: on.WagerChanged | on.WagerRemoved) -> Table:
    # What the wager came to before, at the close, counts no more.
    restated = {number: cents for number, cents in table.restated.items() if number != event.number}
    return replace(_stake_set(table, event), restated=restated)


def _stake_set(table: Table, event: on.WagerChanged | on.WagerRemoved | on.StakeFound) -> Table:
    if not event.to_cents:
        return without(table, {event.number})
    placed = table.wagers[event.number]
    raised = event.to_cents > placed.cents
    moves = table.moves + raised
    changed = replace(placed, cents=event.to_cents, since=moves if raised else placed.since)
    seat = tuple(changed if each is placed else each for each in table.seats[placed.position])
    return replace(table, seats={**table.seats, placed.position: seat}, moves=moves)


def _stake_found(table: Table, event: on.StakeFound) -> Table:
    # What was accepted at the close is remembered; before that nothing is accepted for good.
    closed = table.phase is not Phase.BETS_OPEN
    restated = {event.number: event.from_cents, **table.restated} if closed else table.restated
    return replace(_stake_set(table, event), restated=restated)


def _wager_gone(table: Table, event: on.WagerTakenBack | on.WagerWithdrawn) -> Table:
    return without(table, {event.number})


def without(table: Table, numbers: AbstractSet[int]) -> Table:
    """The table without these wagers."""
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
    spare = table.spare_now[0] if table.spare_now else None
    glimpsed = table.glimpsed if spare else _come(table.glimpsed, event.card)
    seen = spare.seen if spare else glimpsed != table.glimpsed
    cards = (*table.cards, Laid(event.card, event.side, event.up, in_hands=seen))
    phase = Phase.INITIAL_DEAL if len(cards) < len(table.game.opening.order) else Phase.DRAWING
    read = [event.card] if event.card and not (spare and spare.card) else []
    shoe = taken_out(table.shoe, 0 if spare else 1, read)
    left = list(table.spare)
    if spare:
        left.remove(spare)
    return handled(replace(table, phase=phase, cards=cards, shoe=shoe, spare=tuple(left), glimpsed=glimpsed))


def _come(glimpsed: tuple[Glimpse, ...], card: str) -> tuple[Glimpse, ...]:
    """The cards that were seen in the device and are still in it: this one has come, by its name or as the next one."""
    for name in (card, ""):
        for place, each in enumerate(glimpsed):
            if each.card == name:
                return (*glimpsed[:place], *glimpsed[place + 1 :])
    return glimpsed


def taken_out(shoe: Shoe, drawn: int, read: Iterable[str]) -> Shoe:
    """The shoe after so many more cards have come out and these were read."""
    seen = dict(shoe.seen)
    for card in read:
        seen[card] = seen.get(card, 0) + 1
    return replace(shoe, drawn=shoe.drawn + drawn, seen=seen)


def missed(shoe: Shoe, cards: Sequence[str]) -> Shoe:
    """The shoe without cards that are missing: they are out of the count, and in no pile (interpretation 44)."""
    shoe = taken_out(shoe, len(cards), cards)
    return replace(shoe, missing=(*shoe.missing, *cards), gone=(*shoe.gone, *cards))


def discarded(table: Table, spare: Iterable[Spare] = ()) -> tuple[str, ...]:
    """The cards of a round that leave the game, as far as everybody knows them: those that lie open, or were told."""
    laid = [laid.card for laid in table.cards if laid.up and laid.card]
    return (*laid, *[each.card for each in spare if each.seen and each.card])


def with_round_shoe(table: Table, shoe: Shoe) -> Table:
    """The table with another state of the shoe that the last round was dealt from."""
    return replace(table, former=shoe) if table.shoe_is_out else replace(table, shoe=shoe)


def _cutting_card_came(table: Table, event: on.CuttingCardCame) -> Table:
    return replace(table, shoe=replace(table.shoe, cutting_card=True), cutting_card_first=event.first)


def _cards_exposed(table: Table, event: on.CardsExposed) -> Table:
    names = iter(event.cards.split())
    read: list[str] = []
    cards = []
    place = 0
    for laid in table.cards:
        place += laid.side is event.side
        if laid.side is event.side and (not event.places or place in event.places):
            card = next(names)
            if not laid.card:
                read.append(card)
            cards.append(replace(laid, card=card, up=True))
        else:
            cards.append(laid)
    shoe = taken_out(table.shoe, 0, read) if read else table.shoe
    return replace(table, cards=tuple(cards), shoe=shoe)


def _totals_announced(table: Table, _: on.TotalsAnnounced) -> Table:
    return replace(table, announced=True)


def _outcome_announced(table: Table, _: on.OutcomeAnnounced) -> Table:
    return replace(table, phase=Phase.OUTCOME, announced=True)


def used_up(table: Table, shoe: Shoe, spare: tuple[Spare, ...]) -> Shoe:
    """The shoe, spent where no card is left for another round."""
    empty = shoe.drawn >= table.open.decks * table.game.deck.size and not spare
    return replace(shoe, spent=True) if empty else shoe


def _with_next_method(table: Table) -> Table:
    """The table once a round is over: the method that was chosen meanwhile is in force."""
    if table.next_method is None:
        return table
    keep = table.next_method is Method.C
    device = table.device if keep else ""
    return replace(table, method=table.next_method, next_method=None, device=device)


def _round_settled(table: Table, event: on.RoundSettled) -> Table:
    table = _with_next_method(table)
    shoe = replace(table.shoe, spent=table.shoe.spent or table.shoe.is_last_round)
    return replace(
        table,
        phase=Phase.SETTLED,
        settled=True,
        paid=True,
        payments=event.payments,
        coups=table.coups if table.shoe_is_out else (*table.coups, event.cards),
        shoe=used_up(table, shoe, table.spare),
    )


def _round_voided(table: Table, event: on.RoundVoided) -> Table:
    table = _with_next_method(table)
    out = event.out.split()
    read = [card for card in out if card != UNREAD]
    if event.found is Found.MISSING_CARDS:
        table = with_round_shoe(table, missed(table.round_shoe, out))
    elif out:
        table = with_round_shoe(table, taken_out(table.round_shoe, len(out) - table.unread, read))
    shoe = table.shoe
    # The void takes the cards of its round with it, also those that were drawn too many (interpretation 23).
    spare = tuple(spare for spare in table.spare if spare.round != event.round)
    told = read if event.found is not Found.MISSING_CARDS else []
    with_it = discarded(table, (spare for spare in table.spare if spare.round == event.round))
    shoe = replace(
        shoe,
        gone=shoe.gone if table.shoe_is_out else (*shoe.gone, *with_it, *told),
        spent=shoe.spent or shoe.is_last_round or event.replace,
        shall_be_replaced=shoe.shall_be_replaced or event.replace,
        proposed=shoe.proposed or event.proposed,
        in_doubt=shoe.in_doubt or (event.proposed and event.found in OF_CONTENTS),
    )
    return replace(
        table,
        phase=Phase.VOID,
        seats={},
        heavier=None,
        pending=None,
        # There is nothing left to decide about the round.
        asked=tuple(asked for asked in table.asked if asked.round != event.round),
        reports=(),
        interrupted=False,
        spare=spare,
        coups=table.coups if table.shoe_is_out else (*table.coups, ""),
        shoe=used_up(table, shoe, spare),
    )


CHANGES: Final[Changes] = {
    on.BetsOpened: _bets_opened,
    on.WagerPlaced: _wager_placed,
    on.WagerChanged: _wager_changed,
    on.WagerTakenBack: _wager_gone,
    on.BetsClosed: _bets_closed,
    on.DifferentialExceeded: _differential_exceeded,
    on.DifferentialMet: _differential_met,
    on.WagerRemoved: _accepted_anew,
    on.CardDrawn: _card_drawn,
    on.CuttingCardCame: _cutting_card_came,
    on.CardsExposed: _cards_exposed,
    on.TotalsAnnounced: _totals_announced,
    on.OutcomeAnnounced: _outcome_announced,
    on.RoundSettled: _round_settled,
    on.RoundVoided: _round_voided,
    on.WagerWithdrawn: _wager_gone,
    on.StakeFound: _stake_found,
}
