"""Foresight: what a command would do to the cards and to each patron's money, worked out and not carried out."""

from collections import Counter

from msgspec import Struct

from punto.ledger.transfers import WALLET, transfers
from punto.rules import Side
from punto.rules.money import Cents
from punto.table import AnyCommand, Phase, Table, act
from punto.table import events as on
from punto.table.state import UNREAD


class MoneyForeseen(Struct, frozen=True):
    """What a patron's credits gain or lose at once, and what the patron has at stake afterwards."""

    patron: str
    credits_cents: Cents
    stake_cents: Cents


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
    return tuple(
        MoneyForeseen(patron, Cents(change[WALLET + patron]), Cents(staked[patron]))
        for patron in dict.fromkeys([*named, *moved])
    )
