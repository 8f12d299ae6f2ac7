"""Referral: what no rule covers, and what the Gaming Shift Manager decides of it (EB4, E7U, B8, TNC5 6.1).

A decision has parts: what becomes of the round, of cards, of wagers and of the shoe (interpretation 46).
"""

from collections import Counter

from punto.errors import (
    BadReport,
    BadStake,
    DecisionPending,
    Malformed,
    NoSuchWager,
    NotAllowed,
    NothingPending,
    OutOfTurn,
)
from punto.rules import Found, Method, Remedy
from punto.rules.money import Cents, money
from punto.table import commands as do
from punto.table import events as on
from punto.table.actor import is_same_person
from punto.table.bets import keep_device, weigh
from punto.table.custody import pass_on
from punto.table.dealing import check_card, go_on
from punto.table.draft import Draft
from punto.table.events import Ruling, ShoeRuling
from punto.table.matters import refer_matter
from punto.table.misdeals import check_certain
from punto.table.offers import Terms, offer, reopen, resume
from punto.table.rebuilding import can_be_finished, check_order, rebuild
from punto.table.settling import as_stated, refer_seen, reverse, settle, void
from punto.table.setup import Source
from punto.table.shoes import check_counted
from punto.table.state import BETWEEN, OF_CONTENTS, PLAYING, UNREAD, Asked, Ordering, Phase, Shoe, Table


def refer(draft: Draft, command: do.Refer) -> None:
    """Something that no rule covers: about the round in play, or the one that was played last."""
    if not draft.table.shoes:
        raise OutOfTurn("there is neither a round nor a shoe to decide about")
    if not command.matter.strip():
        raise Malformed("a referral says what the matter is")
    refer_matter(draft, Found.OTHER, command.matter)


def rule(draft: Draft, command: do.Rule) -> None:
    """The decision on the matter that was referred first, with all its parts."""
    table = draft.table
    asked = _asked(table, command)
    if asked.by and is_same_person(asked.by, command.by.name):
        raise NotAllowed(f"{asked.by} has reported or referred this matter: another person decides it")
    if not command.reason.strip():
        raise Malformed("a decision gives its reason")
    round_ = _round(table, asked, command)
    coming = round_ > table.round
    returned = _returns(table, command)
    _check_ruling(table, command, coming=coming)
    _check_results(table, command)
    _check_shoe(table, asked, command)
    again = table.settled and bool(returned or command.results)
    if again:
        reverse(draft)
    burnt = _burnt(table, asked, command, coming=coming)
    draft.add(
        on.Ruled(
            ruling=command.ruling,
            reason=command.reason,
            returns=returned,
            matter=asked.number,
            round=round_,
            burnt=burnt,
            burnt_next=command.burn_next,
            played=command.play,
            results=command.results,
            shoe=command.shoe or _kept(table, asked, coming=coming),
            counted=command.counted,
            order=command.order,
        )
    )
    if command.method:
        draft.add(on.MethodChosen(command.method))
    if command.ruling is Ruling.VOID and not coming:
        void(draft, asked.found, asked.clause, Remedy.VOID)
    elif command.ruling is Ruling.ORDER:
        _check_order(draft.table, command.order)
        rebuild(draft, command.order, asked.clause)
        weigh(draft)
        keep_device(draft)
        pass_on(draft)
        if table.interrupted:
            resume(draft)
    elif command.reopen:
        reopen(draft, asked.clause, command.play)
        refer_seen(draft, table.round)
    elif again:
        settle(draft)
    else:
        _go_on(draft, interrupted=table.interrupted)


def _go_on(draft: Draft, *, interrupted: bool) -> None:
    """The round goes on with what it has."""
    if draft.table.phase not in PLAYING:
        return
    weigh(draft)
    keep_device(draft)
    pass_on(draft)
    if interrupted:
        resume(draft)
    if draft.table.phase is Phase.DRAWING:
        go_on(draft)


def _asked(table: Table, command: do.Rule) -> Asked:
    """What is to be decided now. Matters are decided in order, and after whatever was awaited before them."""
    if not table.asked:
        raise NothingPending("nothing was referred")
    first = table.asked[0]
    if table.pending is not None and command.ruling is not Ruling.VOID:
        raise DecisionPending("an answer, an order or a count is awaited, and comes first; only a void does not wait")
    number = command.matter
    if number not in (0, first.number):
        if any(number == each.number for each in table.asked):
            raise OutOfTurn(f"matters are decided in order: matter {first.number} comes first")
        raise NothingPending("that was decided already: what is pending now is another matter")
    return first


def _round(table: Table, asked: Asked, command: do.Rule) -> int:
    """The round that the decision applies to: the one that was played last, or the coming one.

    A matter that concerns the coming round touches no earlier one. An earlier round can only be said to stand: it was
    over for good when bets opened again (interpretation 43).
    """
    round_ = command.round or asked.round
    if 0 < round_ < table.round and asked.round <= table.round:
        if command.ruling is not Ruling.CONTINUE or _changes(command):
            raise OutOfTurn(f"round {round_} is over for good: it stands, and credits correct what is owed")
        return round_
    rounds = {asked.round, table.round, table.round + 1} if table.phase in BETWEEN else {asked.round, table.round}
    if asked.round > table.round:
        rounds = {asked.round}  # earlier rounds stand (5.1.2)
    if round_ not in rounds:
        listed = " or ".join(map(str, sorted(rounds)))
        raise OutOfTurn(f"matter {asked.number} is about round {listed}: it cannot be decided for round {round_}")
    return round_


def _changes(command: do.Rule) -> bool:
    """Whether a decision does anything to wagers, cards or the course of the round."""
    wagers = command.wagers or command.parts or command.results
    cards = command.burn or command.burn_next or command.play or command.shoe or command.counted is not None
    return bool(wagers or cards or command.order or command.reopen or command.method)


def _check_ruling(table: Table, command: do.Rule, *, coming: bool) -> None:
    """What becomes of the round, and whether that can be."""
    ruling = command.ruling
    changes = bool(command.wagers or command.parts or command.results)
    if (ruling is Ruling.ORDER) is not bool(command.order):
        raise Malformed("an order of cards is stated when, and only when, the round is put in order")
    if ruling is Ruling.RETURN and not (command.wagers or command.parts):
        raise Malformed("name the wagers that go back")
    if ruling is Ruling.VOID and (changes or command.reopen):
        raise Malformed("a void returns every stake: no wager is decided on beside it, and bets do not reopen")
    if coming and (changes or command.reopen or ruling in (Ruling.ORDER, Ruling.RETURN)):
        raise OutOfTurn("the decision is about the coming round, which has neither wagers nor cards yet")
    if not coming and ruling is not Ruling.CONTINUE and not (table.phase in PLAYING or table.settled):
        raise OutOfTurn("there is no round to be void or put in order, and no wager to return")
    if ruling is Ruling.ORDER and table.phase is Phase.BETS_OPEN:
        raise OutOfTurn("no card of the round lies on the table yet")
    if ruling is Ruling.ORDER and table.open.source is Source.VIRTUAL:
        raise BadReport("the cards come from a virtual shoe: their order is certain")
    if command.reopen:
        _check_reopening(table, ruling)
    if command.method and (table.method is not Method.C or command.method is Method.C):
        raise NotAllowed("a decision has the Dealer deal, by Method A or B, only in place of a patron at the device")


def _check_reopening(table: Table, ruling: Ruling) -> None:
    """Bets reopen once they were closed, and before the round is paid; its cards are discarded then."""
    if ruling is Ruling.ORDER:
        raise Malformed("when bets reopen the cards are discarded: they cannot be put in order as well")
    if table.phase not in PLAYING or table.phase is Phase.BETS_OPEN or table.paid:
        raise OutOfTurn("bets reopen in a round whose bets are closed, and which is not paid")


def _check_order(table: Table, order: str) -> None:
    """An order is one of the cards that lie on the table or were named in the report, and are not burnt.

    A round that was paid is put in order only if it can be paid again.
    """
    reported = check_order(table, order, "", order)
    if reported.out:
        raise BadReport("the order names cards that are neither on the table nor among those that were reported")
    if table.paid and not can_be_finished(table, reported):
        raise OutOfTurn("in this order the round needs another card, and its shoe has none to give")


def _returns(table: Table, command: do.Rule) -> tuple[on.Return, ...]:
    """The stakes, and parts of stakes, that go back."""
    wagers = table.wagers if table.phase in PLAYING or table.settled else {}
    whole = dict.fromkeys(command.wagers)
    for number in [*whole, *[part.number for part in command.parts]]:
        if number not in wagers:
            raise NoSuchWager(f"no wager {number} lies on the table")
    amounts = {number: wagers[number].cents for number in whole}
    for part in command.parts:
        number, cents = part.number, part.cents
        if number in amounts:
            raise Malformed(f"wager {number} is named twice among those that go back")
        if not 0 < cents < wagers[number].cents or cents % table.open.unit_cents:
            stake = money(wagers[number].cents)
            raise BadStake(f"{money(cents)} of wager {number} cannot go back: expected whole chips, less than {stake}")
        least, was = table.open.limits[wagers[number].wager].min_cents, wagers[number].cents
        if was - cents < least:
            raise BadStake(f"{money(was - cents)} of wager {number} would be left, under the minimum: return all of it")
        amounts[number] = cents
    return tuple(on.Return(number, wagers[number].patron, Cents(cents)) for number, cents in amounts.items())


def _check_results(table: Table, command: do.Rule) -> None:
    """Each result is stated once, of a wager that stays on the table, and is a line of its pay table.

    Wagers that can still change have no result: while bets are open, or one hand is too heavy.
    """
    if command.results and (table.phase is Phase.BETS_OPEN or command.reopen or table.heavier):
        raise OutOfTurn("a result is stated once wagers can no longer change")
    wagers = table.wagers if table.phase in PLAYING or table.settled else {}
    for stated in command.results:
        if stated.number not in wagers or stated.number in command.wagers:
            raise NoSuchWager(f"no wager {stated.number} stays on the table")
        as_stated(table.game.wager(wagers[stated.number].wager), stated)
    if len({stated.number for stated in command.results}) != len(command.results):
        raise Malformed("the result of a wager is stated once")


def _check_shoe(table: Table, asked: Asked, command: do.Rule) -> None:
    """The shoe is replaced, or kept: counted, where its contents are in doubt (interpretation 17)."""
    shoe = table.shoe
    if not table.has_shoe:
        if command.shoe or command.counted is not None:
            raise OutOfTurn("no shoe is in place: there is none to keep, to replace or to count")
        return
    if command.shoe is ShoeRuling.KEEP and shoe.shall_be_replaced:
        raise OutOfTurn("these cards shall be replaced: no decision keeps them")
    if command.shoe is ShoeRuling.KEEP and table.left <= command.burn_next:
        raise OutOfTurn("no card is left in the shoe: it cannot be kept")
    doubtful = (asked.found in OF_CONTENTS and not _is_replaced(shoe)) or command.shoe is ShoeRuling.KEEP
    if command.counted is not None or (doubtful and command.shoe is not ShoeRuling.REPLACE):
        check_counted(table, command.counted)


def _is_replaced(shoe: Shoe) -> bool:
    """Whether the cards are replaced before the next round in any case: what the shoe holds is in doubt no more."""
    return shoe.spent or shoe.is_last_round


def _kept(table: Table, asked: Asked, *, coming: bool) -> ShoeRuling | None:
    """A shoe whose contents were in doubt is kept where nothing else is said, unless it is out already."""
    in_place = table.has_shoe and not _is_replaced(table.shoe)
    doubtful = table.left > 0 and asked.found in OF_CONTENTS and (coming or table.paid)
    return ShoeRuling.KEEP if doubtful and in_place else None


def _burnt(table: Table, asked: Asked, command: do.Rule, *, coming: bool) -> str:
    """The cards that are discarded: those that the decision names, and all of the matter that were seen too early.

    Unless the decision says that they are played, they decide no wager that is made afterwards (interpretation 23).
    """
    if (command.burn or command.burn_next or command.play) and not table.has_shoe:
        raise OutOfTurn("no shoe is in place: there is no card to burn or to play")
    later = {each.number for each in table.asked} - {asked.number}
    out = Counter(each.told for each in table.loose if each.seen and each.matter not in later)
    named, played = Counter(command.burn.split()), Counter(command.play.split())
    if both := named & played:
        raise BadReport(f"{' '.join(both)} cannot be both burnt and played")
    for card in played - out:
        raise BadReport(f"{card} is not among the cards that were seen: {written_out(out)}")
    from_device = [*(named - out).elements()]
    for place, card in enumerate(from_device):
        if table.open.source is Source.VIRTUAL:
            raise BadReport(f"{card} cannot be burnt by its name: a virtual shoe keeps its order; use burn_next")
        if card == UNREAD:
            raise BadReport(f"{card} is not among the cards that were seen: {written_out(out)}")
        check_card(table, card, tuple(from_device[:place]))
    if played and command.shoe is ShoeRuling.REPLACE and (coming or table.phase in BETWEEN):
        raise Malformed("a card of a shoe that is replaced cannot be played")
    round_ = table.round + coming
    out_now = [each for each in table.spare if each.round <= round_ and each.allowed != round_]
    told = [*[each.told for each in out_now], *[each.told for each in table.glimpsed]]
    played_now = played & Counter(told)
    now = table.phase is Phase.BETS_OPEN or command.reopen or table.heavier
    # A shoe that is replaced takes its cards with it.
    gone = command.shoe is ShoeRuling.REPLACE or (command.shoe is None and _is_replaced(table.shoe))
    later_on = (coming or table.phase in BETWEEN) and not gone
    if now or later_on:
        put_in_order = Counter(command.order.split()) - Counter(laid.card for laid in table.cards)
        named |= Counter(each.told for each in table.barred if each.matter not in later) - played - put_in_order
    # Cards that are burnt by their names are not among the next ones.
    elsewhere = Counter(each.told for each in table.spare if each not in out_now and each.seen)
    available = table.left + len(out_now) - played_now.total() - (named - elsewhere).total()
    if command.burn_next < 0 or ((command.burn_next or from_device) and command.burn_next > available):
        raise BadReport(f"{command.burn_next} cards cannot be burnt: {available} are left")
    return " ".join(named.elements())


def written_out(cards: Counter[str]) -> str:
    """Cards in a line, or that there are none."""
    return " ".join(cards.elements()) or "none"


def order_cards(draft: Draft, command: do.OrderCards) -> None:
    """The Pit Manager orders cards that came together; then each patron withdraws all or plays on (5.8.2.2)."""
    table = draft.table
    wanted = table.pending
    if not isinstance(wanted, Ordering):
        raise NothingPending("no order of cards is asked for")
    reported = check_order(table, wanted.cards, "", command.order)
    check_certain(table, reported, wanted.certain)
    draft.add(on.OrderDetermined(command.order))
    known = table.seen_of(wanted.certain)
    offer(draft, Terms(wanted.clause, on.Sequel.REBUILD, whole=True, order=command.order, certain=known))
