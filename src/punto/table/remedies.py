"""Irregularities: what was found, the rule that covers it, and what the rulebook has follow from it.

A report states a fact. Which rule applies is looked up in the rulebook by what is the case at the table; the
consequence is never typed in.
"""

from collections import Counter

from punto.cards import parse_cards
from punto.errors import BadReport, ImpossibleCard, NoSuchPosition, NotInHand, OutOfTurn
from punto.rules import Circumstance, Duty, Found, Method, Remedy, Rule
from punto.rules.money import Cents, money
from punto.table import commands as do
from punto.table import events as on
from punto.table.actor import check_second
from punto.table.bets import check_limits, check_stake, find, weigh
from punto.table.circumstances import circumstances, order_told
from punto.table.counting import ASIDE
from punto.table.custody import offer as offer_cards
from punto.table.dealing import check_card, go_on, turn_up
from punto.table.draft import Draft
from punto.table.events import Sequel
from punto.table.matters import VOIDS, noted, refer_matter
from punto.table.offers import Terms, offer
from punto.table.reports import check_report
from punto.table.settling import refer_seen, void
from punto.table.setup import Source
from punto.table.state import BETWEEN, DEALING, IN_DEVICE, NOBODY, OF_CONTENTS, PLAYING, Counting, Offer, Phase, Table


def report_cards(draft: Draft, command: do.ReportCards) -> None:
    """Something is the matter with cards or device; earlier rounds stand (EB4, E7U, B8, TNC5, FF2 5.1, 5.1.2)."""
    table = draft.table
    found = command.found
    check_report(found, command)
    if table.open.source is Source.VIRTUAL and found is not Found.TOO_FEW_CARDS:
        raise BadReport("the cards come from a virtual shoe: what it holds, and in which order, is certain")
    cards = _named(table, command)
    if found in IN_DEVICE and _are_more_than_held(table, cards):
        # More cards lie there than the shoe held: one of them is an extra card (interpretation 44).
        found, cards = Found.EXTRA_CARDS, ""
    if found is Found.CARD_SEEN:
        _refer_turned(draft, command, cards)
        return
    # While a round of another shoe is put in order, the shoe in place is that of the coming round.
    other_shoe = table.phase in PLAYING and table.shoe_is_out
    found_between = table.phase in BETWEEN or (table.phase is Phase.CHANGE_OF_SHOE and table.shoes > 0) or other_shoe
    if found_between and found is not Found.TOO_FEW_CARDS and (found in OF_CONTENTS or table.has_shoe):
        # No round is void: it concerns the coming one (interpretation 43). What shall be replaced, still shall.
        known = order_told(known=command.order_known)
        replace = table.book.conduct.rule(found, circumstances(table, known)).remedy is Remedy.VOID_AND_REPLACE
        noted(draft, found, table.book.conduct.referral, command.note)
        matter = command.note or found.value
        refer_matter(draft, found, matter, cards=cards, round_=table.round + 1, replace=replace)
        return
    if table.phase not in PLAYING or other_shoe:
        raise OutOfTurn("no round is under way that this could concern: have the cards replaced, if they need it")
    if found is Found.TOO_FEW_CARDS and table.left + len(table.spare_now) >= _still_needed(table):
        said = f"cards left by the record: {table.left}. They may suffice"
        raise BadReport(said if table.open.source is Source.VIRTUAL else f"{said}: are cards missing?")
    case = circumstances(table, order_told(known=command.order_known))
    rule = table.book.conduct.rule(found, case, paid=table.paid)
    seen = "" if rule.remedy is Remedy.REFER or found in OF_CONTENTS else cards
    draft.add(on.IrregularityFound(found, rule.remedy, rule.clause, command.note, cards=seen))
    if rule.remedy in VOIDS:
        void(draft, found, rule.clause, rule.remedy, cards if found is Found.MISSING_CARDS else "")
    elif rule.remedy is Remedy.REFER:
        refer_matter(draft, found, command.note or found.value, cards=cards)
    elif not table.cards:
        refer_seen(draft, table.round)


def _refer_turned(draft: Draft, command: do.ReportCards, cards: str) -> None:
    """A card that is out of the device and comes next was unseen so far, and has been seen now (interpretation 23)."""
    table = draft.table
    unseen = [spare for spare in table.spare if not spare.seen]
    names = cards.split()
    if not names or len(names) > len(unseen):
        raise BadReport(
            f"card-seen takes the names of unseen cards that lie next: {len(unseen)} such cards are out. Report a card "
            "that is still in the device as face-up-in-device"
        )
    for spare, name in zip(unseen, names, strict=False):
        if spare.card not in ("", name):
            raise ImpossibleCard("the device has read another card")
    rule = table.book.conduct.referral
    noted(draft, command.found, rule, command.note)
    coming = table.phase in BETWEEN or table.shoe_is_out
    round_ = table.round + 1 if coming else table.round
    refer_matter(draft, command.found, command.note or f"seen: {cards}", cards=cards, round_=round_)


def _named(table: Table, command: do.ReportCards) -> str:
    """The cards that a report names; those of this shoe must be such as it can still hold."""
    names = [str(card) for card in parse_cards(command.cards, table.game.deck)]
    if command.found is Found.MISSING_CARDS and table.has_shoe and len(names) > table.left:
        raise BadReport(f"{len(names)} cards cannot be missing: {table.left} are left by the record")
    if command.found not in (Found.EXTRA_CARDS, Found.FOREIGN_CARDS, Found.CARD_SEEN):
        for place, name in enumerate(names):
            check_card(table, name, tuple(names[:place]))
    return " ".join(names)


def _are_more_than_held(table: Table, cards: str) -> bool:
    """Whether more cards were seen in the device than it holds by the count; one that nobody names is one, too."""
    seen = Counter(each.card for each in table.glimpsed)
    new = Counter(cards.split() or [""]) - seen
    return table.has_shoe and seen.total() + new.total() > table.left


def _still_needed(table: Table) -> int:
    """How many cards the round needs for certain; two are set aside where cards were carried off (B8, TNC5 5.11.1)."""
    if isinstance(table.pending, Counting) and not table.pending.aside:
        return ASIDE
    initial = len(table.game.opening.order) - len(table.cards)
    return initial if initial > 0 else int(table.all_known and table.deal.next is not None)


def report_delivery(draft: Draft, command: do.ReportDelivery) -> None:
    """Cards went to the wrong patron or to nobody, or were seen too early (B8, TNC5 5.7, 5.7.1)."""
    table = draft.table
    found, side = command.found, command.side
    check_report(found, command)
    if not (table.phase in PLAYING or table.settled) or not table.hand(side):
        raise OutOfTurn(f"no card of the {side.value} hand is on the table")
    open_already = table.lies_open(side)
    custody = table.custody(side)
    if found is Found.WRONG_PATRON and not (custody.hand or custody.offered or table.settled):
        raise NotInHand(f"the {side.value} hand was passed to nobody")
    places = _exposed(table, command)
    # Whoever names cards of the hand says that they were exposed (5.7.1).
    exposed = open_already or command.cards or command.places
    face = Circumstance.FACE_UP if exposed else Circumstance.FACE_DOWN
    rule = table.book.conduct.rule(found, circumstances(table, face), paid=table.paid)
    noted(draft, found, rule, side.value)
    match rule.remedy:
        case Remedy.RETRIEVE:
            draft.add(on.CardsRetrieved(side))
            if table.method is Method.A and table.initial_deal_done and not custody.kept:
                offer_cards(draft, side)
        case Remedy.REFER:
            refer_matter(draft, found, f"{found.value}: {side.value}")
        case _ if not open_already:
            turn_up(draft, side, command.cards, places)
            go_on(draft)


def _exposed(table: Table, command: do.ReportDelivery) -> tuple[int, ...]:
    """Which cards of the hand were exposed, by their places in it; none where all of them were (B8, TNC5 5.7.1)."""
    hand = table.hand(command.side)
    down = {place: laid for place, laid in enumerate(hand, 1) if not laid.up}
    places = command.places
    if not places:
        names = [str(card) for card in parse_cards(command.cards, table.game.deck)]
        if len(names) in (0, len(down)):
            return ()
        for name in names:
            fitting = [place for place, laid in down.items() if laid.card == name and place not in places]
            unread = [place for place, laid in down.items() if not laid.card and place not in places]
            if not fitting and not unread:
                raise ImpossibleCard(f"no card of the {command.side.value} hand that lies face down can be {name}")
            places = (*places, (fitting or unread)[0])
    if len(set(places)) != len(places) or not set(places) <= down.keys():
        left_down = ", ".join(map(str, down)) or "none"
        raise BadReport(f"of the {command.side.value} hand these places lie face down: {left_down}")
    return () if set(places) == down.keys() == set(range(1, len(hand) + 1)) else tuple(sorted(places))


def report_absence(draft: Draft, command: do.ReportAbsence) -> None:
    """Who handles a hand or the device is not there: the Dealer exposes the cards (B8, TNC5 5.10)."""
    table = draft.table
    if table.phase not in DEALING:
        raise OutOfTurn("no cards are being dealt")
    custody = table.custody(command.side) if command.side else NOBODY
    at_device = table.device if table.method is Method.C else ""
    absent = custody.hand or custody.offered or at_device
    if not absent:
        raise NotInHand(f"nobody handles the {command.side.value} hand" if command.side else "nobody is at the device")
    rule = table.book.conduct.rule(Found.PATRON_ABSENT, circumstances(table))
    noted(draft, Found.PATRON_ABSENT, rule, absent)
    if command.side and (custody.hand or custody.offered):
        draft.add(on.CardsKept(command.side))
    else:
        draft.add(on.DeviceGivenUp(absent, rule.clause))
        draft.add(on.DealerStoodIn(rule.clause))


def report_stake(draft: Draft, command: do.ReportStake) -> None:
    """Chips on the layout are found to be of another amount (B8, TNC5 5.14, 5.15; interpretations 9, 10, 20)."""
    table = draft.table
    if table.paid or table.phase in BETWEEN:
        raise OutOfTurn("the round was paid: what was paid or collected is settled (5.16)")
    placed = find(table, command.number)
    cents = command.stake_cents
    check_stake(table.open, placed.wager, cents)
    if cents == placed.cents:
        raise BadReport(f"wager {placed.number} is of that amount already")
    if table.book.conduct.terminals or placed.number not in table.in_chips:
        raise BadReport("the floor itself accepted this stake: only chips that staff entered are found otherwise")
    second = command.confirmed_by
    if table.cards or table.spare_now:
        second = check_second(table.book, table.open.ranks, command.by, second, Duty.CONFIRM_STAKE)
    limit = table.open.limits[placed.wager]
    if not limit.min_cents <= cents <= limit.max_cents:
        if table.phase is Phase.BETS_OPEN:
            check_limits(table.open, placed.wager, cents)
        under = cents < limit.min_cents
        beyond = Circumstance.UNDER_MINIMUM if under else Circumstance.OVER_MAXIMUM
        rule = table.book.conduct.rule(Found.OFF_LIMITS, circumstances(table, beyond))
        noted(draft, Found.OFF_LIMITS, rule, f"wager {placed.number}")
        draft.add(on.StakeFound(placed.number, placed.patron, placed.cents, Cents(cents), second))
        weigh(draft)
        if rule.remedy is Remedy.REFER:
            refer_matter(draft, Found.OFF_LIMITS, f"wager {placed.number} is {money(cents)}")
        return
    accepted = table.restated.get(placed.number, placed.cents)
    if table.phase is not Phase.BETS_OPEN and cents != accepted:
        raise BadReport(f"a stake within the limits cannot be restated: {money(accepted)} was accepted at the close")
    draft.add(on.StakeFound(placed.number, placed.patron, placed.cents, Cents(cents), second))
    weigh(draft)


def report_interruption(draft: Draft, command: do.ReportInterruption) -> None:
    """Power or machinery failed: for the whole table, or at some terminals (EB4, E7U 5.9, 5.10; B8, TNC5 5.17)."""
    table = draft.table
    if command.terminals:
        _terminals_failed(draft, command.terminals)
        return
    if table.phase not in PLAYING:
        raise OutOfTurn("no round is under way: nothing was interrupted")
    found = Found.INTERRUPTION
    rule = table.book.conduct.rule(found, circumstances(table), paid=table.paid)
    if rule.remedy not in VOIDS and table.awaited is not None:
        # Whoever must decide or answer still must; nothing else goes on meanwhile.
        noted(draft, found, Rule(rule.clause, Remedy.PLAY_ON), "a decision is pending")
        if isinstance(table.pending, Offer):
            draft.add(on.OfferExtended(draft.at_ms + table.open.timings.answer_ms))
        return
    if rule.remedy is Remedy.OFFER_ALL_THEN_PLAY_ON and table.unread_in_hands:
        # A card that a patron may know is exposed before it is judged (interpretation 48).
        note = "cards in patrons' hands are exposed first"
        draft.add(on.IrregularityFound(found, Remedy.PLAY_ON, rule.clause, note, deferred=True))
        return
    noted(draft, found, rule, "the whole table")
    match rule.remedy:
        case Remedy.VOID:
            void(draft, found, rule.clause, rule.remedy)
        case Remedy.OFFER_ALL_THEN_PLAY_ON:
            offer(draft, Terms(rule.clause, Sequel.PLAY_ON, whole=True, interruption=True))
        case Remedy.REFER:
            refer_matter(draft, found, "the game was interrupted")


def _terminals_failed(draft: Draft, terminals: tuple[int, ...]) -> None:
    """Some terminals are down: wagers that were accepted stand, and the round goes on (EB4, E7U 5.10)."""
    table = draft.table
    _check_terminals(table, terminals)
    if table.phase in PLAYING:
        rule = table.book.conduct.rule(Found.TERMINALS_DOWN, circumstances(table))
        noted(draft, Found.TERMINALS_DOWN, rule, "terminals " + ", ".join(map(str, terminals)))
    draft.add(on.TerminalsFailed(terminals))


def _check_terminals(table: Table, terminals: tuple[int, ...]) -> None:
    if not table.book.conduct.terminals:
        raise BadReport("this table has no terminals")
    for terminal in terminals:
        if not 1 <= terminal <= table.open.positions:
            raise NoSuchPosition(f"terminal {terminal}: expected 1 to {table.open.positions}")
    if len(set(terminals)) != len(terminals):
        raise BadReport("each terminal is named once")


def restore_terminals(draft: Draft, command: do.RestoreTerminals) -> None:
    """Terminals that were down are back (EB4, E7U 5.10)."""
    table = draft.table
    _check_terminals(table, command.terminals)
    if not command.terminals or not set(command.terminals) <= set(table.down):
        down = ", ".join(map(str, table.down)) or "none"
        raise BadReport(f"only terminals that are down come back: down now are {down}")
    draft.add(on.TerminalsRestored(command.terminals))


def report_display(draft: Draft, command: do.ReportDisplay) -> None:
    """A display is wrong; the cards stand, and no money moves (EB4, E7U, B8, TNC5 6.3)."""
    rule = draft.table.book.conduct.rule(Found.DISPLAY_WRONG, frozenset())
    noted(draft, Found.DISPLAY_WRONG, rule, command.shown)
