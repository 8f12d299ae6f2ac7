"""Offers of withdrawal: which wagers, whose answers are awaited, and what follows when all are in."""

from collections import Counter
from dataclasses import dataclass

from punto.errors import NoSuchWager, NothingPending, OutOfTurn, Refusal
from punto.rules import Circumstance, Deal, Duty, Found, Position, Remedy, Standing
from punto.table import commands as do
from punto.table import events as on
from punto.table.actor import check_duty, may
from punto.table.bets import keep_device, weigh
from punto.table.circumstances import circumstances, is_decided_for
from punto.table.custody import pass_on
from punto.table.dealing import go_on
from punto.table.draft import Draft
from punto.table.events import Sequel
from punto.table.matters import refer_matter
from punto.table.rebuilding import rebuild
from punto.table.settling import refer_seen
from punto.table.state import PLAYING, UNREAD, Offer, Phase, Table


@dataclass(frozen=True, slots=True)
class Terms:
    """What is offered: by which clause, what follows, and whether all or none (interpretation 18).

    *certain* is the deal as far as its order is beyond doubt; left out, it is all that is known of the cards. After an
    *interruption* it is what each patron may know.
    """

    clause: str
    sequel: Sequel
    whole: bool = False
    order: str = ""
    certain: Deal | None = None
    interruption: bool = False


def offer(draft: Draft, terms: Terms) -> None:
    """Offer every patron the withdrawal of undecided wagers; with none of them, go straight on."""
    table = draft.table
    open_wagers = open_to_each(table) if terms.interruption else undecided(table, terms.certain or table.seen_deal)
    if terms.sequel is not Sequel.REOPEN:
        open_wagers = tuple(number for number in open_wagers if number not in table.stated)
    patrons = tuple(dict.fromkeys(table.wagers[number].patron for number in open_wagers))
    until_ms = draft.at_ms + table.open.timings.answer_ms
    offered = on.WithdrawalOffered(terms.clause, open_wagers, patrons, terms.whole, until_ms, terms.sequel, terms.order)
    draft.add(offered)
    if not patrons:
        _conclude(draft)


def undecided(table: Table, deal: Deal) -> tuple[int, ...]:
    """The wagers on the table that the deal has not decided."""
    standings = table.game.standings(deal)
    return tuple(number for number, placed in table.wagers.items() if standings[placed.wager] is Standing.UNDECIDED)


def open_to_each(table: Table) -> tuple[int, ...]:
    """The wagers of the patrons for whom nothing is decided by what they may know of the cards (interpretation 48)."""
    patrons = {placed.patron for placed in table.wagers.values()}
    free = {patron for patron in patrons if not is_decided_for(table, patron)}
    return tuple(number for number, placed in table.wagers.items() if placed.patron in free)


def answer(draft: Draft, command: do.AnswerOffer) -> None:
    """A patron withdraws wagers, or none."""
    table = draft.table
    waiting = pending_offer(table)
    if command.patron not in waiting.waiting:
        raise NothingPending(f"no answer of {command.patron}'s is awaited")
    if draft.at_ms > waiting.until_ms:
        raise OutOfTurn("the time for an answer is up")
    own = {placed.number for placed in table.wagers.values() if placed.patron == command.patron} & {*waiting.wagers}
    chosen = set(command.withdraw)
    if not chosen <= own:
        raise NoSuchWager(f"{command.patron} may withdraw {_listed(own)} and no other")
    if waiting.whole and chosen and chosen != own:
        raise Refusal(f"all or none: {command.patron} may withdraw {_listed(own)} together ({waiting.clause})")
    for number in sorted(chosen):
        placed = table.wagers[number]
        draft.add(on.WagerWithdrawn(number, placed.patron, placed.cents, waiting.clause))
    draft.add(on.OfferAnswered(command.patron))
    if not pending_offer(draft.table).waiting:
        _conclude(draft)


def call_time(draft: Draft, command: do.CallTime) -> None:
    """The time is up: whoever has not answered plays on.

    Who decides what no rule covers may say so at any time, whatever the clocks say (interpretation 18).
    """
    table = draft.table
    if command.by.position is not Position.SYSTEM:
        check_duty(table.book, table.open.ranks, command.by, Duty.RUN_ROUND)
    waiting = pending_offer(table)
    charge = table.book.conduct.duties.get(Duty.RULE)
    decides = charge is not None and may(charge, table.open.ranks, command.by.position)
    if draft.at_ms < waiting.until_ms and not decides:
        raise OutOfTurn("the time for an answer is not up yet")
    _conclude(draft)


def pending_offer(table: Table) -> Offer:
    """The offer that is open."""
    if not isinstance(table.pending, Offer):
        raise NothingPending("no withdrawal is offered")
    return table.pending


def _conclude(draft: Draft) -> None:
    """Go on with what the offer was made for."""
    made = pending_offer(draft.table)
    interrupted = draft.table.interrupted
    draft.add(on.OfferClosed(made.waiting))
    match made.sequel:
        case Sequel.PLAY_ON:
            pass
        case Sequel.REBUILD:
            rebuild(draft, made.order, made.clause)
        case Sequel.REOPEN:
            reopen(draft, made.clause)
            refer_seen(draft, draft.table.round)
    keep_device(draft)
    pass_on(draft)
    weigh(draft)
    go_on(draft)
    if interrupted and made.sequel is not Sequel.REOPEN:
        resume(draft)


def reopen(draft: Draft, clause: str, played: str = "") -> None:
    """Bets are open once more; all cards that came out for the round are discarded (interpretation 19).

    The cards that are *played* by this decision stay. Of others that somebody has seen, the Gaming Shift Manager
    decides before a wager is accepted.
    """
    table = draft.table
    stay = Counter(played.split())
    # A card that nobody can have seen is not named: the log is read by staff.
    gone = [laid.card if laid.card and laid.seen else UNREAD for laid in table.cards]
    for spare in table.spare:
        if stay[spare.told]:
            stay[spare.told] -= 1
        elif spare.round == table.round:
            gone.append(spare.told)
    until_ms = draft.at_ms + table.open.timings.bets_ms
    draft.add(on.BetsReopened(" ".join(gone), until_ms, clause, played))
    refer_seen(draft, table.round)


def resume(draft: Draft) -> None:
    """An interruption that came while something was awaited takes its course once that is done (interpretation 38)."""
    table = draft.table
    if table.phase not in PLAYING or table.awaited is not None or table.unread_in_hands:
        return
    rule = table.book.conduct.rule(Found.INTERRUPTION, circumstances(table), paid=table.paid)
    if rule.remedy not in (Remedy.OFFER_ALL_THEN_PLAY_ON, Remedy.REFER) and not table.interrupted:
        return
    note = "it had to wait until now"
    draft.add(on.IrregularityFound(Found.INTERRUPTION, rule.remedy, rule.clause, note))
    if rule.remedy is Remedy.REFER:
        refer_matter(draft, Found.INTERRUPTION, "the game was interrupted")
    elif rule.remedy is Remedy.OFFER_ALL_THEN_PLAY_ON:
        offer(draft, Terms(rule.clause, Sequel.PLAY_ON, whole=True, interruption=True))


def allow_withdrawal(draft: Draft, _: do.AllowWithdrawal) -> None:
    """The Dealer lets patrons withdraw because the cutting card came as the first card (B8, TNC5 3.17.1)."""
    table = draft.table
    if table.phase is not Phase.BETS_CLOSED or not table.cutting_card_first:
        raise OutOfTurn("the cutting card has not come as the first card of a round")
    rule = table.book.conduct.rule(
        Found.CUTTING_CARD_FIRST, frozenset({Circumstance.HLGA}) if table.open.hlga else frozenset()
    )
    if rule.remedy is not Remedy.OFFER_THEN_PLAY_ON:
        raise Refusal("withdrawal for the cutting card is allowed in the HLGA only")
    draft.add(on.IrregularityFound(Found.CUTTING_CARD_FIRST, rule.remedy, rule.clause))
    offer(draft, Terms(rule.clause, Sequel.PLAY_ON))


def _listed(numbers: set[int]) -> str:
    return ("wager " if len(numbers) == 1 else "wagers ") + ", ".join(map(str, sorted(numbers)))
