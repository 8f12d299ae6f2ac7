"""Irregularities: what was found, the rule that covers it, and what the rulebook has follow from it.

A report states a fact. Which rule applies is looked up in the rulebook by what is the case at the table; the
consequence is never typed in.
"""

from typing import Final

from punto.errors import BadReport, DecisionPending, NoSuchPosition, NotInHand, OutOfTurn
from punto.rules import Circumstance, Found, Method, Remedy, Rule
from punto.rules.money import Cents, money
from punto.table import commands as do
from punto.table import events as on
from punto.table.bets import check_limits, check_stake, find, weigh
from punto.table.circumstances import circumstances, stage_now
from punto.table.custody import offer as offer_cards
from punto.table.dealing import go_on, left, turn_up
from punto.table.draft import Draft
from punto.table.events import Sequel
from punto.table.offers import Terms, offer
from punto.table.rebuilding import Reported, as_dealt, certain_deal, check_order, is_right_number, rebuild
from punto.table.settling import reverse, void
from punto.table.setup import Source
from punto.table.state import BETWEEN, DEALING, PLAYING, Offer, Phase, Table

# What may be reported without naming cards, with cards, and of a delivery.
OF_CARDS: Final = frozenset(
    {
        Found.EXTRA_CARDS,
        Found.MISSING_CARDS,
        Found.FOREIGN_CARDS,
        Found.UNSHUFFLED_CARDS,
        Found.ORDER_ALTERED,
        Found.TOO_FEW_CARDS,
        Found.FACE_UP_IN_DEVICE,
        Found.EXPOSED_IN_MOVING,
        Found.DISORDERED_IN_MOVING,
    }
)
OF_ORDER: Final = frozenset({Found.WRONG_ORDER, Found.WRONG_NUMBER, Found.DRAWN_TOGETHER})
OF_DELIVERY: Final = frozenset({Found.WRONG_PATRON, Found.NOT_PASSED, Found.DEALT_FACE_UP, Found.EXPOSED_IN_ERROR})
_VOIDS: Final = frozenset({Remedy.VOID, Remedy.VOID_AND_REPLACE})
_REBUILDABLE: Final = frozenset({Phase.BETS_CLOSED, Phase.INITIAL_DEAL, Phase.DRAWING, Phase.OUTCOME, Phase.SETTLED})
# So many cards make it "together" (EB4, E7U, B8, TNC5 5.8; FF2 5.3).
_TOGETHER: Final = 2


def _order(*, known: bool) -> Circumstance:
    return Circumstance.ORDER_KNOWN if known else Circumstance.ORDER_UNKNOWN


def _noted(draft: Draft, found: Found, rule: Rule, note: str = "") -> None:
    draft.add(on.IrregularityFound(found, rule.remedy, rule.clause, note))


def _refer(draft: Draft, found: Found, rule: Rule, matter: str) -> None:
    draft.add(on.Referred(found, matter, rule.clause))


def report_cards(draft: Draft, command: do.ReportCards) -> None:
    """Something is the matter with cards or device; earlier rounds stand (EB4, E7U, B8, TNC5, FF2 5.1, 5.1.2)."""
    table = draft.table
    found = command.found
    if found not in OF_CARDS:
        raise BadReport(f"{found.value} is reported by a command of its own")
    if table.open.source is Source.VIRTUAL and found is not Found.TOO_FEW_CARDS:
        raise BadReport("the cards come from a virtual shoe: what it holds, and in which order, is certain")
    if found is Found.FACE_UP_IN_DEVICE and table.phase in BETWEEN:
        _check_free(table)
        _refer(draft, found, table.book.conduct.rule(Found.OTHER, frozenset()), command.note or found.value)
        return
    if table.phase not in PLAYING:
        raise OutOfTurn("no round is under way: earlier rounds stand")
    if found is Found.TOO_FEW_CARDS and left(table) + len(table.surplus) >= _still_needed(table):
        raise BadReport(f"{left(table)} cards are left by the record, and may suffice: are cards missing?")
    rule = table.book.conduct.rule(found, circumstances(table, _order(known=command.order_known)))
    if rule.remedy not in _VOIDS:
        _check_free(table)
    _noted(draft, found, rule, command.note)
    if rule.remedy in _VOIDS:
        void(draft, found, rule.clause, rule.remedy)
    elif rule.remedy is Remedy.REFER:
        _refer(draft, found, rule, command.note or found.value)


def _check_free(table: Table) -> None:
    """Refuse to go on while somebody must decide or answer."""
    if table.pending is not None:
        raise DecisionPending("a decision is pending: nothing goes on before it is made")


def _still_needed(table: Table) -> int:
    """How many cards the round needs for certain."""
    initial = len(table.game.opening.order) - len(table.cards)
    return initial if initial > 0 else int(table.all_known and table.deal.next is not None)


def report_order(draft: Draft, command: do.ReportOrder) -> None:
    """Cards lie in the wrong order, are too many or too few, or came together."""
    table = draft.table
    found = command.found
    if found not in OF_ORDER:
        raise BadReport(f"{found.value} is reported by a command of its own")
    if table.phase not in _REBUILDABLE and not table.settled:
        raise OutOfTurn("a round can be rebuilt from the close until bets open again")
    if table.open.source is Source.VIRTUAL:
        raise BadReport("the cards come from a virtual shoe: their order is certain")
    reported = check_order(table, command.player, command.banker, command.order)
    _check_found(table, command, reported)
    known = _order(known=command.order is not None)
    stage = _stage(table, reported) if found is Found.DRAWN_TOGETHER else stage_now(table)
    rule = table.book.conduct.rule(found, frozenset({known, *stage}))
    if table.shoe_is_out and not _completes(table, reported):
        rule = table.book.conduct.rule(Found.OTHER, frozenset())
    lying = f"{command.player} | {command.banker}"
    _noted(draft, found, rule, lying)
    match rule.remedy:
        case Remedy.REBUILD:
            rebuild(draft, reported.order, rule.clause)
        case Remedy.OFFER_THEN_REBUILD:
            certain = certain_deal(table, reported.order)
            reverse(draft)
            offer(draft, Terms(rule.clause, Sequel.REBUILD, order=reported.order, certain=certain))
        case Remedy.ORDER_THEN_OFFER:
            reverse(draft)
            draft.add(on.OrderWanted(reported.order, rule.clause))
        case Remedy.VOID | Remedy.VOID_AND_REPLACE:
            void(draft, found, rule.clause, rule.remedy, " ".join(reported.fresh))
        case _:
            _refer(draft, found, rule, f"{found.value}: {lying}")


def _completes(table: Table, reported: Reported) -> bool:
    """Whether the cards, as they should have come, make a coup with none over and none wanting."""
    deal = as_dealt(table, reported.order)
    return deal.coup is not None and deal.drawn == len(reported.order.split()) and not reported.fresh


def _check_found(table: Table, command: do.ReportOrder, reported: Reported) -> None:
    """The report must be of what it says: an order, a number, or cards that came together."""
    match command.found:
        case Found.WRONG_ORDER:
            if len(reported.fresh) != table.unread:
                raise BadReport("cards in a wrong order are those that were dealt in this round, and no others")
        case Found.WRONG_NUMBER:
            if not table.cards:
                raise BadReport("no card was dealt in this round")
            if is_right_number(table, command.player, command.banker):
                raise BadReport("both hands have as many cards as they should")
        case _:
            if len(reported.order.split()) < _TOGETHER:
                raise BadReport("one card alone cannot have come together with another")


def _stage(table: Table, reported: Reported) -> frozenset[Circumstance]:
    """Whether cards that came together belong to the initial deal: while it is not over, or where too few others lie.

    The initial deal is over when a card beyond it has been drawn (FF2, B8, TNC5 1.1.4).
    """
    initial = len(table.game.opening.order)
    during = len(table.cards) < initial or reported.lying - initial < _TOGETHER
    return frozenset({Circumstance.INITIAL_DEAL if during else Circumstance.INITIAL_DEAL_DONE})


def report_delivery(draft: Draft, command: do.ReportDelivery) -> None:
    """Cards went to the wrong patron or to nobody, or were seen too early (B8, TNC5 5.7, 5.7.1)."""
    table = draft.table
    found, side = command.found, command.side
    if found not in OF_DELIVERY:
        raise BadReport(f"{found.value} is reported by a command of its own")
    if table.phase not in PLAYING or not table.hand(side):
        raise OutOfTurn(f"no card of the {side.value} hand is on the table")
    open_already = table.lies_open(side)
    if found is Found.WRONG_PATRON and not table.custody(side).hand and not table.custody(side).offered:
        raise NotInHand(f"the {side.value} hand was passed to nobody")
    face = Circumstance.FACE_UP if open_already else Circumstance.FACE_DOWN
    rule = table.book.conduct.rule(found, circumstances(table, face))
    _noted(draft, found, rule, side.value)
    match rule.remedy:
        case Remedy.RETRIEVE:
            draft.add(on.CardsRetrieved(side))
            if table.method is Method.A and table.initial_deal_done:
                offer_cards(draft, side)
        case Remedy.REFER:
            _refer(draft, found, rule, f"{found.value}: {side.value}")
        case _ if not open_already:
            turn_up(draft, side, command.cards)
            go_on(draft)


def report_reset(draft: Draft, _: do.ReportReset) -> None:
    """An electronic device had to be reset after the close (B8, TNC5 5.9; interpretation 19)."""
    table = draft.table
    if table.phase not in DEALING:
        raise OutOfTurn("a reset matters from the close of bets until the coup is complete")
    if not table.open.reads:
        raise BadReport("the device is not an electronic one")
    rule = table.book.conduct.rule(Found.DEVICE_RESET, circumstances(table))
    _noted(draft, Found.DEVICE_RESET, rule)
    if rule.remedy is Remedy.OFFER_THEN_REOPEN:
        offer(draft, Terms(rule.clause, Sequel.REOPEN))
    else:
        _refer(draft, Found.DEVICE_RESET, rule, "the dealing device was reset")


def report_absence(draft: Draft, command: do.ReportAbsence) -> None:
    """Who handles a hand is not there: the Dealer exposes it (B8, TNC5 5.10)."""
    table = draft.table
    custody = table.custody(command.side)
    if table.phase not in DEALING or not (custody.hand or custody.offered):
        raise NotInHand(f"nobody handles the {command.side.value} hand")
    rule = table.book.conduct.rule(Found.PATRON_ABSENT, circumstances(table))
    _noted(draft, Found.PATRON_ABSENT, rule, custody.hand or custody.offered)
    draft.add(on.CardsKept(command.side))


def report_stake(draft: Draft, command: do.ReportStake) -> None:
    """A wager is found to be of another amount (B8, TNC5 5.14, 5.15; interpretations 9, 10, 20)."""
    table = draft.table
    placed = find(table, command.number)
    cents = command.stake_cents
    check_stake(table.open, placed.wager, cents)
    if cents == placed.cents:
        raise BadReport(f"wager {placed.number} is of that amount already")
    if table.book.conduct.terminals:
        raise BadReport("a terminal knows what it has accepted")
    limit = table.open.limits[placed.wager]
    if not limit.min_cents <= cents <= limit.max_cents:
        if table.phase is Phase.BETS_OPEN:
            check_limits(table.open, placed.wager, cents)
        under = cents < limit.min_cents
        beyond = Circumstance.UNDER_MINIMUM if under else Circumstance.OVER_MAXIMUM
        rule = table.book.conduct.rule(Found.OFF_LIMITS, circumstances(table, beyond))
        _noted(draft, Found.OFF_LIMITS, rule, f"wager {placed.number}")
        draft.add(on.StakeFound(placed.number, placed.patron, placed.cents, Cents(cents)))
        weigh(draft)
        if rule.remedy is Remedy.REFER:
            _refer(draft, Found.OFF_LIMITS, rule, f"wager {placed.number} is {money(cents)}")
        return
    if table.phase is not Phase.BETS_OPEN:
        raise BadReport("within the limits a wager is what was accepted at the close: anything else is referred")
    draft.add(on.StakeFound(placed.number, placed.patron, placed.cents, Cents(cents)))


def report_interruption(draft: Draft, command: do.ReportInterruption) -> None:
    """Power or machinery failed (EB4, E7U 5.9, 5.10; B8, TNC5 5.17)."""
    table = draft.table
    if table.phase not in PLAYING:
        raise OutOfTurn("no round is under way: nothing was interrupted")
    if command.terminals and not table.book.conduct.terminals:
        raise BadReport("this table has no terminals")
    for terminal in command.terminals:
        if not 1 <= terminal <= table.open.positions:
            raise NoSuchPosition(f"terminal {terminal}: expected 1 to {table.open.positions}")
    found = Found.TERMINALS_DOWN if command.terminals else Found.INTERRUPTION
    rule = table.book.conduct.rule(found, circumstances(table))
    note = "terminals " + ", ".join(map(str, command.terminals)) if command.terminals else ""
    if table.pending is not None and rule.remedy not in _VOIDS:
        # Whoever must decide or answer still must; nothing else goes on meanwhile.
        _noted(draft, found, Rule(rule.clause, Remedy.PLAY_ON), "a decision is pending")
        if isinstance(table.pending, Offer):
            draft.add(on.OfferExtended(draft.at_ms + table.open.timings.answer_ms))
        return
    _noted(draft, found, rule, note)
    match rule.remedy:
        case Remedy.VOID | Remedy.VOID_AND_REPLACE:
            void(draft, found, rule.clause, rule.remedy)
        case Remedy.OFFER_ALL_THEN_PLAY_ON:
            offer(draft, Terms(rule.clause, Sequel.PLAY_ON, whole=True))
        case Remedy.REFER:
            _refer(draft, found, rule, "the game was interrupted")
        case _:
            pass


def report_display(draft: Draft, command: do.ReportDisplay) -> None:
    """A display is wrong; the cards stand, and no money moves (EB4, E7U, B8, TNC5 6.3)."""
    rule = draft.table.book.conduct.rule(Found.DISPLAY_WRONG, frozenset())
    _noted(draft, Found.DISPLAY_WRONG, rule, command.shown)
