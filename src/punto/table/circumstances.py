"""What is the case at a table, as far as a rule may turn on it."""

from punto.rules import Circumstance, Method
from punto.table.state import Table


def circumstances(table: Table, *also: Circumstance) -> frozenset[Circumstance]:
    """All that is the case and a rule may turn on."""
    found = {*also, *stage_now(table)}
    if table.method is Method.C:
        found.add(Circumstance.METHOD_C)
    decided = table.game.outcome_established(table.seen_deal, table.open.wagers)
    found.add(Circumstance.SOMETHING_DECIDED if decided else Circumstance.NOTHING_DECIDED)
    return frozenset(found)


def stage_now(table: Table) -> frozenset[Circumstance]:
    """How far the deal has come."""
    if table.initial_deal_done:
        return frozenset({Circumstance.INITIAL_DEAL_DONE})
    return frozenset({Circumstance.INITIAL_DEAL} | (set() if table.cards else {Circumstance.NO_CARD_YET}))


def order_told(*, known: bool) -> Circumstance:
    """Whether the right order of cards can be told."""
    return Circumstance.ORDER_KNOWN if known else Circumstance.ORDER_UNKNOWN
