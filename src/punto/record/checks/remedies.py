"""Irregularities: the rule that covers what was found, by what was the case at the table, and what followed."""

from dataclasses import replace
from itertools import product

from punto.record.checks import matters
from punto.record.checks.bets import can_pay, restake
from punto.record.checks.findings import Code
from punto.record.checks.settlements import check_returns
from punto.record.checks.sitting import AFTER_CLOSE, IN_ROUND, Custody, Matter, Phase, Sitting
from punto.rules import Circumstance, Found, Method, Remedy, Rule

_OPEN = frozenset(Phase) - {Phase.CLOSED}
_DEALING = frozenset({Phase.DEALING})


def irregularity_found(sitting: Sitting, event: matters.IrregularityFound) -> None:
    """What follows is what the rulebook says, in one of the cases that can be."""
    sitting.expect(_OPEN, f"{event.found.value} was reported", free=False)
    conduct = sitting.open.conduct
    fitting = [conduct.rule(event.found, case) for case in _cases(sitting)]
    if event.found is Found.INTERRUPTION and sitting.pending:
        # What is pending stays so, unless the round is void.
        fitting = [rule if rule.remedy is Remedy.VOID else replace(rule, remedy=Remedy.PLAY_ON) for rule in fitting]
    if sitting.dealt_from is not sitting.shoe:
        # Of a round whose shoe is out, what cannot be put in order any more is referred.
        fitting.append(Rule(conduct.other_clause or "", Remedy.REFER))
    if all((rule.remedy, rule.clause) != (event.remedy, event.clause) for rule in fitting):
        expected = " or ".join(sorted({f"{rule.remedy.value} by {rule.clause or 'no clause'}" for rule in fitting}))
        said = f"{event.found.value} led to {event.remedy.value} by {event.clause or 'no clause'}; expected {expected}"
        sitting.wrong(Code.BAD_REMEDY, said)
    if sitting.pending and event.remedy in (Remedy.PLAY_ON, Remedy.CARDS_STAND):
        return
    sitting.matter = Matter(event.found, event.remedy, event.clause)


def _cases(sitting: Sitting) -> list[frozenset[Circumstance]]:
    """All that may be the case: what the table knows, and either way what only the report can say."""
    has = Circumstance
    known: set[Circumstance] = set()
    terms = sitting.open
    if not sitting.cards:
        known.add(has.NO_CARD_YET)
    if terms.setup.hlga:
        known.add(has.HLGA)
    if sitting.method is Method.C:
        known.add(has.METHOD_C)
    decided = terms.game.outcome_established(sitting.seen_deal, terms.setup.wagers)
    known.add(has.SOMETHING_DECIDED if decided else has.NOTHING_DECIDED)
    faces = {has.FACE_UP if laid.up else has.FACE_DOWN for laid in sitting.cards} or {has.FACE_DOWN, has.FACE_UP}
    # Cards that came together may be told to have come in it as long as at most one lies beyond it.
    dealt = {has.INITIAL_DEAL_DONE} if sitting.initial_deal_done else {has.INITIAL_DEAL}
    if len(sitting.cards) <= len(terms.game.opening.order) + 1:
        dealt.add(has.INITIAL_DEAL)
    orders = {has.ORDER_KNOWN, has.ORDER_UNKNOWN}
    limits = {has.UNDER_MINIMUM, has.OVER_MAXIMUM}
    return [frozenset(known.union(case)) for case in product(orders, faces, dealt, limits)]


def bets_reopened(sitting: Sitting, event: matters.BetsReopened) -> None:
    """After a reset the cards of the round are discarded, and bets are open again (B8, TNC5 5.9)."""
    sitting.expect(AFTER_CLOSE, "bets were reopened")
    if sitting.matter is None or sitting.matter.found is not Found.DEVICE_RESET:
        sitting.wrong(Code.BAD_REMEDY, "bets were reopened, and no device was reset")
    else:
        sitting.expect_clause(event.clause, sitting.matter.clause)
    surplus = " ".join([sitting.written, *sitting.dealt_from.surplus]).strip()
    if sitting.dealt_from.surplus and event.discarded == surplus:
        sitting.dealt_from.surplus.clear()
    elif event.discarded != sitting.written:
        sitting.wrong(Code.BAD_CARD, f"{event.discarded} were discarded; on the table lay {sitting.written}")
    if event.until_ms != sitting.at_ms + sitting.open.setup.timings.bets_ms:
        sitting.wrong(Code.BAD_ROUND, "the time for bets is not what the table was opened with")
    sitting.clear_cards()
    sitting.heavier = None
    sitting.phase = Phase.BETS_OPEN


def cards_retrieved(sitting: Sitting, event: matters.CardsRetrieved) -> None:
    """Cards come back from the wrong patron while they are face down (B8, TNC5 5.7)."""
    sitting.expect(_DEALING, "cards were retrieved", free=False)
    if sitting.matter is None or sitting.matter.remedy is not Remedy.RETRIEVE:
        sitting.wrong(Code.BAD_REMEDY, "cards were retrieved that had not gone to the wrong patron")
    if all(laid.up for laid in sitting.hand(event.side)):
        sitting.wrong(Code.BAD_REMEDY, "cards were retrieved that had been exposed")
    sitting.custody[event.side].drop()


def cards_kept(sitting: Sitting, event: matters.CardsKept) -> None:
    """The Dealer exposes the hand of a patron who is not there (B8, TNC5 5.10)."""
    sitting.expect(_DEALING, "a hand was kept by the Dealer", free=False)
    if sitting.matter is None or sitting.matter.remedy is not Remedy.DEALER_EXPOSES:
        sitting.wrong(Code.BAD_REMEDY, "the Dealer kept the hand of a patron who was there")
    sitting.custody[event.side] = Custody()


def attested(sitting: Sitting, event: matters.Attested) -> None:
    """Somebody vouches for an act that the rulebook asks for."""
    clause = sitting.open.conduct.acts.get(event.act)
    if clause is None:
        sitting.wrong(Code.BAD_REMEDY, f"{sitting.open.book.code} does not ask for {event.act.value}")
    sitting.expect_clause(event.clause, clause)


def stake_found(sitting: Sitting, event: matters.StakeFound) -> None:
    """A wager is of another amount than was thought (B8, TNC5 5.14, 5.15)."""
    sitting.expect(IN_ROUND, "a stake was found to be another", free=False)
    bet = sitting.bet(event.number, event.patron, event.from_cents)
    if event.to_cents <= 0 or event.to_cents == event.from_cents or event.to_cents % sitting.open.unit:
        sitting.wrong(Code.BAD_WAGER, f"a wager cannot be found to be of {event.to_cents} cents")
    elif bet is not None and not can_pay(sitting, bet.wager, event.to_cents):
        sitting.wrong(Code.BAD_WAGER, f"{event.to_cents} cents could pay more than 2^53")
    if bet is not None and event.to_cents > 0:
        restake(sitting, bet, event.to_cents)


def referred(sitting: Sitting, event: matters.Referred) -> None:
    """What no rule covers waits for the Gaming Shift Manager."""
    sitting.expect(_OPEN, "a matter was referred")
    sitting.expect_clause(event.clause, sitting.open.conduct.other_clause)
    sitting.asked = event.found


def ruled(sitting: Sitting, event: matters.Ruled) -> None:
    """The Gaming Shift Manager decides what was referred, and says why."""
    if sitting.asked is None:
        sitting.wrong(Code.OUT_OF_TURN, "something was ruled that had not been referred")
    if not event.reason.strip():
        sitting.wrong(Code.BAD_RULING, "a ruling without a reason")
    if event.ruling not in ("void", "continue", "return"):
        sitting.wrong(Code.BAD_RULING, f"{event.ruling!r} is no ruling")
    if (event.ruling == "return") is not bool(event.returns):
        sitting.wrong(Code.BAD_RULING, f"{len(event.returns)} wagers went back by a ruling to {event.ruling}")
    check_returns(sitting, event.returns, {each.number for each in event.returns})
    for each in event.returns:
        sitting.bets.pop(each.number, None)
    found, sitting.asked = sitting.asked, None
    if event.ruling == "void" and found:
        sitting.matter = Matter(found, Remedy.VOID, sitting.open.conduct.other_clause or "")
