"""Irregularities: the rule that covers what was found, by what was the case at the table, and what followed."""

from collections import Counter
from dataclasses import replace
from itertools import product

from punto.record.checks import matters
from punto.record.checks.bets import restake
from punto.record.checks.custody import must_be_down
from punto.record.checks.findings import Code
from punto.record.checks.settlements import check_returns
from punto.record.checks.shoes import see
from punto.record.checks.sitting import AFTER_CLOSE, IN_ROUND, UNREAD, Count, Custody, Laid, Matter, Phase, Sitting
from punto.rules import Circumstance, Found, Method, Remedy, Side

_OPEN = frozenset(Phase) - {Phase.CLOSED}
_DEALING = frozenset({Phase.DEALING})
_ON_TABLE = IN_ROUND


def irregularity_found(sitting: Sitting, event: matters.IrregularityFound) -> None:
    """What follows is what the rulebook says, in one of the cases that can be."""
    sitting.expect(_OPEN, f"{event.found.value} was reported", free=False)
    conduct = sitting.open.conduct
    fitting = [conduct.rule(event.found, case) for case in _cases(sitting)]
    if event.found is Found.INTERRUPTION and sitting.pending:
        # What is pending stays so, unless the round is void.
        fitting = [rule if rule.remedy is Remedy.VOID else replace(rule, remedy=Remedy.PLAY_ON) for rule in fitting]
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
    # Of four cards the last may have come with another, or not: either way it can be said.
    dealt = {has.INITIAL_DEAL_DONE} if sitting.initial_deal_done else {has.INITIAL_DEAL}
    if len(sitting.cards) == len(terms.game.opening.order):
        dealt.add(has.INITIAL_DEAL)
    orders = {has.ORDER_KNOWN, has.ORDER_UNKNOWN}
    limits = {has.UNDER_MINIMUM, has.OVER_MAXIMUM}
    return [frozenset(known.union(case)) for case in product(orders, faces, dealt, limits)]


def cards_rebuilt(sitting: Sitting, event: matters.CardsRebuilt) -> None:
    """The cards lie as they should have come; what the coup does not need is surplus (interpretation 23)."""
    sitting.expect(AFTER_CLOSE, "cards were rebuilt", free=False)
    terms, shoe = sitting.open, sitting.dealt_from
    if sitting.matter:
        sitting.expect_clause(event.clause, sitting.matter.clause)
    cards, surplus = event.cards.split(), event.surplus.split()
    _check_order(sitting, event.before.split(), cards + surplus)
    if terms.virtual and cards + surplus != [laid.card for laid in sitting.cards] + shoe.surplus:
        sitting.wrong(Code.BAD_SHOE, "a virtual shoe comes in the order that was committed to, and in no other")
    # What had come, comes anew, in the order that it should have had.
    had = [laid.card for laid in sitting.cards]
    del shoe.came[len(shoe.came) - len(had) :]
    for card in had:
        if card in shoe.seen:
            shoe.seen[card] -= 1
    open_ = {side: _lies_open(sitting, side) for side in Side}
    deal = terms.game.begin()
    laid = []
    for card in cards:
        side, kind = deal.next, terms.cards.get(card)
        if side is None or kind is None:
            sitting.wrong(Code.BAD_CARD, f"{card} is not needed in the coup that was rebuilt")
            break
        see(sitting, card)
        shoe.came.append(card)
        deal = deal.take(kind)
        laid.append(Laid(card, side, open_[side]))
    if surplus and deal.next is not None:
        sitting.wrong(Code.BAD_CARD, f"{surplus[0]} is called surplus though the coup is not complete")
    shoe.surplus = surplus
    sitting.lay(laid)
    sitting.announced = False
    sitting.phase = Phase.DEALING


def _check_order(sitting: Sitting, before: list[str], order: list[str]) -> None:
    """The order holds all that had come; what was surplus came before anything that nobody had seen."""
    had = [laid.card for laid in sitting.cards if laid.card]
    waiting = Counter(sitting.dealt_from.surplus)
    if [card for card in before if card != UNREAD] != had + sitting.dealt_from.surplus:
        sitting.wrong(Code.BAD_CARD, f"{' '.join(before)} were rebuilt; on the table lay {' '.join(had)}")
    unread = len(sitting.cards) - len(had)
    laid = Counter(had)
    for card in order:
        if laid[card]:
            laid[card] -= 1
        elif waiting[card]:
            waiting[card] -= 1
        elif unread:
            unread -= 1
        elif waiting.total():
            next_ = next(waiting.elements())
            sitting.wrong(Code.BAD_CARD, f"{card} is said to have come while {next_} was the next to come")
            return
    gone = (+laid) + (+waiting)
    if gone or unread:
        sitting.wrong(Code.BAD_CARD, f"{' '.join(gone) or 'a card'} had come, and is not among the cards rebuilt")


def _lies_open(sitting: Sitting, side: Side) -> bool:
    """Whether a hand lies open, or its cards will once they come."""
    hand = sitting.hand(side)
    return all(laid.up for laid in hand) if hand else not must_be_down(sitting, side)


def order_wanted(sitting: Sitting, event: matters.OrderWanted) -> None:
    """A Pit Manager is asked for the order (B8, TNC5 5.8.2.2)."""
    sitting.expect(AFTER_CLOSE | {Phase.SETTLED}, "an order was asked for")
    if sitting.matter is None or sitting.matter.remedy is not Remedy.ORDER_THEN_OFFER:
        sitting.wrong(Code.BAD_REMEDY, "an order of cards was asked for without need")
    else:
        sitting.expect_clause(event.clause, sitting.matter.clause)
    sitting.ordering = event.cards


def order_determined(sitting: Sitting, event: matters.OrderDetermined) -> None:
    """The order is one of the very cards that were to be ordered."""
    if not sitting.ordering:
        sitting.wrong(Code.OUT_OF_TURN, "an order of cards was determined that nobody had asked for")
    elif sorted(event.order.split()) != sorted(sitting.ordering.split()):
        sitting.wrong(Code.BAD_CARD, f"{event.order} is no order of {sitting.ordering}")
    sitting.ordering = ""


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
    if any(laid.up for laid in sitting.hand(event.side)):
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


def count_begun(sitting: Sitting, event: matters.CountBegun) -> None:
    """Cards that nobody has read were carried off (B8, TNC5 5.11)."""
    sitting.expect(_DEALING, "a count was begun")
    unread = [laid for laid in sitting.hand(event.side) if not laid.card]
    left = event.left.split()
    if not 0 < event.cards == len(unread) - len(left):
        sitting.wrong(Code.BAD_COUNT, f"{event.cards} cards are to be worked out; {len(unread)} of that hand are unread")
    for card in left:
        see(sitting, card)
    if sitting.matter is None or sitting.matter.remedy is not Remedy.COUNT:
        sitting.wrong(Code.BAD_REMEDY, "a count was begun without need")
    else:
        sitting.expect_clause(event.clause, sitting.matter.clause)
    sitting.count = Count(event.side, event.cards)
    sitting.custody[event.side] = Custody()


def cards_set_aside(sitting: Sitting, event: matters.CardsSetAside) -> None:
    """Two cards are the next to come, in drawn order (B8, TNC5 5.11.1)."""
    count = sitting.count
    aside = event.cards.split()
    if count is None or count.aside:
        sitting.wrong(Code.OUT_OF_TURN, "cards were set aside, and nothing was being counted")
    elif len(aside) != 2:  # noqa: PLR2004
        sitting.wrong(Code.BAD_COUNT, f"{len(aside)} cards were set aside, not two")
    else:
        count.aside = event.cards
        sitting.dealt_from.surplus = aside


def cards_counted(sitting: Sitting, event: matters.CardsCounted) -> None:
    """What is missing can be missing: as many as were carried off, and the decks held them."""
    count = sitting.count
    missing = event.missing.split()
    if count is None or not count.aside or count.missing:
        sitting.wrong(Code.OUT_OF_TURN, "a count ended that had not been begun")
        return
    if len(missing) != count.cards:
        sitting.wrong(Code.BAD_COUNT, f"{len(missing)} cards are said to be missing; {count.cards} were carried off")
    decks = sitting.open.setup.decks
    for card in missing:
        copies = missing.count(card) + count.aside.split().count(card) + sitting.dealt_from.seen.get(card, 0)
        if card not in sitting.open.cards or copies > decks:
            sitting.wrong(Code.BAD_COUNT, f"{card} cannot be missing: {decks} decks hold no more of it")
    count.missing = event.missing


def missing_replaced(sitting: Sitting, event: matters.MissingReplaced) -> None:
    """The very cards that are missing take the places of those unread; the shoe is the round's last."""
    count = sitting.count
    cards = event.cards.split()
    if count is None or event.side is not count.side:
        sitting.wrong(Code.OUT_OF_TURN, "cards were replaced that were not missing")
    elif sorted(cards) != sorted(count.missing.split()):
        sitting.wrong(Code.BAD_COUNT, f"{event.cards} were put in the place of {count.missing}")
    places = [laid for laid in sitting.hand(event.side) if not laid.card]
    for laid, card in zip(places, cards, strict=False):
        see(sitting, card)
        laid.card, laid.up = card, True
    sitting.lay(sitting.cards)
    sitting.count = None
    sitting.dealt_from.spent = True


def stake_found(sitting: Sitting, event: matters.StakeFound) -> None:
    """A wager is of another amount than was thought (B8, TNC5 5.14, 5.15)."""
    sitting.expect(_ON_TABLE, "a stake was found to be another", free=False)
    bet = sitting.bet(event.number, event.patron, event.from_cents)
    if event.to_cents <= 0 or event.to_cents == event.from_cents or event.to_cents % sitting.open.unit:
        sitting.wrong(Code.BAD_WAGER, f"a wager cannot be found to be of {event.to_cents} cents")
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
