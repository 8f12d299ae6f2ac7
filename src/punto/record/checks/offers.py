"""Offers of withdrawal: undecided wagers only, all or none where the rulebook says so (interpretation 18)."""

from dataclasses import replace

from punto.record.checks import matters
from punto.record.checks.authority import carries
from punto.record.checks.awaited import Offer
from punto.record.checks.bets import restake
from punto.record.checks.findings import Code
from punto.record.checks.sitting import IN_ROUND, Phase, Sitting
from punto.record.checks.terms import SECOND, THIRD
from punto.rules import Duty, Found, Remedy, Standing

# By which remedies withdrawal is offered: all or none, and what comes of it.
_OFFERS = {
    Remedy.OFFER_THEN_REBUILD: (False, "rebuild"),
    Remedy.ORDER_THEN_OFFER: (True, "rebuild"),
    Remedy.OFFER_ALL_THEN_PLAY_ON: (True, "play-on"),
    Remedy.OFFER_THEN_REOPEN: (False, "reopen"),
    Remedy.OFFER_THEN_PLAY_ON: (False, "play-on"),
}


def withdrawal_offered(sitting: Sitting, event: matters.WithdrawalOffered) -> None:
    """Every undecided wager is offered to its patron, and no other."""
    if sitting.paid and sitting.edition >= SECOND:
        sitting.wrong(Code.PAID_ROUND, f"wagers of round {sitting.round} were offered back after it was paid")
    phases = IN_ROUND if sitting.edition >= SECOND else IN_ROUND | {Phase.SETTLED}
    sitting.expect(phases, "withdrawal was offered", free=sitting.offer is None)
    undecided = _undecided(sitting, event.order)
    if sorted(event.wagers) != undecided:
        sitting.wrong(Code.BAD_OFFER, f"wagers {list(event.wagers)} were offered; undecided were {undecided}")
    patrons = {sitting.bets[number].patron for number in undecided}
    if set(event.patrons) != patrons or len(event.patrons) != len(patrons):
        sitting.wrong(Code.BAD_OFFER, f"{', '.join(event.patrons)} were asked; it is for {', '.join(sorted(patrons))}")
    matter = sitting.matter
    rule = _OFFERS.get(matter.remedy) if matter else None
    if matter is None or rule is None:
        sitting.wrong(Code.BAD_REMEDY, "withdrawal was offered, and nothing was found for which it is")
    else:
        sitting.expect_clause(event.clause, matter.clause)
        if (event.whole, event.sequel) != rule:
            sitting.wrong(Code.BAD_OFFER, f"all or none, and what follows, is not what {matter.clause} says")
    if (event.sequel == "rebuild") is not bool(event.order):
        sitting.wrong(Code.BAD_OFFER, "cards are rebuilt in an order that was told, and only rebuilt ones have one")
    if event.until_ms != sitting.at_ms + sitting.open.setup.timings.answer_ms:
        sitting.wrong(Code.BAD_OFFER, "the time for an answer is not what the table was opened with")
    numbers, waiting = frozenset(event.wagers), list(event.patrons)
    sitting.withdrawn = {}
    sitting.offer = Offer(
        matter, event.clause, numbers, waiting, event.whole, event.until_ms, event.sequel, event.order
    )


def _undecided(sitting: Sitting, order: str) -> list[int]:
    """The wagers that are open: by the cards so far, or where their order is in doubt, by those before the doubt."""
    deal = sitting.seen_deal()
    matter = sitting.matter
    if matter and matter.found is Found.INTERRUPTION and sitting.edition >= THIRD:
        # Whoever has seen cards that decide something is asked no more (interpretation 48).
        mine = {bet.patron: not sitting.is_decided_for(bet.patron) for bet in sitting.bets.values()}
        return [n for n, bet in sitting.bets.items() if mine[bet.patron] and n not in sitting.stated]
    if matter and sitting.edition >= SECOND:
        if matter.found is Found.DEVICE_RESET:
            return [*sitting.bets]  # the cards are discarded, with all that they decided
        if matter.together:
            deal = sitting.seen_deal(min(matter.together) - 1)
    elif order:
        laid, sure = [each.card for each in sitting.cards], sitting.open.game.begin()
        if sitting.matter and sitting.matter.remedy is Remedy.ORDER_THEN_OFFER:
            laid = laid[: len(sure.opening.order)]  # all after the initial deal is in doubt
        for card, came in zip(order.split(), laid, strict=False):
            kind = sitting.open.cards.get(card)
            if card != came or kind is None or sure.next is None:
                break
            sure = sure.take(kind)
        deal = sure
    standings = sitting.open.game.standings(deal)
    return [
        number
        for number, bet in sitting.bets.items()
        if standings.get(bet.wager) is Standing.UNDECIDED and number not in sitting.stated
    ]


def wager_withdrawn(sitting: Sitting, event: matters.WagerWithdrawn) -> None:
    """A patron withdraws a wager that was offered, all of it."""
    offer = sitting.offer
    bet = sitting.bet(event.number, event.patron, event.cents)
    if offer is None or event.patron not in offer.waiting or event.number not in offer.wagers:
        sitting.wrong(Code.BAD_OFFER, f"wager {event.number} was withdrawn, and was not on offer to {event.patron}")
    else:
        sitting.expect_clause(event.clause, offer.clause)
        sitting.withdrawn[event.patron] = sitting.withdrawn.get(event.patron, 0) + 1
    if bet is not None:
        restake(sitting, bet, 0)


def offer_answered(sitting: Sitting, event: matters.OfferAnswered) -> None:
    """A patron has answered once, and where it is all or none, with all or none."""
    offer = sitting.offer
    if offer is None or event.patron not in offer.waiting:
        sitting.wrong(Code.BAD_OFFER, f"{event.patron} answered, and was not asked")
        return
    offer.waiting.remove(event.patron)
    if sitting.at_ms > offer.until_ms:
        sitting.wrong(Code.BAD_OFFER, f"{event.patron} answered after the time for it was up")
    if offer.whole:
        left = [n for n in offer.wagers if n in sitting.bets and sitting.bets[n].patron == event.patron]
        if left and sitting.withdrawn.get(event.patron):
            sitting.wrong(Code.BAD_OFFER, f"{event.patron} withdrew some wagers and left {left}: it is all or none")


def offer_extended(sitting: Sitting, event: matters.OfferExtended) -> None:
    """After an interruption the time for answers begins anew."""
    if sitting.offer is None:
        sitting.wrong(Code.OUT_OF_TURN, "an offer was extended that was not open")
        return
    if event.until_ms != sitting.at_ms + sitting.open.setup.timings.answer_ms:
        sitting.wrong(Code.BAD_OFFER, "the time for an answer is not what the table was opened with")
    sitting.offer.until_ms = event.until_ms


def offer_closed(sitting: Sitting, event: matters.OfferClosed) -> None:
    """Everybody has answered, or the time is up."""
    offer = sitting.offer
    if offer is None:
        sitting.wrong(Code.OUT_OF_TURN, "an offer was closed that was not open")
        return
    if sorted(event.silent) != sorted(offer.waiting):
        sitting.wrong(Code.BAD_OFFER, f"{offer.waiting} had not answered, not {list(event.silent)}")
    # Who decides what no rule covers may call time whatever the clocks say (interpretation 18).
    if offer.waiting and sitting.at_ms < offer.until_ms and not carries(sitting, sitting.by, Duty.RULE):
        sitting.wrong(Code.BAD_OFFER, f"the offer was closed before the time of {', '.join(offer.waiting)} was up")
    sitting.closed, sitting.offer = offer, None
    sitting.matter = replace(offer.matter, order=offer.order) if offer.matter else None
