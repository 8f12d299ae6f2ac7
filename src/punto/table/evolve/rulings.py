"""What was referred to the Gaming Shift Manager, and every part of the decision (interpretation 46)."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from punto.rules import Found, Side
from punto.rules.money import Cents
from punto.table import events as on
from punto.table.evolve.changes import Changes
from punto.table.evolve.rounds import missed, taken_out, used_up, without
from punto.table.state import (
    IN_DEVICE,
    OF_CONTENTS,
    OF_THE_DEAL,
    PLAYING,
    UNREAD,
    Asked,
    Glimpse,
    Spare,
    Table,
    replace,
)

Loose = Spare | Glimpse


def _referred(table: Table, event: on.Referred) -> Table:
    number = table.matters + 1
    asked = Asked(event.found, event.matter, event.clause, number, event.round or table.round, event.by)
    # Cards named in the report are out of the device. Extra and foreign ones never belonged to it.
    cards = [] if event.found in OF_CONTENTS else ["" if card == UNREAD else card for card in event.cards.split()]
    if event.found is Found.CARD_SEEN:
        table = _marked(table, number)
    spare, glimpsed, shoe = [*table.spare], [*table.glimpsed], table.shoe
    if event.found is Found.MISSING_CARDS and table.has_shoe:
        shoe = missed(shoe, event.cards.split())
    if event.replace:
        shoe = replace(shoe, spent=True, shall_be_replaced=True)
    held = any(table.in_hands(side) for side in Side)
    if table.shoe_is_out and event.found in OF_THE_DEAL:
        # Cards of a round whose shoe is out never were in the one that is in place.
        former = taken_out(table.former, len(cards), filter(None, cards))
        besides = [Spare(card, bool(card) or held, asked.round, matter=number) for card in cards]
        table = replace(table, former=former, former_spare=(*table.former_spare, *besides))
        cards = []
    for card in cards:
        known = next((each for each in glimpsed if each.card == card), None)
        unseen = next((each for each in spare if not each.seen and each.card in ("", card)), None)
        if event.found is Found.CARD_SEEN and not known and unseen:
            turned = replace(unseen, card=card, seen=True, matter=number)
            spare[spare.index(unseen)] = turned
            shoe = taken_out(shoe, 0, [] if unseen.card else [card])
            continue
        if known:
            glimpsed.remove(known)
        # A card that nobody names may have been seen all the same, by a patron who held it (interpretation 48).
        spare.append(Spare(card, bool(card) or held, asked.round, matter=number))
        shoe = taken_out(shoe, 1, filter(None, [card]))
    if event.found in IN_DEVICE and not cards:
        glimpsed.append(Glimpse("", matter=number))
    in_doubt = shoe.in_doubt or (event.found in OF_CONTENTS and (asked.round > table.round or table.paid))
    return replace(
        table,
        matters=number,
        asked=(*table.asked, asked),
        spare=tuple(spare),
        glimpsed=tuple(glimpsed),
        shoe=replace(shoe, in_doubt=in_doubt),
    )


def _marked(table: Table, number: int) -> Table:
    """The table, with every seen card that is not yet part of a matter added to this one."""
    asked = {each.number for each in table.asked}
    barred = [each for each in table.barred if each.matter not in asked]
    return replace(
        table,
        spare=tuple(replace(each, matter=number) if each in barred else each for each in table.spare),
        glimpsed=tuple(replace(each, matter=number) if each in barred else each for each in table.glimpsed),
    )


def _ruled(table: Table, event: on.Ruled) -> Table:
    asked = tuple(each for each in table.asked if each.number != (event.matter or table.asked[0].number))
    table = _played(_burnt(table, event), event)
    shoe = table.shoe
    match event.shoe:
        case on.ShoeRuling.REPLACE:
            # A round that is under way is completed with the cards that it has.
            under_way = table.phase in PLAYING or event.ruling is on.Ruling.ORDER
            shoe = replace(shoe, spent=not (under_way and shoe.can_be_drawn_from), ends=True)
        case on.ShoeRuling.KEEP:
            # This says nothing about a cutting card that comes later: its round is still the last (interpretation 21).
            shoe = replace(shoe, spent=False, proposed=False, in_doubt=False, goes_on=shoe.cutting_card, ends=False)
    table = replace(
        table,
        asked=asked,
        # An interruption waits until all that was awaited is decided, and cards that a patron may know are read.
        interrupted=table.interrupted and bool(asked or table.unread_in_hands),
        shoe=shoe if table.phase in PLAYING else used_up(table, shoe, table.spare),
        stated=table.stated | {each.number: each for each in event.results},
    )
    return _returned(table, event.returns)


def _burnt(table: Table, event: on.Ruled) -> Table:
    """Cards that are burnt are gone: by their names, wherever they are, and so many that come next.

    Cards that a decision lets play are not among the next ones.
    """
    loose, shoe = [*table.loose], table.shoe
    gone = [card for card in event.burnt.split() if card != UNREAD]
    for card in event.burnt.split():
        chosen = chosen_first(loose, card, event)
        if chosen:
            loose.remove(chosen)
        if not isinstance(chosen, Spare):
            shoe = taken_out(shoe, 1, [] if card == UNREAD else [card])
    for _ in range(event.burnt_next):
        next_ = next(iter(burnable(table, loose, event)), None)
        if next_:
            loose.remove(next_)
            gone += [next_.card] if next_.seen and next_.card else []
        if not isinstance(next_, Spare):
            shoe = taken_out(shoe, 1, [])
    shoe = replace(shoe, gone=(*shoe.gone, *gone))
    spare = tuple(each for each in loose if isinstance(each, Spare))
    return replace(table, spare=spare, glimpsed=tuple(each for each in loose if isinstance(each, Glimpse)), shoe=shoe)


def chosen_first(loose: Iterable[Loose], card: str, event: on.Ruled) -> Loose | None:
    """Of several seen cards with one face, the one meant: of the decision's own matter, and not one that may play."""
    alike = [each for each in loose if each.seen and each.told == card]
    return min(alike, key=lambda each: (each.allowed == event.round > 0, each.matter != event.matter), default=None)


def burnable(table: Table, loose: Iterable[Loose], event: on.Ruled) -> list[Loose]:
    """The cards that are burnt as the next ones: those out of the device, then seen ones in it that nobody named."""
    round_ = max(event.round, table.round)
    played = Counter(event.played.split())
    found = []
    for each in loose:
        if played[each.told] > 0 and each.seen:
            played[each.told] -= 1
        elif each.allowed != round_ and (each.round <= round_ if isinstance(each, Spare) else not each.card):
            found.append(each)
    return found


def _played(table: Table, event: on.Ruled) -> Table:
    """Cards that are to be played decide wagers of that round, whoever has seen them; other rounds they do not."""
    loose = [*table.loose]
    order = event.played.split()
    places: list[int] = []
    for card in order:
        left = [each for place, each in enumerate(loose) if place not in places]
        chosen = chosen_first(left, card, event)
        if chosen is not None:
            place = next(at for at, each in enumerate(loose) if each is chosen and at not in places)
            loose[place] = replace(chosen, allowed=event.round)
            places.append(place)
    # They come in the order in which the decision names them, in the places that they had.
    out = [place for place in places if isinstance(loose[place], Spare)]
    in_order = [loose[place] for place in out]
    for place, each in zip(sorted(out), in_order, strict=True):
        loose[place] = each
    spare = tuple(each for each in loose if isinstance(each, Spare))
    return replace(table, spare=spare, glimpsed=tuple(each for each in loose if isinstance(each, Glimpse)))


def _returned(table: Table, returns: tuple[on.Return, ...]) -> Table:
    """The table after stakes, or parts of them, went back."""
    for each in returns:
        placed = table.wagers[each.number]
        if each.cents == placed.cents:
            table = without(table, {each.number})
        else:
            seat = tuple(
                replace(placed, cents=Cents(placed.cents - each.cents)) if one.number == each.number else one
                for one in table.seats[placed.position]
            )
            table = replace(table, seats={**table.seats, placed.position: seat})
    return table


CHANGES: Final[Changes] = {
    on.Referred: _referred,
    on.Ruled: _ruled,
}
