"""Reconstruction: the cards in the order they should have had, and all that follows from it."""

from collections import Counter
from typing import NamedTuple

from punto.cards import parse_cards
from punto.errors import BadReport
from punto.rules import Deal, Side
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
    names = order.split()
    used = as_dealt(table, order).drawn
    before = " ".join([*(laid.card for laid in table.cards if laid.card), *table.surplus])
    draft.add(on.CardsRebuilt(before, " ".join(names[:used]), " ".join(names[used:]), clause))
    go_on(draft)


def as_dealt(table: Table, order: str) -> Deal:
    """The deal that cards in this order make, as far as it needs them."""
    deal = Deal.begin(table.game.opening)
    for card in parse_cards(order, table.game.deck):
        if deal.next is None:
            break
        deal = deal.take(card)
    return deal


class Reported(NamedTuple):
    """Cards as they were reported: in order, those among them that the table had not seen, and how many lie there."""

    order: str
    fresh: tuple[str, ...]
    lying: int


def check_order(table: Table, player: str, banker: str, order: str | None) -> Reported:
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
    recorded = Counter(laid.card for laid in table.cards if laid.card)
    if not recorded <= Counter(lying):
        # Which ones is nobody's to hear while they lie face down.
        raise BadReport("the table has seen other cards than those that are said to lie there")
    rest = Counter(lying) - recorded
    waiting = Counter(table.surplus)
    if Counter(table.surplus[: rest.total()]) - rest:
        raise BadReport(f"{table.surplus[0]} was drawn before: it comes before any other card")
    fresh = tuple((rest - waiting).elements())
    unread = table.unread
    if len(fresh) < unread:
        raise BadReport(f"{unread} cards of this round have not been read, and are not all named")
    for place, card in enumerate(fresh):
        check_card(table, card, fresh[:place])
    kept = (waiting - rest).elements()
    return Reported(" ".join([*ordered, *kept]), fresh, len(lying))


def certain_deal(table: Table, order: str) -> Deal:
    """The deal as far as the cards that were recorded came in this order."""
    deck = table.game.deck
    same = []
    for laid, card in zip(table.cards, parse_cards(order, deck), strict=False):
        if laid.card != str(card):
            break
        same.append(card)
    return Deal.of(table.game.opening, same)


def is_right_number(table: Table, player: str, banker: str) -> bool:
    """Whether hands that lie so have as many cards as the Table of Play has given them so far."""
    deck, opening = table.game.deck, table.game.opening
    hands = {Side.PLAYER: [*opening.player, *parse_cards(player, deck)], Side.BANKER: [*parse_cards(banker, deck)]}
    deal = Deal.begin(opening)
    left = {Side.PLAYER: iter(hands[Side.PLAYER][len(opening.player) :]), Side.BANKER: iter(hands[Side.BANKER])}
    while deal.next:
        card = next(left[deal.next], None)
        if card is None:
            break
        deal = deal.take(card)
    return deal.drawn == sum(map(len, hands.values())) - len(opening.player)
