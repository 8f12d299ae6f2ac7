"""Reconstruction: the cards in the order they should have had, and all that follows from it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from punto.cards import parse_card
from punto.errors import BadReport
from punto.rules import Deal, Side
from punto.table import events as on
from punto.table.dealing import check_card, go_on
from punto.table.draft import Draft
from punto.table.settling import reverse
from punto.table.state import UNREAD, Table

# How many third cards a coup may still want, by whose comes next.
_MOST_WANTING: Final[Mapping[Side | None, int]] = {Side.PLAYER: 2, Side.BANKER: 1, None: 0}


class Reported(NamedTuple):
    """Cards as they were reported, in their order.

    *names* are as far as anybody or the device has read them, and *seen* tells which of them somebody may have seen.
    *fresh* are the names that the table had not read before; *out* are the cards that lie there besides those recorded.
    """

    names: tuple[str, ...]
    seen: tuple[bool, ...]
    fresh: tuple[str, ...]
    out: tuple[str, ...]
    lying: int

    @property
    def written(self) -> str:
        """The order, with a question mark for each card that nobody has read."""
        return written(self.names)


def written(names: Sequence[str]) -> str:
    """Cards in a line; one that nobody has read is a question mark."""
    return " ".join(name or UNREAD for name in names)


def rebuild(draft: Draft, order: str, clause: str) -> None:
    """Put the cards in order, undo a settlement that rested on another, and go on from there.

    A card that the coup does not need counts as not yet drawn (interpretation 23).
    """
    reverse(draft)
    table = draft.table
    reported = check_order(table, order, "", order)
    used = cards_needed(table, reported.names)
    before = [laid.card for laid in table.cards] + [spare.told for spare in table.spare_now]
    unseen = tuple(place for place, seen in enumerate(reported.seen[used:], 1) if not seen)
    cards, surplus = reported.names[:used], reported.names[used:]
    draft.add(on.CardsRebuilt(written(before), written(cards), written(surplus), clause, unseen))
    go_on(draft)


def cards_needed(table: Table, names: Sequence[str]) -> int:
    """How many of these cards, in their order, the round needs as far as their names tell.

    A card that nobody has read lies in a hand only where cards come face down; elsewhere it comes next, and is turned.
    """
    opening = table.game.opening
    deal: Deal | None = Deal.begin(opening)
    for place, name in enumerate(names):
        initial = place < len(opening.order)
        side = opening.order[place] if initial else deal.next if deal else None
        if side is None or not (name or table.face_down(side, initial=initial)):
            return place
        deal = deal.take(parse_card(name)) if deal and name else None
    return len(names)


def can_be_finished(table: Table, reported: Reported) -> bool:
    """Whether a round in this order is complete, or can still get every card that it may need."""
    used = cards_needed(table, reported.names)
    names = reported.names[:used]
    opening = table.game.opening
    wanting = len(opening.order) - used
    if all(names) and wanting <= 0:
        wanting = _MOST_WANTING[Deal.of(opening, map(parse_card, names)).next]
        if not wanting:
            return True
    else:
        wanting += _MOST_WANTING[Side.PLAYER]
    if table.shoe_is_out or not table.shoe.can_be_drawn_from:
        return False
    over = len(reported.names) - used
    return wanting <= table.left - len(reported.out) + over


def check_order(table: Table, player: str, banker: str, order: str | None) -> Reported:
    """The order of the cards, if it agrees with how they lie and with what the table has seen.

    Cards that the table has not seen must be such as the shoe can still hold. Without an order, the cards as they lie.
    """
    lying = [*_tokens(table, player), *_tokens(table, banker)]
    ordered = _tokens(table, order) if order is not None else lying
    if not lying:
        raise BadReport("no card lies on the table: there is nothing to rebuild")
    if Counter(lying) != Counter(ordered):
        raise BadReport("the order names other cards than those that lie on the table")
    beyond = len(lying) - len(table.cards)
    if beyond < 0:
        raise BadReport(f"{len(table.cards)} cards were dealt in this round, and only {len(lying)} are named")
    return _matched(table, ordered, beyond)


def _tokens(table: Table, cards: str) -> list[str]:
    """The names of cards; a question mark stands for one that lies face down."""
    return [token if token == UNREAD else str(parse_card(token, table.game.deck)) for token in cards.split()]


def _matched(table: Table, ordered: list[str], beyond: int) -> Reported:
    """Match each reported card to a recorded one. *beyond* is how many of them the round has not dealt yet."""
    named = Counter(ordered)
    slots = named.pop(UNREAD, 0)
    face_up = Counter(laid.card for laid in table.cards if laid.up)
    if not face_up <= named:
        # Which ones is nobody's to hear while they lie face down.
        raise BadReport("the table has seen other cards than those that are said to lie there")
    rest = named - face_up
    next_ = table.spare_now[:beyond]
    for spare in next_:
        if spare.seen and not rest[spare.card]:
            raise BadReport(f"{spare.card} was drawn before: it comes before any other card")
        rest[spare.card] -= bool(spare.seen)
    hidden: list[tuple[str, bool]] = []
    for card, seen in [
        *[(laid.card, laid.in_hands) for laid in table.cards if not laid.up],
        *[(spare.card, False) for spare in next_ if not spare.seen],
    ]:
        if card and rest[card] > 0:
            rest[card] -= 1
        else:
            hidden.append((card, seen))
    rest = +rest
    fresh = tuple(rest.elements())
    for place, card in enumerate(fresh):
        check_card(table, card, fresh[:place], table.round_shoe)
    # What is in a patron's hands may have been seen, also a card that should not be there (interpretation 48).
    held = any(table.in_hands(side) for side in Side)
    hidden = _concealed(hidden, slots, len(fresh), held=held)
    concealed = iter(hidden)
    cards = [next(concealed) if token == UNREAD else (token, True) for token in ordered]
    new = beyond - len(next_)
    out = ([*fresh[len(fresh) - new :]] if new <= len(fresh) else [*fresh, *[""] * (new - len(fresh))]) if new else []
    kept = table.spare_now[beyond:]
    cards += [(spare.card, spare.seen) for spare in kept]
    names, flags = tuple(card for card, _ in cards), tuple(seen for _, seen in cards)
    _check_succession(table, names)
    return Reported(names, flags, fresh, tuple(out), len(ordered))


def _check_succession(table: Table, names: Sequence[str]) -> None:
    """Cards that were out already come before any that the report adds."""
    laid = Counter(laid.card for laid in table.cards if laid.card)
    waiting = Counter(spare.card for spare in table.spare_now if spare.card)
    unread = table.unread + sum(not spare.card for spare in table.spare_now)
    for name in names:
        if laid[name]:
            laid[name] -= 1
        elif waiting[name]:
            waiting[name] -= 1
        elif unread:
            unread -= 1
        elif waiting.total():
            raise BadReport(f"another card was out of the device already: name it before {name or 'the added one'}")


def _concealed(hidden: list[tuple[str, bool]], slots: int, fresh: int, *, held: bool) -> list[tuple[str, bool]]:
    """What lies under the question marks: recorded cards that were not named, as far as names went to others first.

    The others came out besides, and were seen where a patron *held* them.
    """
    unread = sum(not card for card, _ in hidden)
    over = max(len(hidden) - slots, 0)
    if over > min(unread, fresh):
        raise BadReport("the table has seen other cards than those that are said to lie there")
    left = []
    for card, seen in hidden:
        if not card and over:
            over -= 1
        else:
            left.append((card, seen))
    return [*left, *[("", held)] * (slots - len(left))]


def is_right_number(table: Table, player: str, banker: str) -> bool:
    """Whether hands that lie so have for certain as many cards as the Table of Play has given them so far."""
    order = table.game.opening.order
    hands = {Side.PLAYER: iter(_tokens(table, player)), Side.BANKER: iter(_tokens(table, banker))}
    deal: Deal | None = Deal.begin(table.game.opening)
    place = 0
    while side := order[place] if place < len(order) else deal.next if deal else None:
        token = next(hands[side], None)
        if token is None:
            break
        deal = deal.take(parse_card(token)) if deal and token != UNREAD else None
        place += 1
    return not any([*hands[Side.PLAYER], *hands[Side.BANKER]])
