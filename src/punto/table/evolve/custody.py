"""Who handles the cards and the device."""

from typing import Final

from punto.rules import Method, Side
from punto.table import events as on
from punto.table.evolve.changes import Changes
from punto.table.state import PLAYING, Custody, Laid, Table, replace


def _areas_restricted(table: Table, event: on.AreasRestricted) -> Table:
    return replace(table, area_most=event.most)


def _method_chosen(table: Table, event: on.MethodChosen) -> Table:
    keep = event.method is Method.C
    if table.phase in PLAYING:
        table = replace(table, dealt_by=event.method)
    return replace(
        table, method=event.method, device=table.device if keep else "", may_draw=table.may_draw if keep else ()
    )


def in_custody(table: Table, side: Side, custody: Custody) -> Table:
    """The table with a hand in that custody."""
    return replace(table, player=custody) if side is Side.PLAYER else replace(table, banker=custody)


def _cards_offered(table: Table, event: on.CardsOffered) -> Table:
    return in_custody(table, event.side, replace(table.custody(event.side), offered=event.patron, wanted=False))


def _cards_taken(table: Table, event: on.CardsAccepted | on.HolderChosen | on.HandPassed) -> Table:
    custody = replace(table.custody(event.side), offered="", holder=event.patron, designee="", wanted=False)
    return handled(in_custody(table, event.side, custody))


def handled(table: Table) -> Table:
    """The table where cards in patrons' hands count as seen from now on, by those patrons (interpretation 48)."""
    hands = {side: table.handlers(side) for side in Side if table.in_hands(side)}
    if all(_is_noted(laid, hands.get(laid.side, ())) for laid in table.cards):
        return table
    return replace(table, cards=tuple(_noted(laid, hands.get(laid.side, ())) for laid in table.cards))


def _is_noted(laid: Laid, patrons: tuple[str, ...]) -> bool:
    return all(laid.is_known_to(patron) for patron in patrons)


def _noted(laid: Laid, patrons: tuple[str, ...]) -> Laid:
    if _is_noted(laid, patrons):
        return laid
    return replace(laid, in_hands=True, seen_by=tuple(dict.fromkeys((*laid.seen_by, *patrons))))


def _cards_refused(table: Table, event: on.CardsRefused) -> Table:
    custody = table.custody(event.side)
    refused = (*custody.refused, event.patron)
    # Whoever refuses gives a permission to squeeze back, too.
    left = replace(custody, offered="", holder="", designee="", refused=refused, permitted=False)
    return in_custody(table, event.side, left)


def _holder_wanted(table: Table, event: on.HolderWanted) -> Table:
    return in_custody(table, event.side, replace(table.custody(event.side), offered="", wanted=True))


def _squeeze_permitted(table: Table, event: on.SqueezePermitted) -> Table:
    kept = table.custody(event.side).kept
    custody = Custody(holder=event.patron, designee=event.designee, permitted=True, kept=kept)
    return handled(in_custody(table, event.side, custody))


def _cards_kept(table: Table, event: on.CardsKept) -> Table:
    return in_custody(table, event.side, Custody(kept=True))


def _cards_retrieved(table: Table, event: on.CardsRetrieved) -> Table:
    # Whoever had the cards by mistake may have seen them (interpretation 48).
    cards = tuple(replace(laid, in_hands=True, seen_by=()) if laid.side is event.side else laid for laid in table.cards)
    table = replace(table, cards=cards)
    custody = table.custody(event.side)
    if custody.permitted:
        return table
    return in_custody(table, event.side, replace(custody, offered="", holder="", designee=""))


def _first_chosen(table: Table, event: on.FirstChosen) -> Table:
    return replace(table, first=event.side)


def _device_taken(table: Table, event: on.DeviceTaken) -> Table:
    return handled(replace(table, device=event.patron))


def _device_given_up(table: Table, event: on.DeviceGivenUp) -> Table:
    custody = table.book.conduct.custody
    lost = custody is not None and event.clause == custody.lost
    return replace(table, device="", device_lost=event.patron if lost else "")


def _dealer_stood_in(table: Table, _: on.DealerStoodIn) -> Table:
    return replace(table, dealer_stands_in=True)


def _drawing_permitted(table: Table, event: on.DrawingPermitted) -> Table:
    others = tuple(patron for patron in table.may_draw if patron != event.patron)
    return replace(table, may_draw=(*others, event.patron) if event.permitted else others)


CHANGES: Final[Changes] = {
    on.AreasRestricted: _areas_restricted,
    on.MethodChosen: _method_chosen,
    on.CardsOffered: _cards_offered,
    on.CardsAccepted: _cards_taken,
    on.CardsRefused: _cards_refused,
    on.HolderWanted: _holder_wanted,
    on.HolderChosen: _cards_taken,
    on.SqueezePermitted: _squeeze_permitted,
    on.HandPassed: _cards_taken,
    on.FirstChosen: _first_chosen,
    on.DeviceTaken: _device_taken,
    on.DeviceGivenUp: _device_given_up,
    on.DealerStoodIn: _dealer_stood_in,
    on.DrawingPermitted: _drawing_permitted,
    on.CardsKept: _cards_kept,
    on.CardsRetrieved: _cards_retrieved,
}
