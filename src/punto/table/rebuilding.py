"""Reconstruction: the cards in the order they should have had, and all that follows from it."""

from collections import Counter

from punto.cards import parse_cards
from punto.errors import BadReport
from punto.rules import Deal
from punto.table import events as on
from punto.table.dealing import check_card, go_on
from punto.table.draft import Draft
from punto.table.settling import reverse
from punto.table.state import Table


def rebuild(draft: Draft, order: str, clause: str) -> None:
    """Put the cards in order, undo a settlement that rested on another, and go on from there.

    A card that the coup does not need counts as not yet drawn: it is the next one (interpretation 23).
    """
    reverse(draft)
    table = draft.table
    deal = Deal.begin(table.game.opening)
    cards = parse_cards(order, table.game.deck)
    used = 0
    while deal.next and used < len(cards):
        deal = deal.take(cards[used])
        used += 1
    names = [str(card) for card in cards]
    before = " ".join([*(laid.card for laid in table.cards if laid.card), *table.surplus])
    draft.add(on.CardsRebuilt(before, " ".join(names[:used]), " ".join(names[used:]), clause))
    go_on(draft)


def check_order(table: Table, player: str, banker: str, order: str | None) -> str:
    """The order of the cards, if it agrees with how they lie and with what the table has seen.

    Cards that the table has not seen must be such as the shoe can still hold. Without an order, the cards as they lie.
    """
    deck = table.game.deck
    lying = [str(card) for card in (*parse_cards(player, deck), *parse_cards(banker, deck))]
    ordered = [str(card) for card in parse_cards(order, deck)] if order is not None else lying
    if not lying:
        raise BadReport("no card lies on the table: there is nothing to rebuild")
    if Counter(lying) != Counter(ordered):
        raise BadReport("the order names other cards than those that lie on the table")
    unread = sum(not laid.card for laid in table.cards)
    recorded = Counter(laid.card for laid in table.cards if laid.card)
    if not recorded <= Counter(lying):
        absent = ", ".join(recorded - Counter(lying))
        raise BadReport(f"the table has seen {absent}, which is not among the cards that lie there")
    rest = Counter(lying) - recorded
    waiting = Counter(table.surplus)
    fresh = tuple((rest - waiting).elements())
    if len(fresh) < unread:
        raise BadReport(f"{unread} cards of this round have not been read, and are not all named")
    for place, card in enumerate(fresh):
        check_card(table, card, fresh[:place])
    kept = (waiting - rest).elements()
    return " ".join([*ordered, *kept])
