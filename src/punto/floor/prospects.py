"""Prospects: what each wager on a table will come to at settlement, as far as that is determined by now.

The table's own settlement says it. It is asked with cards that lie face up, and never with one that lies face down.
"""

from enum import Enum

from msgspec import Struct

from punto.cards import parse_card
from punto.rules import Result, Standing
from punto.rules.money import Cents
from punto.table import Table
from punto.table.events import Sequel
from punto.table.settling import due
from punto.table.state import PLAYING, Laid, Offer, replace


class Unknown(Enum):
    """What a wager still depends on: cards that nobody has seen yet, or what patrons answer to an offer."""

    CARDS = "cards"
    ANSWERS = "answers"


class Prospect(Struct, frozen=True):
    """One wager at the coming settlement: its result and what the patron gets, or what these depend on.

    *stated* says that a decision has stated the result. *paid_cents* has the stake in it, where that goes back.
    """

    number: int
    wager: str
    stake_cents: Cents
    stated: bool
    result: Result | None = None
    paid_cents: Cents | None = None
    depends_on: Unknown | None = None


def prospects(table: Table) -> dict[str, tuple[Prospect, ...]]:
    """What is still to be settled in this round, by patron."""
    found: dict[str, tuple[Prospect, ...]] = {}
    if table.phase not in PLAYING:
        return found
    unknown = _unknown(table)
    for payment in due(_complete(table)):
        number, stated = payment.number, payment.number in table.stated
        prospect = Prospect(number, payment.wager, payment.stake_cents, stated, depends_on=unknown.get(number))
        if number not in unknown:
            prospect = replace(prospect, result=payment.result, paid_cents=payment.paid_cents)
        found[payment.patron] = (*found.get(payment.patron, ()), prospect)
    return found


def _unknown(table: Table) -> dict[int, Unknown]:
    """The wagers whose result is not determined, and what each of them depends on."""
    offer = table.pending if isinstance(table.pending, Offer) else None
    # What patrons hold face down decides what is offered: that would tell something of it (interpretation 48).
    offered = offer.wagers if offer and table.all_up else ()
    # Otherwise cards are put in another order, worked out or dealt anew before the round is settled.
    cards_stay = table.pending is None or (offer is not None and offer.sequel is Sequel.PLAY_ON)
    # Results that were stated lapse when bets reopen (interpretation 46).
    stated = table.stated if offer is None or offer.sequel is not Sequel.REOPEN else {}
    unknown = {}
    for number, placed in table.wagers.items():
        if number in offered:
            unknown[number] = Unknown.ANSWERS
        elif number not in stated and not (cards_stay and _is_certain(table, placed.wager)):
            unknown[number] = Unknown.CARDS
    return unknown


def _is_certain(table: Table, name: str) -> bool:
    """Whether the cards that lie face up settle a wager.

    They make a complete coup; or however the deal goes on, the wager is lost, or is won and has only one way to pay.
    """
    if not table.cards:
        return False
    if table.all_up and table.deal.coup:
        return True
    match table.game.standings(table.so_far)[name]:
        case Standing.LOST:
            return True
        case Standing.WON:
            return len({line.net for line in table.game.wager(name).settlements if line.result is Result.WIN}) == 1
        case Standing.UNDECIDED:
            return False


def _complete(table: Table) -> Table:
    """The table with a complete coup, in which one card stands for each that is still to come or lies face down."""
    stand_in = table.game.deck.cards[0]
    lying = iter(table.cards)
    deal, cards = table.game.begin(), []
    while side := deal.next:
        laid = next(lying, None)
        card = parse_card(laid.card) if laid and laid.up else stand_in
        deal = deal.take(card)
        cards.append(Laid(str(card), side, up=True))
    return replace(table, cards=tuple(cards))
