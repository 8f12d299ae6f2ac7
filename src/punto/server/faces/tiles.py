"""A table at a glance."""

from msgspec.structs import replace

from punto.ledger import TableMeters
from punto.rules import Side
from punto.rules.money import Cents
from punto.server.faces.info import text
from punto.server.faces.roads import beads
from punto.server.faces.staff import money
from punto.server.wire.tells import Alarm, Balance, HeldUp, Text, Tile
from punto.table import PLAYING, Table
from punto.table.bets import on_hand


def tile(  # noqa: PLR0913 (each is a part of what is seen)
    key: str,
    table: Table,
    patrons: int,
    *,
    taken: bool,
    automatic: bool,
    beyond_file: bool = False,
    held_up: HeldUp = "",
) -> Tile:
    """A table as anybody sees it from afar."""
    setup = table.setup
    limits = setup.limits.values() if setup else ()
    return Tile(
        key=key,
        title=text(table.game.title) if setup else Text(key, key),
        game=setup.game if setup else "",
        terminals=bool(setup and table.book.conduct.terminals),
        demonstration=bool(setup and setup.demonstration),
        beyond_file=beyond_file,
        phase=table.phase.value,
        round=table.round,
        patrons=patrons,
        min_cents=min((limit.min_cents for limit in limits), default=Cents(0)),
        max_cents=max((limit.max_cents for limit in limits), default=Cents(0)),
        taken=taken,
        automatic=automatic,
        beads=beads(table.outcomes) if setup else "",
        cards_left=setup.decks * table.game.deck.size - table.shoe.drawn if setup else 0,
        held_up=held_up,
    )


def with_money(seen: Tile, table: Table, meters: TableMeters, alarms: tuple[Alarm, ...], dealer: str) -> Tile:
    """The same for staff: with stakes, meters and alarms, and the name of who deals."""
    playing = table.phase in PLAYING
    return replace(
        seen,
        staked_cents=Cents(sum(placed.cents for placed in table.wagers.values()) if playing else 0),
        balance=_balance(table, playing=playing),
        money=money(meters),
        alarms=alarms,
        dealer=dealer,
    )


def _balance(table: Table, *, playing: bool) -> Balance | None:
    setup = table.setup
    if setup is None or not setup.differential_cents:
        return None
    player, banker = (on_hand(table, side) if playing else Cents(0) for side in (Side.PLAYER, Side.BANKER))
    return Balance(player, banker, setup.differential_cents)
