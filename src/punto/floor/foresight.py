"""Foresight: what a command would do to the cards and to each patron's money, worked out and not carried out."""

from collections import Counter

from msgspec import Struct

from punto.floor.prospects import Prospect, prospects
from punto.ledger.transfers import WALLET, transfers
from punto.rules import Side
from punto.rules.money import Cents
from punto.table import AnyCommand, Phase, Table, act
from punto.table import events as on
from punto.table.state import UNREAD, replace


class MoneyForeseen(Struct, frozen=True):
    """What a patron's credits gain or lose at once, what is at stake afterwards, and what settlement then pays.

    *settlement_cents* is all that settlement adds to the credits; none where a wager is not determined yet, or where
    nothing is left to settle.
    """

    patron: str
    credits_cents: Cents
    stake_cents: Cents
    settlement_cents: Cents | None
    wagers: tuple[Prospect, ...]


class Foresight(Struct, frozen=True):
    """The table as it would be: its hands as far as they lie open, the cards beside them, and the money.

    *discarded* are cards that leave the game by name, *discarded_next* so many more from the device; *next* come next.
    """

    phase: Phase
    player: tuple[str, ...]
    banker: tuple[str, ...]
    discarded: tuple[str, ...]
    discarded_next: int
    next: tuple[str, ...]
    shoe_replaced: bool
    # Whether another matter must be decided before the round goes on.
    more_to_decide: bool
    money: tuple[MoneyForeseen, ...]


def foresee(table: Table, command: AnyCommand) -> Foresight:
    """What the command would do now; refused as the command itself would be."""
    act(table, command)  # for its refusals only: here every card counts
    table = _concealed(table)
    draft = act(table, command)
    after = draft.table
    return Foresight(
        phase=after.phase,
        player=_hand(after, Side.PLAYER),
        banker=_hand(after, Side.BANKER),
        discarded=_discarded(table, draft.events),
        discarded_next=sum(event.burnt_next for event in draft.events if isinstance(event, on.Ruled)),
        next=tuple(spare.told for spare in after.spare),
        shoe_replaced=after.shoe.spent or after.shoe.ends,
        more_to_decide=after.awaited is not None,
        money=_money(command.table, table, after, draft.events),
    )


def _concealed(table: Table) -> Table:
    """The table as if no device had read a card that lies face down: nothing that follows from one is foreseen."""
    dealt = Counter(each.card for each in table.cards if each.card and not each.up)
    dealt += Counter(each.card for each in table.former_spare if each.card and not each.seen)
    beside = Counter(each.card for each in table.spare if each.card and not each.seen)
    in_place, former = (beside, dealt) if table.shoe_is_out else (beside + dealt, Counter[str]())
    return replace(
        table,
        cards=tuple(each if each.up else replace(each, card="") for each in table.cards),
        spare=tuple(each if each.seen else replace(each, card="") for each in table.spare),
        former_spare=tuple(each if each.seen else replace(each, card="") for each in table.former_spare),
        shoe=replace(table.shoe, seen=dict(Counter(table.shoe.seen) - in_place)),
        former=replace(table.former, seen=dict(Counter(table.former.seen) - former)),
    )


def _hand(table: Table, side: Side) -> tuple[str, ...]:
    """A hand as everybody sees it; nothing of a round that is void."""
    if table.phase is Phase.VOID:
        return ()
    return tuple(laid.card if laid.up else UNREAD for laid in table.hand(side))


def _discarded(before: Table, events: list[on.AnyEvent]) -> tuple[str, ...]:
    """Cards that leave the game: burnt ones, and those of a round that is void or whose bets reopen.

    A card that lies face down is not named.
    """
    burnt: list[str] = []
    left: list[str] = []
    for event in events:
        match event:
            case on.Ruled():
                burnt += event.burnt.split()
            case on.RoundVoided():
                spare = Counter(each.told for each in before.spare if each.round == event.round) - Counter(burnt)
                left = [*[laid.card or UNREAD for laid in before.cards], *spare.elements()]
            case on.BetsReopened():
                left = event.discarded.split()
    down = {place for place, laid in enumerate(before.cards) if not laid.up}
    return (*burnt, *[UNREAD if place in down else card for place, card in enumerate(left)])


def _money(key: str, before: Table, after: Table, events: list[on.AnyEvent]) -> tuple[MoneyForeseen, ...]:
    """Everybody whose money the events move, and everybody with a wager, in the order of their wagers."""
    change: Counter[str] = Counter()
    for event in events:
        for transfer in transfers(key, event):
            change[transfer.taker] += transfer.cents
            change[transfer.giver] -= transfer.cents
    named = [each.patron for each in before.wagers.values()]
    moved = [account.removeprefix(WALLET) for account in change if account.startswith(WALLET)]
    staked = Counter(dict.fromkeys(named, 0))
    for placed in after.wagers.values() if not after.settled else ():
        staked[placed.patron] += placed.cents
    to_settle = prospects(after)
    return tuple(
        MoneyForeseen(
            patron=patron,
            credits_cents=Cents(change[WALLET + patron]),
            stake_cents=Cents(staked[patron]),
            settlement_cents=_in_all(to_settle.get(patron, ())),
            wagers=to_settle.get(patron, ()),
        )
        for patron in dict.fromkeys([*named, *moved])
    )


def _in_all(wagers: tuple[Prospect, ...]) -> Cents | None:
    """What settlement pays on these wagers together, if there are any and each is determined."""
    paid = [each.paid_cents for each in wagers if each.paid_cents is not None]
    return Cents(sum(paid)) if wagers and len(paid) == len(wagers) else None
