"""Dealing: cards one at a time, face up or face down, and the announcements that go with them."""

from punto.cards import parse_card, parse_cards
from punto.errors import (
    ImpossibleCard,
    Malformed,
    NoCardDue,
    NotAllowed,
    NotInHand,
    OutOfTurn,
    ShoeIsSpent,
    TooHeavy,
    quoted,
)
from punto.rules import Duty, Found, Method, Position, Remedy, Side, total
from punto.rules.deal import INITIAL
from punto.table import commands as do
from punto.table import events as on
from punto.table.actor import Actor, check_duty
from punto.table.bets import ON_HAND, custody_clauses
from punto.table.custody import offer_hands
from punto.table.draft import Draft
from punto.table.matters import refer_matter
from punto.table.settling import settle, void
from punto.table.setup import Source
from punto.table.state import DEALING, Phase, Shoe, Table


def draw(draft: Draft, command: do.DrawCard) -> None:
    """Draw the next card."""
    table = draft.table
    _check_drawer(table, command.by)
    _check_dealing(table)
    side = _due(table)
    if table.left == 0 and not table.spare_now:
        # A virtual shoe is empty; a card that comes from a device all the same is one too many.
        found = Found.TOO_FEW_CARDS if table.open.source is Source.VIRTUAL else Found.EXTRA_CARDS
        rule = table.book.conduct.rule(found, frozenset(), paid=table.paid)
        draft.add(on.IrregularityFound(found, rule.remedy, rule.clause))
        if rule.remedy is Remedy.REFER:
            refer_matter(draft, found, found.value)
        else:
            void(draft, found, rule.clause, rule.remedy)
        return
    if _cutting_card_is_next(table):
        first = not table.cards
        draft.add(on.CuttingCardCame(first, cutting_clause(table)))
        if first and table.open.hlga:
            return  # the Dealer may let patrons withdraw before a card is drawn (B8, TNC5 3.17.1)
    up = not table.face_down(side)
    draft.add(on.CardDrawn(_read(table, command.card, up=up), side, up))
    go_on(draft)


def cutting_clause(table: Table) -> str:
    """Where the rulebook speaks of the cutting card; FF2 does not (interpretation 21)."""
    return table.book.play.cutting_card or ""


def _cutting_card_is_next(table: Table) -> bool:
    """Whether a virtual shoe's cutting card comes before its next card."""
    virtual = table.open.source is Source.VIRTUAL
    return virtual and not table.shoe.cutting_card and table.left <= table.open.behind


def show_cutting_card(draft: Draft, command: do.ShowCuttingCard) -> None:
    """The cutting card has come out of a device: it is removed, and the round is completed."""
    table = draft.table
    if command.by.position is Position.PATRON:
        _check_drawer(table, command.by)
    else:
        check_duty(table.book, table.open.ranks, command.by, Duty.DRAW)
    _check_dealing(table)
    if table.open.source is Source.VIRTUAL or table.shoe.cutting_card or table.shoe_is_out:
        raise NoCardDue("the cutting card cannot come now")
    first = not table.cards and not table.spare_now  # a card that was drawn too many is out already
    draft.add(on.CuttingCardCame(first, cutting_clause(table)))


def _check_drawer(table: Table, actor: Actor) -> None:
    """The Dealer draws, except that by Method C the patron at the device does (B8, TNC5 3.8.1, 3.11.1)."""
    if table.method is Method.C and table.device:
        if actor.position is not Position.PATRON or actor.name != table.device:
            raise NotAllowed("a patron controls the device, and nobody else draws the cards")
    elif actor.position is Position.PATRON:
        raise NotAllowed(f"{quoted(actor.name)} does not control the device")
    elif table.method is Method.C and not table.dealer_stands_in:
        clause = custody_clauses(table).patron_draws
        raise NotAllowed(f"by Method C a patron draws the cards ({clause}): nobody controls the device")
    else:
        check_duty(table.book, table.open.ranks, actor, Duty.DRAW)


def _check_dealing(table: Table) -> None:
    if table.phase not in DEALING:
        raise OutOfTurn(f"no card is drawn in phase {table.phase.value}")
    if table.heavier:
        raise TooHeavy(f"no card is dealt while {ON_HAND[table.heavier]} is too heavy")
    if not table.spare_now and not table.shoe.can_be_drawn_from:
        raise ShoeIsSpent("the cards must be replaced before another is drawn")


def _due(table: Table) -> Side:
    """Whose the next card is; refused while totals are not announced, or when none is due."""
    order = table.game.opening.order
    if len(table.cards) < len(order):
        return order[len(table.cards)]
    if not table.all_up:
        raise NoCardDue("the cards that lie face down come first")
    if not table.announced:
        raise NoCardDue("the point totals are announced first")
    side = table.deal.next
    if side is None:
        raise NoCardDue("the coup is complete: no card is due")
    return side


def _read(table: Table, token: str | None, *, up: bool) -> str:
    """The card that has come, if the shoe can hold it; nothing where it came face down and unread."""
    spare = table.spare_now[0] if table.spare_now else None
    next_ = spare.card if spare else ""
    if spare and next_:
        if token is not None and str(parse_card(token, table.game.deck)) != next_:
            said = next_ if spare.seen else "a card that nobody has seen"
            raise ImpossibleCard(f"{quoted(token)} cannot come now: {said} is out of the device already, and is next")
        return next_
    if token is None:
        if up or table.open.reads:
            raise NoCardDue("a card without a name: expected what the device has read")
        return ""
    if not up and not table.open.reads:
        raise Malformed("the device does not read cards, and this one comes face down: it has no name yet")
    return check_card(table, token)


def check_card(table: Table, token: str, others: tuple[str, ...] = (), shoe: Shoe | None = None) -> str:
    """The card by its name, if the shoe can still hold it beside those: the one in place, where no other is named."""
    card = str(parse_card(token, table.game.deck))
    if (shoe or table.shoe).seen.get(card, 0) + others.count(card) >= table.open.decks:
        raise ImpossibleCard(
            f"all {table.open.decks} copies of {card} are out or named: if it has come again, report extra-cards"
        )
    return card


def expose(draft: Draft, command: do.ExposeCards) -> None:
    """Turn a hand's cards up: by who handles it, else by the Dealer."""
    table = draft.table
    side = command.side
    _check_exposer(table, command)
    if table.phase is not Phase.DRAWING:
        raise OutOfTurn("hands are exposed once the initial deal is complete")
    if table.lies_open(side):
        raise NotInHand(f"the {side.value} hand lies open already")
    if not table.may_turn(side):
        if table.first is None:
            raise OutOfTurn("the Dealer determines first which hand is revealed first")
        raise OutOfTurn(f"the {table.first.value} hand is revealed first")
    turn_up(draft, side, command.cards)
    go_on(draft)


def turn_up(draft: Draft, side: Side, named: str, places: tuple[int, ...] = ()) -> None:
    """Lay a hand open, or only the cards at these places of it; *named* are its cards where nobody has read them."""
    table = draft.table
    hand = [laid for place, laid in enumerate(table.hand(side), 1) if not places or place in places]
    unread = sum(not laid.card for laid in hand)
    names = [str(card) for card in parse_cards(named, table.game.deck)]
    shown = [laid.card for laid in hand]
    if unread and len(names) == unread:
        given = iter(names)
        read: tuple[str, ...] = ()
        for place, laid in enumerate(hand):
            if not laid.card:
                shown[place] = check_card(table, next(given), read)
                read = (*read, shown[place])
    elif unread:
        raise NoCardDue(f"cards of the {side.value} hand that have not been read: {unread}. Expected their names")
    elif names and names != [laid.card for laid in hand if not laid.up]:
        raise ImpossibleCard(f"the device has read other cards for the {side.value} hand")
    draft.add(on.CardsExposed(side, " ".join(shown), places))


def _check_exposer(table: Table, command: do.ExposeCards) -> None:
    custody = table.custody(command.side)
    hand = custody.hand or (table.device if table.method is Method.C else "")
    if command.patron:
        if command.by.position is not Position.PATRON:
            check_duty(table.book, table.open.ranks, command.by, Duty.SPEAK_FOR_PATRON)
        elif command.by.name != command.patron:
            raise NotAllowed("a patron acts for nobody else")
        if command.patron != hand:
            raise NotInHand(f"{command.patron} does not handle the {command.side.value} hand")
        return
    if command.by.position is Position.PATRON:
        raise NotAllowed("a patron exposes cards in the patron's own name")
    check_duty(table.book, table.open.ranks, command.by, Duty.EXPOSE)
    if custody.hand or custody.offered:
        patron = custody.hand or custody.offered
        raise NotInHand(f"{patron} has a right to the {command.side.value} hand: report it if {patron} is absent")


def go_on(draft: Draft) -> None:
    """What follows from the last card by itself: hands are passed on, and on terminals all the rest of the round.

    EB4 1.1.16; E7U 1.1.6.
    """
    table = draft.table
    if not table.initial_deal_done or table.awaited is not None:
        return
    if len(table.cards) == len(table.game.opening.order) and not table.announced:
        offer_hands(draft)
    if table.book.conduct.terminals and table.all_up:
        announce_all(draft)
        if draft.table.phase is Phase.OUTCOME:
            settle(draft)


def announce(draft: Draft, _: do.Announce) -> None:
    """The Dealer announces totals, and the outcome once the coup is complete (B8, TNC5 3.14, 3.9.1; FF2 3.8)."""
    table = draft.table
    if table.phase is not Phase.DRAWING:
        raise OutOfTurn("there is nothing to announce")
    if not table.all_up:
        raise NoCardDue("the cards that lie face down come first")
    before = len(draft.events)
    announce_all(draft)
    if len(draft.events) == before:
        raise NoCardDue("the totals are announced: the third card comes first")


def announce_all(draft: Draft) -> None:
    """Announce what there is to announce."""
    table = draft.table
    if not table.announced:
        deal = table.deal
        player, banker = (total(hand[:INITIAL]) for hand in (deal.player, deal.banker))
        draft.add(on.TotalsAnnounced(player, banker, table.book.play.draw))
    coup = draft.table.deal.coup
    if coup:
        cards = " ".join(laid.card for laid in table.cards)
        clause = table.book.play.outcome
        draft.add(on.OutcomeAnnounced(coup.winner, coup.player.total, coup.banker.total, cards, clause))


def settle_round(draft: Draft, _: do.Settle) -> None:
    """The Dealer collects and pays."""
    if draft.table.phase is not Phase.OUTCOME:
        raise OutOfTurn("there is no outcome to settle")
    settle(draft)
