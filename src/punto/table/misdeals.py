"""Misdeals: cards in a wrong order or number, cards that came together, and a device that is reset.

What is reported while somebody must decide or answer is kept, and taken up after that.
"""

from typing import Final, NamedTuple

import msgspec

from punto.errors import BadReport, ImpossibleCard, OutOfTurn, Refusal
from punto.rules import Circumstance, Deal, Found, Remedy, Rule
from punto.table import commands as do
from punto.table import events as on
from punto.table.circumstances import circumstances, order_told, stage_now
from punto.table.draft import Draft
from punto.table.events import Sequel
from punto.table.matters import VOIDS, noted, refer_matter
from punto.table.offers import Terms, offer
from punto.table.rebuilding import Reported, can_be_finished, check_order, is_right_number, rebuild, written
from punto.table.reports import check_report
from punto.table.settling import void
from punto.table.setup import Source
from punto.table.state import DEALING, UNREAD, Phase, Table

_REBUILDABLE: Final = frozenset({Phase.BETS_CLOSED, Phase.INITIAL_DEAL, Phase.DRAWING, Phase.OUTCOME, Phase.SETTLED})
# So many cards make it "together" (EB4, E7U, B8, TNC5 5.8; FF2 5.3).
_TOGETHER: Final = 2


def report_order(draft: Draft, command: do.ReportOrder) -> None:
    """Cards lie in the wrong order, are too many or too few, or came together."""
    found = command.found
    check_report(found, command)
    report = on.ReportKept(found, command.player, command.banker, command.order, command.together, draft.reporter)
    if _must_wait(draft.table, _verdict(draft.table, report).rule):
        draft.add(report)
    else:
        _carry_out(draft, report)


def report_reset(draft: Draft, _: do.ReportReset) -> None:
    """An electronic device had to be reset after the close (B8, TNC5 5.9; interpretation 19)."""
    rule = _reset_rule(draft.table)
    if rule.remedy is Remedy.OFFER_THEN_REOPEN and draft.table.awaited is not None:
        draft.add(on.ReportKept(Found.DEVICE_RESET, "", "", by=draft.reporter))
    else:
        _reset(draft)


def _reset_rule(table: Table) -> Rule:
    """The rule for a reset; refused where there can be none."""
    if table.phase not in DEALING:
        raise OutOfTurn("a reset is reported between the close of bets and the outcome, and at no other time")
    if table.open.source is Source.VIRTUAL:
        raise BadReport("the cards come from a virtual shoe: nothing in it needs a reset")
    if not table.open.reads:
        raise BadReport("the device is not an electronic one")
    return table.book.conduct.rule(Found.DEVICE_RESET, circumstances(table), paid=table.paid)


def _reset(draft: Draft) -> None:
    table = draft.table
    rule = _reset_rule(table)
    noted(draft, Found.DEVICE_RESET, rule)
    if rule.remedy is Remedy.OFFER_THEN_REOPEN:
        # The cards are discarded with all that they decided: every wager is offered.
        offer(draft, Terms(rule.clause, Sequel.REOPEN, certain=Deal.begin(table.game.opening)))
    else:
        refer_matter(draft, Found.DEVICE_RESET, "the dealing device was reset")


def take_up(draft: Draft) -> None:
    """Take up a report that was kept, once nothing else is awaited; what no longer fits the round is dropped."""
    while draft.table.reports and draft.table.awaited is None:
        draft.reporter = draft.table.reports[0].by
        report = _as_cards_lie_now(draft.table, draft.table.reports[0])
        reset = report.found is Found.DEVICE_RESET
        try:
            if reset:
                _reset_rule(draft.table)
            else:
                _verdict(draft.table, report)
        except (BadReport, ImpossibleCard) as refusal:
            # The cards lie otherwise by now. Nobody loses a choice by that: the Gaming Shift Manager decides.
            draft.add(on.ReportTakenUp(report.found, refusal.message))
            refer_matter(draft, report.found, f"{report.found.value}, as reported before: {refusal.message}")
            continue
        except Refusal as refusal:
            draft.add(on.ReportTakenUp(report.found, refusal.message))
            continue
        draft.add(on.ReportTakenUp(report.found))
        if reset:
            _reset(draft)
        else:
            _carry_out(draft, report)
    draft.reporter = ""


def _as_cards_lie_now(table: Table, report: on.ReportKept) -> on.ReportKept:
    """A kept report, updated: the cards before those that came together are listed as they lie now."""
    certain = min(report.together, default=1) - 1
    order = (report.order or "").split()
    now = [laid.card if laid.up else UNREAD for laid in table.cards[:certain]]
    if sorted(order[:certain]) != sorted(now):
        return report
    return msgspec.structs.replace(report, order=" ".join([*now, *order[certain:]]) or None)


def _must_wait(table: Table, rule: Rule) -> bool:
    """Whether a report waits until something else is decided: nothing is offered or ordered beside it."""
    if table.pending is not None:
        return rule.remedy not in VOIDS
    return bool(table.asked) and rule.remedy in (Remedy.OFFER_THEN_REBUILD, Remedy.ORDER_THEN_OFFER)


class _Verdict(NamedTuple):
    """What a report amounts to, the rule for it, and the cards in order."""

    found: Found
    rule: Rule
    reported: Reported


def _verdict(table: Table, report: on.ReportKept) -> _Verdict:
    """What a report of cards amounts to; refused where it cannot be."""
    if table.phase not in _REBUILDABLE and not table.settled:
        raise OutOfTurn("a round can be rebuilt from the close until bets open again or the table closes")
    if table.open.source is Source.VIRTUAL:
        raise BadReport("the cards come from a virtual shoe: their order is certain")
    reported = check_order(table, report.player, report.banker, report.order)
    _check_found(table, report, reported)
    known = order_told(known=report.order is not None)
    stage = _stage(table, report.together) if report.together else stage_now(table)
    rule = table.book.conduct.rule(report.found, frozenset({known, *stage}), paid=table.paid)
    if _is_one_too_many(table, reported) and not (table.paid and rule.remedy in VOIDS):
        # More cards came than the shoe held: one of them is an extra card (interpretation 44).
        extra = Found.EXTRA_CARDS
        return _Verdict(extra, table.book.conduct.rule(extra, circumstances(table), paid=table.paid), reported)
    if rule.remedy in VOIDS:
        return _Verdict(report.found, rule, reported)
    if table.paid and not can_be_finished(table, reported):
        # What was paid stays so until it is certain that the round can be paid again.
        rule = table.book.conduct.referral
    return _Verdict(report.found, rule, reported)


def _is_one_too_many(table: Table, reported: Reported) -> bool:
    """Whether more cards lie there than the shoe held."""
    return len(reported.out) > table.left_in(table.round_shoe)


def _carry_out(draft: Draft, report: on.ReportKept) -> None:
    """What the rulebook has follow from cards in a wrong order or number, or that came together."""
    table = draft.table
    found, rule, reported = _verdict(table, report)
    lying = f"{report.player} | {report.banker}"
    extra = found is Found.EXTRA_CARDS
    draft.add(on.IrregularityFound(found, rule.remedy, rule.clause, lying, () if extra else report.together))
    certain = min(report.together, default=1) - 1
    order = report.order or f"{report.player} {report.banker}"
    match rule.remedy:
        case Remedy.REBUILD:
            rebuild(draft, order, rule.clause)
        case Remedy.OFFER_THEN_REBUILD:
            offer(draft, Terms(rule.clause, Sequel.REBUILD, order=order, certain=table.seen_of(certain)))
        case Remedy.ORDER_THEN_OFFER:
            draft.add(on.OrderWanted(order, rule.clause, certain))
        case Remedy.VOID | Remedy.VOID_AND_PROPOSE | Remedy.VOID_AND_REPLACE:
            out = "" if _is_one_too_many(table, reported) else _out(table, reported)
            void(draft, found, rule.clause, rule.remedy, out)
        case _ if extra:
            refer_matter(draft, found, f"{found.value}: {lying}", round_=table.betting_round)
        case _:
            refer_matter(draft, found, f"{found.value}: {lying}", cards=written(reported.out))


def _out(table: Table, reported: Reported) -> str:
    """All cards that the report adds to what the table has read; a question mark for each that nobody has read."""
    if not reported.fresh and not reported.out:
        return ""
    unread = table.unread + len(reported.out) - len(reported.fresh)
    return written([*reported.fresh, *[""] * unread])


def _check_found(table: Table, report: on.ReportKept, reported: Reported) -> None:
    """The report must be of what it says: an order, a number, or cards that came together."""
    if report.found is Found.DRAWN_TOGETHER:
        _check_together(report.together, reported.lying)
        if report.order is not None:
            check_certain(table, reported, min(report.together) - 1)
        return
    if report.together:
        raise BadReport("only cards that came together have places at which they did")
    if report.found is Found.WRONG_ORDER:
        if reported.out:
            raise BadReport("a card lies there that was not dealt in this round: report wrong-number")
        if report.order is not None and reported.names == tuple(laid.card for laid in table.cards):
            raise BadReport("the cards are on record in that order: there is nothing to put right")
    elif not table.cards:
        raise BadReport("no card was dealt in this round")
    elif is_right_number(table, report.player, report.banker):
        raise BadReport("both hands have as many cards as they should")


def check_certain(table: Table, reported: Reported, certain: int) -> None:
    """Cards that came before those that came together stay where they are: their order is certain."""
    came = tuple(laid.card for laid in table.cards[:certain])
    if reported.names[: len(came)] != came:
        raise BadReport(f"the first {certain} cards did not come together: their order is certain")


def _check_together(places: tuple[int, ...], lying: int) -> None:
    """Cards that came together are two or more, one after the other in the draw."""
    if len(places) < _TOGETHER:
        raise BadReport("say which cards came together, by their places in the draw: 3 and 4 are the third and fourth")
    first, last = min(places), max(places)
    if sorted(places) != [*range(first, last + 1)] or first < 1 or last > lying:
        raise BadReport(f"cards that came together follow each other: expected places from 1 to {lying}")


def _stage(table: Table, together: tuple[int, ...]) -> frozenset[Circumstance]:
    """Whether cards that came together belong to the initial deal, with at least one of them (FF2, B8, TNC5 1.1.4)."""
    during = min(together) <= len(table.game.opening.order)
    return frozenset({Circumstance.INITIAL_DEAL if during else Circumstance.INITIAL_DEAL_DONE})
