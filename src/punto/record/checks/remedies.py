"""Irregularities: the rule that covers what was found, by what was the case at the table, and what followed."""

from collections import Counter
from dataclasses import replace
from itertools import product

from punto.record.checks import events as on
from punto.record.checks import matters
from punto.record.checks.authority import check_second, is_person
from punto.record.checks.awaited import ASIDE, Matter
from punto.record.checks.bets import can_pay, restake
from punto.record.checks.cards import UNREAD, Glimpse
from punto.record.checks.findings import Code
from punto.record.checks.shoes import cards_left, discard_spare
from punto.record.checks.sitting import (
    AFTER_CLOSE,
    IN_DEVICE,
    IN_ROUND,
    MOST_WANTING,
    OF_CARDS,
    OF_THE_DEAL,
    VOIDS,
    Bet,
    Custody,
    Phase,
    Sitting,
)
from punto.record.checks.terms import FIFTH, SECOND, THIRD
from punto.rules import Act, Circumstance, Deal, Duty, Found, Method, Remedy, Rule, Side

_OPEN = frozenset(Phase) - {Phase.CLOSED}
# What cannot happen with a virtual shoe.
OF_A_DEVICE = OF_CARDS | OF_THE_DEAL | {Found.DEVICE_RESET}
_DEALING = frozenset({Phase.DEALING})


def irregularity_found(sitting: Sitting, event: matters.IrregularityFound) -> None:
    """What follows is what the rulebook says, in one of the cases that can be."""
    sitting.expect(_OPEN, f"{event.found.value} was reported", free=False)
    fitting = _fitting(sitting, event)
    if all((rule.remedy, rule.clause) != (event.remedy, event.clause) for rule in fitting):
        expected = " or ".join(sorted({f"{rule.remedy.value} by {rule.clause or 'no clause'}" for rule in fitting}))
        said = f"{event.found.value} led to {event.remedy.value} by {event.clause or 'no clause'}; expected {expected}"
        sitting.wrong(Code.BAD_REMEDY, said)
    names = event.cards.split()
    if event.found in IN_DEVICE and event.remedy is Remedy.PLAY_ON and not names:
        names = [""]
    sitting.dealt_from.glimpsed += map(Glimpse, names)
    named = _check_report(sitting, event)
    _check_taken_up(sitting, event)
    if event.found is Found.INTERRUPTION:
        _note_interruption(sitting, event)
    sitting.to_refer = event.found if event.remedy is Remedy.REFER else sitting.to_refer
    lying = len(_listed(event.note)) if event.found in OF_THE_DEAL else 0
    sitting.matter = Matter(event.found, event.remedy, event.clause, event.together, named, lying=lying)


def _check_taken_up(sitting: Sitting, event: matters.IrregularityFound) -> None:
    """A report that had waited leads to what it said, and to nothing else."""
    report, sitting.due_report = sitting.due_report, None
    if report is None:
        return
    lying = event.note if report.found in OF_THE_DEAL else f"{report.player} | {report.banker}"
    said = event.found, tuple(event.together), lying
    as_reported = report.found, tuple(report.together), f"{report.player} | {report.banker}"
    # One of the cards was found to be an extra card: more came than the shoe held (interpretation 44).
    extra = (Found.EXTRA_CARDS, (), event.note) if _is_one_too_many(sitting, event.note) else ()
    if said != as_reported and not (report.found in OF_THE_DEAL and said == extra and event.note == as_reported[2]):
        sitting.wrong(Code.BAD_REMEDY, f"a report of {report.found.value} was taken up as another")


def _listed(note: str) -> list[str]:
    """The cards of both hands as a report lists them."""
    return note.replace("|", " ").split()


def _is_one_too_many(sitting: Sitting, note: str) -> bool:
    """Whether more cards lie there, as reported, than the shoe held."""
    shoe = sitting.dealt_from
    new = len(_listed(note)) - len(sitting.cards) - len(shoe.spare_in(sitting.round))
    return new > sitting.open.total - shoe.drawn


def _note_interruption(sitting: Sitting, event: matters.IrregularityFound) -> None:
    """An interruption takes its course, now or once what is awaited is done (interpretations 38, 48)."""
    offer = sitting.offer
    waits = (
        bool(sitting.pending)
        and event.remedy not in VOIDS
        and not (offer and offer.whole and offer.sequel == "play-on")
    )
    sitting.interrupted = event.deferred or waits
    if event.remedy is Remedy.OFFER_ALL_THEN_PLAY_ON and sitting.unread_in_hands:
        sitting.wrong(
            Code.BAD_REMEDY, "withdrawal was offered while a patron may have known a card that nobody had read"
        )


def owes_interruption(sitting: Sitting) -> bool:
    """Whether an interruption should have taken its course by now, with somebody to be asked."""
    if not sitting.interrupted or sitting.pending or sitting.unread_in_hands:
        return False
    if sitting.phase not in IN_ROUND or sitting.edition < SECOND:
        return False
    found = matters.IrregularityFound(Found.INTERRUPTION, Remedy.PLAY_ON, "")
    conduct = sitting.open.conduct
    rules = [conduct.rule(found.found, case, paid=sitting.paid) for case in _cases(sitting, found)]
    return all(rule.remedy in (Remedy.OFFER_ALL_THEN_PLAY_ON, Remedy.REFER) for rule in rules)


def _check_report(sitting: Sitting, event: matters.IrregularityFound) -> tuple[str, ...]:
    """The cards that a report of a misdeal names; since the second edition it tells which came together."""
    if sitting.edition < SECOND:
        return ()
    if sitting.open.virtual and event.found in OF_A_DEVICE:
        sitting.wrong(Code.BAD_REMEDY, f"{event.found.value} was reported of a virtual shoe, whose cards are certain")
    if event.found is Found.TOO_FEW_CARDS and cards_left(sitting) >= _needed(sitting):
        sitting.wrong(Code.BAD_REMEDY, f"{cards_left(sitting)} cards were left, and the round needed no more than that")
    if event.found is Found.CUTTING_CARD_FIRST and (sitting.cards or not sitting.cutting_first):
        sitting.wrong(Code.BAD_REMEDY, "the cutting card had not come before the round's first card (3.17.1)")
    if event.found is Found.DEVICE_RESET and not (sitting.open.setup.reads and sitting.phase is Phase.DEALING):
        sitting.wrong(Code.BAD_REMEDY, "a device was reset that is no electronic one, or while no cards were dealt")
    lying = _listed(event.note) if event.found in OF_THE_DEAL else []
    if lying and Counter(laid.card for laid in sitting.cards if laid.up) - Counter(lying):
        sitting.wrong(Code.BAD_CARD, f"{event.note} was reported; other cards lay open")
    places = sorted(event.together)
    follow = len(places) > 1 and places == [*range(places[0], places[0] + len(places))]
    if event.found is Found.DRAWN_TOGETHER and not (follow and places[0] >= 1 and places[-1] <= len(lying)):
        said = f"cards came together at places {places} of {len(lying)}: two or more follow each other"
        sitting.wrong(Code.BAD_REMEDY, said)
    elif event.together and event.found is not Found.DRAWN_TOGETHER:
        sitting.wrong(Code.BAD_REMEDY, f"{event.found.value} has no places at which cards came together")
    elif event.found is Found.WRONG_NUMBER and _is_right_number(sitting, event.note):
        sitting.wrong(Code.BAD_REMEDY, f"{event.note} was called a wrong number of cards, and is the right one")
    return tuple(card for card in lying if card != UNREAD)


def _may_lack_cards(sitting: Sitting) -> bool:
    """Whether the shoe may lack a card that the round needs in another order."""
    return not sitting.dealt_from.can_be_drawn_from or cards_left(sitting) < MOST_WANTING


def _needed(sitting: Sitting) -> int:
    """How many cards the round needed for certain; two are set aside where cards were carried off (5.11.1)."""
    if sitting.count and not sitting.count.aside and sitting.edition >= SECOND:
        return ASIDE
    initial = len(sitting.open.game.opening.order) - len(sitting.cards)
    known = all(laid.card for laid in sitting.cards)
    return initial if initial > 0 else int(known and sitting.deal.next is not None)


def _is_right_number(sitting: Sitting, note: str) -> bool:
    """Whether both hands, as a report has them, have for certain as many cards as the Table of Play gives them."""
    player, _, banker = note.partition("|")
    hands = {Side.PLAYER: player.split(), Side.BANKER: banker.split()}
    order = sitting.open.game.opening.order
    deal: Deal | None = sitting.open.game.begin()
    place = 0
    while side := order[place] if place < len(order) else deal.next if deal else None:
        if not hands[side]:
            break
        kind = sitting.open.cards.get(hands[side].pop(0))
        deal = deal.take(kind) if deal and kind else None
        place += 1
    return not hands[Side.PLAYER] and not hands[Side.BANKER]


def _fitting(sitting: Sitting, event: matters.IrregularityFound) -> list[Rule]:
    """The rules that may cover what was found, in all the cases that can be."""
    conduct = sitting.open.conduct
    if sitting.edition >= SECOND and event.found in OF_CARDS and sitting.concerns_coming_round:
        return [conduct.referral]
    paid = sitting.edition >= SECOND and sitting.paid
    fitting = [conduct.rule(event.found, case, paid=paid) for case in _cases(sitting, event)]
    if event.deferred and not sitting.unread_in_hands:
        sitting.wrong(Code.BAD_REMEDY, f"{event.found.value} was judged later, and no patron held an unread card")
    if event.found is Found.INTERRUPTION and (sitting.pending or event.deferred):
        # What is pending stays so, unless the round is void.
        fitting = [rule if rule.remedy in VOIDS else replace(rule, remedy=Remedy.PLAY_ON) for rule in fitting]
    if sitting.edition < SECOND:
        # Replacing the cards was a must then.
        must = Remedy.VOID_AND_REPLACE
        fitting = [replace(rule, remedy=must) if rule.remedy is Remedy.VOID_AND_PROPOSE else rule for rule in fitting]
    if sitting.dealt_from is not sitting.shoe or (paid and event.found in OF_THE_DEAL and _may_lack_cards(sitting)):
        # What cannot be put in order any more, for want of cards, is referred.
        fitting.append(conduct.referral)
    return fitting


def _cases(sitting: Sitting, event: matters.IrregularityFound) -> list[frozenset[Circumstance]]:
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
    patrons = {bet.patron for bet in sitting.bets.values()}
    if patrons and sitting.edition >= THIRD:
        decided = all(map(sitting.is_decided_for, patrons))
    else:
        decided = terms.game.outcome_established(sitting.seen_deal(), terms.setup.wagers)
    known.add(has.SOMETHING_DECIDED if decided else has.NOTHING_DECIDED)
    of_hand = [laid for laid in sitting.cards if laid.side.value == event.note]
    lying = of_hand if sitting.edition >= SECOND and of_hand else sitting.cards
    faces = {has.FACE_UP if laid.up else has.FACE_DOWN for laid in lying} or {has.FACE_DOWN, has.FACE_UP}
    if event.found is Found.WRONG_PATRON and sitting.edition >= SECOND:
        faces.add(has.FACE_UP)  # the report may say so; then they are exposed in the same command
    orders = {has.ORDER_KNOWN, has.ORDER_UNKNOWN}
    limits = {has.UNDER_MINIMUM, has.OVER_MAXIMUM}
    dealt = _stages(sitting, event)
    return [frozenset(known.union(case)) for case in product(orders, faces, dealt, limits)]


def _stages(sitting: Sitting, event: matters.IrregularityFound) -> set[Circumstance]:
    """How far the deal had come; of cards that came together, whether one of them belongs to the initial deal."""
    initial = len(sitting.open.game.opening.order)
    if event.together:
        return {Circumstance.INITIAL_DEAL if min(event.together) <= initial else Circumstance.INITIAL_DEAL_DONE}
    dealt = {Circumstance.INITIAL_DEAL_DONE} if sitting.initial_deal_done else {Circumstance.INITIAL_DEAL}
    if sitting.edition < SECOND and len(sitting.cards) <= initial + 1:
        # Cards that came together could be told to have come in it as long as at most one lay beyond it.
        dealt.add(Circumstance.INITIAL_DEAL)
    return dealt


def bets_reopened(sitting: Sitting, event: matters.BetsReopened) -> None:
    """After a reset the cards of the round are discarded, and bets are open again (B8, TNC5 5.9)."""
    # Another matter may be with the Gaming Shift Manager meanwhile: no wager is accepted before that is decided.
    sitting.expect(AFTER_CLOSE, "bets were reopened", free=sitting.free_for_reports)
    if sitting.paid and sitting.edition >= SECOND:
        sitting.wrong(Code.PAID_ROUND, f"bets were reopened for round {sitting.round}, which had been paid")
    after_reset = sitting.matter is not None and sitting.closed is not None and sitting.closed.sequel == "reopen"
    if sitting.matter and after_reset:
        sitting.expect_clause(event.clause, sitting.matter.clause)
    elif sitting.ruling:
        sitting.expect_clause(event.clause, sitting.open.conduct.other_clause)
        if sitting.ruled_round < sitting.round and sitting.edition >= SECOND:
            sitting.wrong(Code.BAD_RULING, f"bets were reopened by a decision on round {sitting.ruled_round}")
    else:
        sitting.wrong(Code.BAD_REMEDY, "bets were reopened, and no device was reset")
    if sitting.edition >= SECOND and (
        Counter(event.kept.split()) - Counter(sitting.played) or (sitting.ruling == "order" and not after_reset)
    ):
        sitting.wrong(
            Code.SEEN_CARD, f"{event.kept or 'the round'} was kept when bets reopened, and nobody decided that"
        )
    lay = _discard_all(sitting, event)
    if event.discarded != lay:
        sitting.wrong(Code.BAD_CARD, f"{event.discarded} were discarded; on the table lay {lay}")
    if event.until_ms != sitting.at_ms + sitting.open.setup.timings.bets_ms:
        sitting.wrong(Code.BAD_ROUND, "the time for bets is not what the table was opened with")
    sitting.clear_cards()
    sitting.stated = {}
    sitting.heavier = None
    sitting.interrupted = False  # whoever wants to withdraw can, while bets are open
    sitting.cutting_first = False
    sitting.accepted = {}
    sitting.phase = Phase.BETS_OPEN


def _discard_all(sitting: Sitting, event: matters.BetsReopened) -> str:
    """The cards of the round that go when bets reopen: all but those that the same decision has played."""
    shoe, kept = sitting.dealt_from, event.kept.split()
    gone = []
    for spare in shoe.surplus:
        if spare.told in kept:
            kept.remove(spare.told)
        else:
            spare.allowed = 0
            gone += [spare] if spare.round == sitting.round else []
    for glimpse in shoe.glimpsed:
        if glimpse.told not in kept:
            glimpse.allowed = 0
    laid = sitting.written
    if sitting.edition >= SECOND:
        laid = " ".join(each.card if each.card and sitting.is_seen(each) else UNREAD for each in sitting.cards)
    lay = " ".join([laid, *[spare.told for spare in gone]]).strip()
    if sitting.edition < SECOND and not (gone and event.discarded == lay):
        return laid
    discard_spare(sitting, shoe, gone)
    return lay


def cards_retrieved(sitting: Sitting, event: matters.CardsRetrieved) -> None:
    """Cards come back from the wrong patron while they are face down (B8, TNC5 5.7)."""
    sitting.expect(_DEALING, "cards were retrieved", free=False)
    if sitting.matter is None or sitting.matter.remedy is not Remedy.RETRIEVE:
        sitting.wrong(Code.BAD_REMEDY, "cards were retrieved that had not gone to the wrong patron")
    if all(laid.up for laid in sitting.hand(event.side)):
        sitting.wrong(Code.BAD_REMEDY, "cards were retrieved that had been exposed")
    # Whoever had the cards by mistake may have seen them (interpretation 48).
    for laid in sitting.hand(event.side):
        laid.in_hands, laid.seen_by = True, frozenset()
    sitting.custody[event.side].drop()


def cards_kept(sitting: Sitting, event: matters.CardsKept) -> None:
    """The Dealer exposes the hand of a patron who is not there (B8, TNC5 5.10)."""
    sitting.expect(_DEALING, "a hand was kept by the Dealer", free=False)
    if sitting.matter is None or sitting.matter.remedy is not Remedy.DEALER_EXPOSES:
        sitting.wrong(Code.BAD_REMEDY, "the Dealer kept the hand of a patron who was there")
    sitting.custody[event.side] = Custody(kept=True)


def attested(sitting: Sitting, event: matters.Attested) -> None:
    """Somebody vouches for an act that the rulebook asks for."""
    clause = sitting.open.conduct.acts.get(event.act)
    if clause is None:
        sitting.wrong(Code.BAD_REMEDY, f"{sitting.open.book.code} does not ask for {event.act.value}")
    sitting.expect_clause(event.clause, clause)
    if sitting.edition >= SECOND and (event.wager in sitting.by_staff) is not (event.act is Act.PATRON_ASKED):
        sitting.wrong(
            Code.BAD_REMEDY, f"{event.act.value} was attested for wager {event.wager}, where it does not apply"
        )


def stake_found(sitting: Sitting, event: matters.StakeFound) -> None:
    """A wager is of another amount than was thought (B8, TNC5 5.14, 5.15)."""
    sitting.expect(IN_ROUND, "a stake was found to be another", free=False)
    bet = sitting.bet(event.number, event.patron, event.from_cents)
    if sitting.edition >= SECOND:
        if sitting.paid:
            sitting.wrong(Code.PAID_ROUND, f"a wager of round {sitting.round} was restated after it was paid (5.16)")
        if event.number not in sitting.in_chips:
            sitting.wrong(
                Code.BAD_WAGER, f"the floor itself accepted wager {event.number}: its amount cannot be restated"
            )
        if sitting.cards or sitting.dealt_from.spare_in(sitting.round):
            check_second(sitting, event.confirmed_by, Duty.CONFIRM_STAKE)
        if bet is not None:
            _check_restated(sitting, bet, event.to_cents)
    if event.to_cents <= 0 or event.to_cents == event.from_cents or event.to_cents % sitting.open.unit:
        sitting.wrong(Code.BAD_WAGER, f"a wager cannot be found to be of {event.to_cents} cents")
    elif bet is not None and not can_pay(sitting, bet.wager, event.to_cents):
        sitting.wrong(Code.BAD_WAGER, f"{event.to_cents} cents could pay more than 2^53")
    if bet is not None and event.to_cents > 0:
        restake(sitting, bet, event.to_cents)


def _check_restated(sitting: Sitting, bet: Bet, cents: int) -> None:
    """After the close a wager is found to be off limits, or what it was at the close, and nothing else (5.14, 5.15)."""
    limit = sitting.open.limit(bet.wager)
    within = limit is None or limit.min_cents <= cents <= limit.max_cents
    accepted = sitting.accepted.setdefault(bet.number, bet.cents) if sitting.phase is not Phase.BETS_OPEN else cents
    found = sitting.matter.found if sitting.matter else None
    if (within and cents != accepted) or (not within and found is not Found.OFF_LIMITS):
        sitting.wrong(Code.BAD_WAGER, f"wager {bet.number} was restated to {cents} cents, which no rule allows")


def terminals_failed(sitting: Sitting, event: matters.TerminalsFailed) -> None:
    """Terminals are down until they are back (EB4, E7U 5.10)."""
    sitting.expect(_OPEN, "terminals failed", free=False)
    positions = range(1, sitting.open.setup.positions + 1)
    if not sitting.open.conduct.terminals or not set(event.terminals) <= set(positions):
        sitting.wrong(Code.BAD_REMEDY, f"there are no terminals {list(event.terminals)} to fail")
    sitting.down |= set(event.terminals)


def terminals_restored(sitting: Sitting, event: matters.TerminalsRestored) -> None:
    """Terminals that were down are back."""
    sitting.expect(_OPEN, "terminals came back", free=False)
    if not event.terminals or not set(event.terminals) <= sitting.down:
        sitting.wrong(Code.BAD_REMEDY, f"terminals {list(event.terminals)} came back, and were not all down")
    sitting.down -= set(event.terminals)


def report_kept(sitting: Sitting, event: matters.ReportKept) -> None:
    """A report waits until something else is decided."""
    sitting.expect(_OPEN, "a report was kept", free=False)
    if not sitting.pending:
        sitting.wrong(Code.BAD_REMEDY, f"a report of {event.found.value} was kept, and nothing was awaited")
    as_found = matters.IrregularityFound(event.found, Remedy.REFER, "", "", event.together)
    known = Circumstance.ORDER_UNKNOWN if event.order is None else Circumstance.ORDER_KNOWN
    case = frozenset({known, *_stages(sitting, as_found)})
    if sitting.open.conduct.rule(event.found, case, paid=sitting.paid).remedy in VOIDS:
        sitting.wrong(Code.BAD_REMEDY, f"a report of {event.found.value} was kept, though it voids the round at once")
    sitting.kept.append(event)
    by = sitting.by.name if is_person(sitting.by) else ""
    sitting.kept_by.append(by)
    if sitting.edition >= FIFTH and event.by != by:
        sitting.wrong(Code.BAD_REMEDY, f"the report is said to be by {event.by or 'nobody'}, and {by} made it")


def report_taken_up(sitting: Sitting, event: matters.ReportTakenUp) -> None:
    """A report that had waited is taken up, in the order in which they came."""
    report = sitting.kept.pop(0) if sitting.kept else None
    sitting.reporters = frozenset({"", sitting.kept_by.pop(0) if sitting.kept_by else ""})
    if report is None or report.found is not event.found:
        sitting.wrong(Code.BAD_REMEDY, f"a report of {event.found.value} was taken up that nobody had kept")
    if event.dropped:
        sitting.dropped.append(event.found)
    else:
        sitting.due_report = report


def dealer_stood_in(sitting: Sitting, event: on.DealerStoodIn) -> None:
    """The Dealer draws for a patron who is not at the device (B8, TNC5 5.10)."""
    if sitting.matter is None or sitting.matter.found is not Found.PATRON_ABSENT:
        sitting.wrong(Code.BAD_CUSTODY, "the Dealer stood in for a patron who was at the device")
    else:
        sitting.expect_clause(event.clause, sitting.matter.clause)
    sitting.stands_in = True
