"""Settlement: what each wager on the table comes to, in cents and by which clause."""

from collections.abc import Mapping

from punto.errors import BadReport
from punto.rules import Found, Method, Remedy, Result, Settlement, Wager
from punto.rules.money import Cents, won_cents
from punto.table import events as on
from punto.table.custody import device_after_settlement
from punto.table.draft import Draft
from punto.table.matters import refer_matter
from punto.table.state import Glimpse, Placed, Table


def settle(draft: Draft) -> None:
    """Collect and pay, once the outcome is announced."""
    table = draft.table
    cards = " ".join(laid.card for laid in table.cards)
    draft.add(on.RoundSettled(table.round, cards, due(table)))
    _warn(draft)
    device_after_settlement(draft)
    refer_seen(draft)


def refer_seen(draft: Draft, round_: int = 0) -> None:
    """Refer cards that somebody has seen, before wagers can be placed on them (interpretation 23).

    They would decide wagers of this round, or of the coming one where none is named. Where the cards are replaced
    before that round, they decide nothing.
    """
    table = draft.table
    asked = {each.number for each in table.asked}
    new = [each for each in table.barred if each.matter not in asked]
    replaced = not round_ and (table.shoe.spent or table.shoe.proposed or table.shoe.out)
    if not new or replaced:
        return
    known = f"{' '.join(each.told for each in new)} {'was' if len(new) == 1 else 'were'} seen"
    matter = f"{known} before the bets of round {round_ or table.round + 1} close"
    in_device = " ".join(each.card for each in new if isinstance(each, Glimpse) and each.card)
    refer_matter(draft, Found.CARD_SEEN, matter, cards=in_device, round_=round_ or table.round + 1)


def due(table: Table) -> tuple[on.Payment, ...]:
    """What every wager comes to, in the order in which they were placed."""
    coup = table.deal.coup
    assert coup, "an outcome is announced when the coup is complete"
    settled = table.game.settle(coup)
    return tuple(_payment(table, placed, settled) for placed in table.wagers.values())


def reverse(draft: Draft) -> None:
    """Undo a settlement, if there was one."""
    table = draft.table
    if table.settled:
        lost = table.device_lost
        draft.add(on.SettlementReversed(table.round, table.payments))
        if lost and not table.device and draft.table.method is Method.C:
            draft.add(on.DeviceTaken(lost))


def returns(table: Table) -> tuple[on.Return, ...]:
    """Every stake on the table, to go back."""
    return tuple(on.Return(placed.number, placed.patron, placed.cents) for placed in table.wagers.values())


def _payment(table: Table, placed: Placed, settled: Mapping[str, Settlement]) -> on.Payment:
    """What one wager comes to, within the limits where the rulebook settles so (B8, TNC5 5.14, 5.15).

    Only wagers of this round are looked at: what was paid before is settled (B8, TNC5 5.16).
    """
    stated = table.stated.get(placed.number)
    settlement = as_stated(table.game.wager(placed.wager), stated) if stated else settled[placed.wager]
    counted, clause = placed.cents, (table.book.conduct.other_clause or "") if stated else settlement.clause
    limit = table.open.limits[placed.wager]
    clauses = table.book.conduct.limits
    under = clauses and clauses.under and placed.cents < limit.min_cents and not stated
    if clauses and clauses.under and under and _warned_before(table, placed.patron):
        return _paid(placed, Cents(0), Result.PUSH, Cents(0), clauses.under)
    if clauses and clauses.over and placed.cents > limit.max_cents:
        counted = limit.max_cents
    return _paid(placed, counted, settlement.result, won_cents(settlement, counted), clause)


def as_stated(wager: Wager, stated: on.StatedResult) -> Settlement:
    """What a wager comes to by decision: lost, or the one line of its pay table that fits (interpretation 46)."""
    fitting = {
        settlement.pay.odds if settlement.pay else None: settlement
        for settlement in wager.settlements
        if settlement.result is stated.result
    }
    named = [settlement for odds, settlement in fitting.items() if stated.pays in ("", str(odds))]
    if len(named) != 1:
        lines = ", ".join(str(odds) for odds in fitting if odds)
        can_be = " or ".join(dict.fromkeys(settlement.result.value for settlement in wager.settlements))
        if not fitting:
            raise BadReport(f"{wager.name} cannot {stated.result.value}: expected {can_be}")
        raise BadReport(f"{wager.name} pays {lines or 'nothing'} on a {stated.result.value}: state one of these odds")
    return named[0]


def _paid(placed: Placed, counted: Cents, result: Result, won: Cents, clause: str) -> on.Payment:
    lost = counted if result is Result.LOSE else 0
    paid = Cents(placed.cents + won - lost)
    return on.Payment(placed.number, placed.patron, placed.wager, placed.cents, counted, result, won, paid, clause)


def _warned_before(table: Table, patron: str) -> bool:
    return table.warned.get(patron, table.round) < table.round


def _warn(draft: Draft) -> None:
    """Warn whoever had a wager under the minimum paid or collected for once; a push is neither (interpretation 9)."""
    table = draft.table
    clauses = table.book.conduct.limits
    if not clauses or not clauses.under:
        return
    for payment in table.payments:
        under = payment.stake_cents < table.open.limits[payment.wager].min_cents
        settled = payment.result is not Result.PUSH and payment.number not in table.stated
        if under and settled and payment.patron not in draft.table.warned:
            draft.add(on.PatronWarned(payment.patron, clauses.under))


def void(draft: Draft, found: Found, clause: str, remedy: Remedy, out: str = "") -> None:
    """Void the round: what was paid is undone, and every stake goes back, once (interpretation 16).

    *out* are cards that came out besides those that were drawn in their turn, or that are missing.
    """
    reverse(draft)
    table = draft.table
    replace, proposed = remedy is Remedy.VOID_AND_REPLACE, remedy is Remedy.VOID_AND_PROPOSE
    draft.add(on.RoundVoided(table.round, found, clause, returns(table), replace, out, proposed))
    refer_seen(draft)
