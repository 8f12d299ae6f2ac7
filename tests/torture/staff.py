"""What staff do next at a table, and patrons who handle cards: whatever brings its round forward."""

from collections import Counter

from punto.rules import Method, Side
from punto.table import AnyCommand, Phase, Source, Table
from punto.table import commands as do
from punto.table.events import Ruling
from punto.table.state import Asked, Counting, Offer, Ordering
from tests.torture.house import CUTTING_CARD_AFTER, DEALER, MANAGER, SEATS, SETUPS, SHIFT, SUPERVISOR, SYSTEM, by
from tests.torture.pen import Pen


def next_step(pen: Pen, key: str, table: Table) -> AnyCommand:
    """The command that brings the table forward."""
    match table.awaited:
        case Offer() as offer:
            return _answer(pen, key, table, offer)
        case Ordering(cards=cards):
            return pen.ask(do.OrderCards, key, MANAGER, order=_ordered(pen, table, cards.split()))
        case Asked():
            return _rule(pen, key, table)
        case Counting():
            raise AssertionError("no cards are carried off here")
        case None:
            return _play_on(pen, key, table)


def _ordered(pen: Pen, table: Table, cards: list[str]) -> str:
    """Cards that came together in some order; those of the initial deal did not."""
    certain = [laid.card for laid in table.cards[: len(table.game.opening.order)]]
    rest = list((Counter(cards) - Counter(certain)).elements())
    return " ".join([*certain, *pen.chance.sample(rest, len(rest))])


def _answer(pen: Pen, key: str, table: Table, offer: Offer) -> AnyCommand:
    """A patron withdraws or plays on; now and then all let the time pass."""
    if pen.now_and_then(0.1) or offer.until_ms <= pen.now_ms + 1_000:
        pen.now_ms = max(pen.now_ms, offer.until_ms)
        return pen.ask(do.CallTime, key, SYSTEM)
    name = pen.chance.choice(offer.waiting)
    own = tuple(number for number in offer.wagers if number in table.wagers and table.wagers[number].patron == name)
    chosen = own if offer.whole else tuple(number for number in own if pen.now_and_then(0.5))
    withdraw = chosen if pen.now_and_then(0.3) else ()
    return pen.ask(do.AnswerOffer, key, by(name), patron=name, withdraw=withdraw)


def _rule(pen: Pen, key: str, table: Table) -> AnyCommand:
    ruling = pen.chance.choice((Ruling.CONTINUE, Ruling.CONTINUE, Ruling.VOID, Ruling.RETURN))
    wagers: tuple[int, ...] = ()
    if ruling is Ruling.RETURN:
        if table.wagers:
            wagers = (pen.chance.choice(sorted(table.wagers)),)
        else:
            ruling = Ruling.CONTINUE
    # Cards whose number is in doubt are counted before play goes on with them.
    counted = table.left if table.shoe.in_doubt else None
    return pen.ask(do.Rule, key, SHIFT, ruling=ruling, reason="seen on camera", wagers=wagers, counted=counted)


def _play_on(pen: Pen, key: str, table: Table) -> AnyCommand:
    match table.phase:
        case Phase.CLOSED:
            return pen.ask(do.OpenTable, key, SHIFT, setup=SETUPS[key])
        case Phase.CHANGE_OF_SHOE if table.shoes and pen.now_and_then(0.2):
            return pen.ask(do.CloseTable, key, SHIFT)
        case Phase.CHANGE_OF_SHOE:
            return pen.ask(do.LoadShoe, key, DEALER)
        case Phase.IDLE | Phase.SETTLED | Phase.VOID:
            return _begin(pen, key, table)
        case Phase.BETS_OPEN:
            return pen.ask(do.CloseBets, key, DEALER)
        case Phase.OUTCOME:
            return pen.ask(do.Settle, key, DEALER)
        case _ if table.initial_deal_done and not table.all_up:
            return _expose(pen, key, table)
        case _ if table.initial_deal_done and (not table.announced or table.deal.coup):
            return pen.ask(do.Announce, key, DEALER)
        case _:
            return _draw(pen, key, table)


def _begin(pen: Pen, key: str, table: Table) -> AnyCommand:
    shoe = table.shoe
    if shoe.spent or shoe.proposed:
        return pen.ask(do.EndShoe, key, DEALER)
    if shoe.sealed and not shoe.drawn and not shoe.cut and pen.now_and_then(0.8):
        name, _ = pen.chance.choice(SEATS[key])
        cards = pen.chance.randrange(1, table.open.decks * table.game.deck.size)
        return pen.ask(do.CutShoe, key, by(name), patron=name, cards=cards)
    return pen.ask(do.OpenBets, key, DEALER)


def _draw(pen: Pen, key: str, table: Table) -> AnyCommand:
    """The next card: the floor knows that of a virtual shoe, a device reads it unless it comes face down."""
    if table.open.source is Source.VIRTUAL or table.spare:
        return pen.ask(do.DrawCard, key, DEALER)
    if table.shoe.drawn >= CUTTING_CARD_AFTER and not table.shoe.cutting_card:
        return pen.ask(do.ShowCuttingCard, key, DEALER)
    order = table.game.opening.order
    place = len(table.cards)
    side = order[place] if place < len(order) else table.deal.next
    unread = side is not None and not table.open.reads and table.face_down(side)
    return pen.ask(do.DrawCard, key, DEALER, card=None if unread else card_of(pen, table))


def card_of(pen: Pen, table: Table) -> str:
    """A card that the shoe can still hold."""
    while True:
        card = str(pen.chance.choice(table.game.deck.cards))
        # One copy less than there are, for cards on the table that nobody has read yet.
        if table.shoe.seen.get(card, 0) < table.open.decks - 1:
            return card


def _expose(pen: Pen, key: str, table: Table) -> AnyCommand:
    """The steps of Method A: which hand comes first, who takes it, and it is turned up."""
    closed = [side for side in Side if table.hand(side) and not table.lies_open(side)]
    if table.method is Method.A and table.first is None and not table.announced:
        return pen.ask(do.ChooseFirst, key, DEALER, side=pen.chance.choice(closed))
    side = table.first if table.first in closed else closed[0]
    custody = table.custody(side)
    if custody.offered:
        kind = do.RefuseCards if pen.now_and_then(0.3) else do.AcceptCards
        return pen.ask(kind, key, by(custody.offered), patron=custody.offered, side=side)
    if custody.wanted and pen.now_and_then(0.5):
        name, _ = pen.chance.choice(SEATS[key])
        return pen.ask(do.ChooseHolder, key, SUPERVISOR, side=side, patron=name)
    unread = sum(not laid.card for laid in table.hand(side))
    cards = " ".join(card_of(pen, table) for _ in range(unread))
    actor = by(custody.hand) if custody.hand else DEALER
    return pen.ask(do.ExposeCards, key, actor, side=side, patron=custody.hand, cards=cards)
