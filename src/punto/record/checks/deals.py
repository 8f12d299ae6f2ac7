"""The deal: each card to the hand that is due, exposed by who may, totals and outcome announced as they are."""

from punto.record.checks import events as on
from punto.record.checks.cards import Laid
from punto.record.checks.custody import may_be_down, must_be_down
from punto.record.checks.findings import Code
from punto.record.checks.shoes import see, take_card
from punto.record.checks.sitting import Phase, Sitting
from punto.rules import Side, Winner, total

_DEALING = frozenset({Phase.DEALING})


def card_drawn(sitting: Sitting, event: on.CardDrawn) -> None:
    """A card comes to the hand whose turn it is, and only when one is due (the Table of Play)."""
    sitting.expect(_DEALING, "a card was drawn")
    if sitting.heavier:
        sitting.wrong(Code.BAD_DIFFERENTIAL, "a card was drawn while the table differential was exceeded (5.18)")
    _check_due(sitting, event.side)
    terms = sitting.open
    if not event.card and (terms.setup.reads or event.up):
        sitting.wrong(Code.BAD_CARD, "nobody has read the card, though it lies open or the device reads cards")
    if must_be_down(sitting, event.side) if event.up else not may_be_down(sitting, event.side):
        said = f"a card of {event.side.value} came face {'up' if event.up else 'down'}"
        sitting.wrong(Code.BAD_CUSTODY, f"{said}, against the method of dealing")
    seen = take_card(sitting, event.card)
    sitting.draw(Laid(event.card, event.side, event.up, in_hands=seen))
    sitting.handle()


def _check_due(sitting: Sitting, side: Side) -> None:
    """Whose the next card is: by place in the initial deal, by the Table of Play after it."""
    order = sitting.open.game.opening.order
    drawn = len(sitting.cards)
    if drawn < len(order):
        due: Side | None = order[drawn]
    elif not sitting.announced:
        sitting.wrong(Code.BAD_CARD, "a third card was drawn before the totals were announced")
        return
    else:
        deal = sitting.deal
        due = deal.next if deal.drawn == drawn else None
    if due is not side:
        said = f"{due.value}'s card was due" if due else "no card was due"
        sitting.wrong(Code.BAD_CARD, f"a card was dealt to {side.value}; {said} ({sitting.open.book.play.draw})")


def cards_exposed(sitting: Sitting, event: on.CardsExposed) -> None:
    """A hand is turned up: what it was read as, it is."""
    sitting.expect(_DEALING, "cards were exposed", free=False)
    hand = sitting.hand(event.side)
    if event.places:
        hand = [laid for place, laid in enumerate(hand, 1) if place in event.places and not laid.up]
    named = event.cards.split(" ") if event.cards else []
    if len(named) != len(hand):
        said = f"{event.side.value}'s hand was exposed as {event.cards or 'nothing'}; expected {len(hand)} cards"
        sitting.wrong(Code.BAD_CARD, said)
        return
    for laid, card in zip(hand, named, strict=True):
        if laid.card and laid.card != card:
            sitting.wrong(Code.BAD_CARD, f"{laid.card} was drawn, and exposed as {card}")
        elif not laid.card:
            see(sitting, card)
            laid.card = card
        laid.up = True
    sitting.lay(sitting.cards)


def totals_announced(sitting: Sitting, event: on.TotalsAnnounced) -> None:
    """The totals of the initial deal, once all its cards lie open."""
    sitting.expect(_DEALING, "totals were announced")
    if sitting.announced:
        sitting.wrong(Code.OUT_OF_TURN, "the totals were announced twice")
    deal = sitting.deal
    if not sitting.initial_deal_done or not sitting.all_up or deal.drawn < len(deal.opening.order):
        sitting.wrong(Code.OUT_OF_TURN, "the totals were announced before the initial deal lay open")
    else:
        totals = total(deal.player[:2]), total(deal.banker[:2])
        if (event.player, event.banker) != totals:
            sitting.wrong(Code.BAD_ANNOUNCEMENT, f"announced {event.player} and {event.banker}; the cards say {totals}")
    sitting.expect_clause(event.clause, sitting.open.book.play.draw, Code.BAD_ANNOUNCEMENT)
    sitting.announced = True


def outcome_announced(sitting: Sitting, event: on.OutcomeAnnounced) -> None:
    """The outcome, once the coup is complete and lies open."""
    play = sitting.open.book.play
    sitting.expect(_DEALING, "the outcome was announced")
    if not sitting.announced:
        sitting.wrong(Code.OUT_OF_TURN, "the outcome was announced before the totals")
    deal = sitting.deal
    coup = deal.coup
    if coup is None or not sitting.all_up or deal.drawn != len(sitting.cards):
        sitting.wrong(Code.OUT_OF_TURN, "the outcome was announced before the cards of the round lay open and complete")
    else:
        said = event.winner, event.player, event.banker
        if said != (coup.winner, coup.player.total, coup.banker.total):
            right = f"{coup.winner.value}, {coup.player.total} to {coup.banker.total}"
            sitting.wrong(Code.BAD_ANNOUNCEMENT, f"announced {event.winner.value}; the cards say {right}")
        if coup.winner is not Winner.TIE or event.clause != play.tie:
            sitting.expect_clause(event.clause, play.outcome, Code.BAD_ANNOUNCEMENT)
    if event.cards != sitting.written:
        sitting.wrong(Code.BAD_ANNOUNCEMENT, f"announced on {event.cards}; the cards are {sitting.written}")
    sitting.phase = Phase.OUTCOME
