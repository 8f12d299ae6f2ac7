"""The table is opened and closed, and its cards come and go."""

from typing import Final

from punto.table import events as on
from punto.table.contributions import Contribution
from punto.table.evolve.changes import Changes
from punto.table.state import Phase, Shoe, Table, replace


def _table_opened(table: Table, event: on.TableOpened) -> Table:
    areas = event.setup.book.conduct.areas
    return Table(
        phase=Phase.CHANGE_OF_SHOE,
        setup=event.setup,
        round=table.round,
        shoes=table.shoes,
        matters=table.matters,
        # A terminal that is down stays so until it is back, whether or not the table was closed.
        down=tuple(terminal for terminal in table.down if terminal <= event.setup.positions),
        withheld=table.withheld,
        withholding=table.withholding,
        unplayed=table.unplayed,
        method=event.setup.method,
        area_most=areas.most if areas else 0,
    )


def _table_closed(table: Table, _: on.TableClosed) -> Table:
    return Table(
        round=table.round,
        shoes=table.shoes,
        matters=table.matters,
        down=table.down,
        withheld=table.withheld,
        withholding=table.withholding,
        unplayed=table.unplayed,
    )


def _limits_changed(table: Table, event: on.LimitsChanged) -> Table:
    ahead = replace(table.open, limits=event.limits, differential_cents=event.differential_cents)
    # Limits that are changed back before a round had them are those it is open with already.
    return replace(table, ahead=ahead if ahead != table.open else None)


def _shoe_loaded(table: Table, event: on.ShoeLoaded) -> Table:
    return replace(
        table,
        phase=Phase.IDLE,
        shoes=event.shoe,
        shoe=Shoe(
            event.shoe,
            event.commitment,
            event.sealed,
            protocol=event.protocol,
            beacon=event.beacon,
            abandoned=event.abandoned,
            commit_until_ms=event.commit_until_ms,
        ),
        spare=(),
        glimpsed=(),
        coups=(),
    )


def _shoe_cut(table: Table, event: on.ShoeCut) -> Table:
    return replace(table, shoe=replace(table.shoe, cut=event.cards))


def _contribution_committed(table: Table, event: on.ContributionCommitted) -> Table:
    made = (*table.shoe.contributions, Contribution(event.patron, event.commitment))
    return replace(table, shoe=replace(table.shoe, contributions=made))


def _contributions_closed(table: Table, event: on.ContributionsClosed) -> Table:
    return replace(table, shoe=replace(table.shoe, reveal_until_ms=event.until_ms, beacon_round=event.beacon_round))


def _contribution_revealed(table: Table, event: on.ContributionRevealed) -> Table:
    made = tuple(
        replace(each, secret=event.secret) if each.patron == event.patron else each for each in table.shoe.contributions
    )
    return replace(table, shoe=replace(table.shoe, contributions=made))


def _beacon_drawn(table: Table, event: on.BeaconDrawn) -> Table:
    return replace(table, shoe=replace(table.shoe, beacon_value=event.signature))


def _shoe_ended(table: Table, event: on.ShoeEnded) -> Table:
    # The last round stays as it was, for it may be put in order until bets open again (interpretation 23).
    shoe = Shoe(table.shoe.number, spent=True, out=True)
    return replace(
        table,
        phase=Phase.CHANGE_OF_SHOE,
        shoe=shoe,
        former=table.round_shoe,
        spare=(),
        glimpsed=(),
        # A beacon that withholds its value bars no patron.
        withholding=table.withholding.after(table.shoe.contributions) if event.unrevealed else table.withholding,
        unplayed=table.unplayed + 1,
    )


def _shoe_kept(table: Table, _: on.ShoeKept) -> Table:
    return replace(table, shoe=replace(table.shoe, proposed=False, in_doubt=False))


CHANGES: Final[Changes] = {
    on.TableOpened: _table_opened,
    on.TableClosed: _table_closed,
    on.LimitsChanged: _limits_changed,
    on.ShoeLoaded: _shoe_loaded,
    on.ShoeCut: _shoe_cut,
    on.ContributionCommitted: _contribution_committed,
    on.ContributionsClosed: _contributions_closed,
    on.ContributionRevealed: _contribution_revealed,
    on.BeaconDrawn: _beacon_drawn,
    on.ShoeKept: _shoe_kept,
    on.ShoeEnded: _shoe_ended,
}
