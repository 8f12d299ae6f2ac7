"""Referral: what no rule covers, and what the Gaming Shift Manager decides of it (EB4, E7U, B8, TNC5 6.1)."""

from punto.errors import BadReport, Malformed, NoSuchWager, NothingPending, OutOfTurn
from punto.rules import Found, Remedy
from punto.table import commands as do
from punto.table import events as on
from punto.table.bets import keep_device, weigh
from punto.table.custody import pass_on
from punto.table.draft import Draft
from punto.table.events import Ruling
from punto.table.offers import Terms, offer, resume
from punto.table.rebuilding import certain_deal, check_order
from punto.table.settling import reverse, settle, void
from punto.table.state import PLAYING, Asked, Ordering, Phase, Table


def refer(draft: Draft, command: do.Refer) -> None:
    """Something that no rule covers."""
    table = draft.table
    if table.phase is Phase.CHANGE_OF_SHOE:
        raise OutOfTurn("there is neither a round nor a shoe to decide about")
    if not command.matter.strip():
        raise Malformed("a referral says what the matter is")
    draft.add(on.Referred(Found.OTHER, command.matter, table.book.conduct.other_clause or ""))


def rule(draft: Draft, command: do.Rule) -> None:
    """The decision: void, continue, or return particular wagers and continue."""
    table = draft.table
    asked = _asked(table, command.matter)
    if not command.reason.strip():
        raise Malformed("a decision gives its reason")
    if (command.ruling is Ruling.RETURN) is not bool(command.wagers):
        raise Malformed("wagers are named when, and only when, particular wagers are returned")
    if command.ruling is not Ruling.CONTINUE and not (table.phase in PLAYING or table.settled):
        raise OutOfTurn("there is no round to be void, and no wager to return")
    unknown = [number for number in command.wagers if number not in table.wagers]
    if unknown:
        raise NoSuchWager(f"no wager {unknown[0]} lies on the table")
    settled = table.settled
    if command.ruling is Ruling.RETURN:
        reverse(draft)
    returned = tuple(
        on.Return(number, table.wagers[number].patron, table.wagers[number].cents)
        for number in dict.fromkeys(command.wagers)
    )
    draft.add(on.Ruled(command.ruling, command.reason, returned))
    if command.ruling is Ruling.VOID:
        void(draft, asked.found, asked.clause, Remedy.VOID)
    elif returned and settled:
        settle(draft)
    else:
        weigh(draft)
        keep_device(draft)
        pass_on(draft)
        if table.interrupted:
            resume(draft)


def _asked(table: Table, number: int) -> Asked:
    """What is to be decided; *number* says which matter is meant, 0 the one that is pending."""
    asked = table.pending
    if not isinstance(asked, Asked):
        raise NothingPending("nothing was referred")
    if number not in (0, asked.number):
        raise NothingPending("that was decided already: what is pending now is another matter")
    return asked


def order_cards(draft: Draft, command: do.OrderCards) -> None:
    """The Pit Manager orders cards that came together; then each patron withdraws all or plays on (5.8.2.2)."""
    table = draft.table
    wanted = table.pending
    if not isinstance(wanted, Ordering):
        raise NothingPending("no order of cards is asked for")
    reported = check_order(table, wanted.cards, "", command.order)
    initial = [laid.card for laid in table.cards[: len(table.game.opening.order)]]
    if reported.order.split()[: len(initial)] != initial:
        raise BadReport("the cards of the initial deal did not come together: their order is certain")
    draft.add(on.OrderDetermined(command.order))
    certain = certain_deal(table, " ".join(initial))
    offer(draft, Terms(wanted.clause, on.Sequel.REBUILD, whole=True, order=reported.order, certain=certain))
