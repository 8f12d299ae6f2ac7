"""What is the case at a table, as far as a rule may turn on it."""

from typing import Final

from punto.rules import Circumstance, Method
from punto.table.state import Table

# The edition of the register since which a card that a patron has seen is known to that patron, and to no other.
KNOWN_TO_WHOM: Final = 3


def circumstances(table: Table, *also: Circumstance) -> frozenset[Circumstance]:
    """All that is the case and a rule may turn on."""
    found = {*also, *stage_now(table)}
    if table.method is Method.C:
        found.add(Circumstance.METHOD_C)
    patrons = {placed.patron for placed in table.wagers.values()}
    if patrons and table.readings >= KNOWN_TO_WHOM:
        decided = all(is_decided_for(table, patron) for patron in patrons)
    else:
        decided = table.game.outcome_established(table.seen_deal, table.open.wagers)
    found.add(Circumstance.SOMETHING_DECIDED if decided else Circumstance.NOTHING_DECIDED)
    return frozenset(found)


def is_decided_for(table: Table, patron: str) -> bool:
    """Whether an outcome is established by what a patron may know of the cards (B8, TNC5 5.17; interpretation 48).

    Under an earlier edition of the register it was by what anybody may know.
    """
    deal = table.known_to(patron) if table.readings >= KNOWN_TO_WHOM else table.seen_deal
    return table.game.outcome_established(deal, table.open.wagers)


def stage_now(table: Table) -> frozenset[Circumstance]:
    """How far the deal has come."""
    if table.initial_deal_done:
        return frozenset({Circumstance.INITIAL_DEAL_DONE})
    return frozenset({Circumstance.INITIAL_DEAL} | (set() if table.cards else {Circumstance.NO_CARD_YET}))


def order_told(*, known: bool) -> Circumstance:
    """Whether the right order of cards can be told."""
    return Circumstance.ORDER_KNOWN if known else Circumstance.ORDER_UNKNOWN
