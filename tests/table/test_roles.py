"""Every cell of position, command, phase and what is awaited: who may give what, by a table written by hand."""

from collections.abc import Callable
from typing import Final

import pytest
from tests.table.desk import ASSISTANT, SHIFT, Desk, patron
from tests.table.roles import (
    KINDS,
    OF_OTHERS,
    OF_PATRONS,
    OF_THE_CARDS,
    OF_THE_CLOCK,
    STAFF,
    least_of,
    made,
    may,
    name_of,
)
from tests.table.test_attesting import carried_off

from punto.errors import NeedsSecond, NotAllowed, PuntoError
from punto.rules import Found, Method, Position
from punto.table import Actor, AnyCommand, Phase, Source, Table, act
from punto.table import commands as do
from punto.table.events import Ruling
from punto.table.state import Asked, Pending


def _until(desk: Desk, phase: Phase, kind: type[do.Command]) -> None:
    """Give a command where the table has not come so far by itself."""
    if desk.table.phase not in (phase, Phase.SETTLED):
        desk(kind)


# Between opening and closing, what brings a table into each of its phases.
_STEPS: Final[dict[str, Callable[[Desk], object]]] = {
    "change-of-shoe": lambda _: None,
    "ready": lambda desk: desk(do.LoadShoe),
    "bets-open": lambda desk: desk(do.OpenBets),
    "referred": lambda desk: desk(do.Refer, matter="a chair fell over"),
    "bets-closed": lambda desk: (desk(do.Rule, SHIFT, ruling="continue", reason="it stood"), desk(do.CloseBets)),
    "initial-deal": lambda desk: desk.draw("9s"),
    "drawn": lambda desk: desk.draw("8d Kc Kh"),
    "outcome": lambda desk: _until(desk, Phase.OUTCOME, do.Announce),
    "settled": lambda desk: _until(desk, Phase.SETTLED, do.Settle),
    "closed": lambda desk: (desk(do.EndShoe, SHIFT, reason="the evening is over"), desk(do.CloseTable, SHIFT)),
}
# The device is a patron's by Method C alone; good cards are replaced by a Pit Manager or above.
_TAKES_MORE: Final = {("end-shoe", Position.DEALER), ("end-shoe", Position.PIT_SUPERVISOR)}
GAMES: Final = {"fortune-six": True, "baccarat": False}


def _void(game: str) -> Table:
    desk = Desk(game, source=Source.DEVICE)
    desk.bets()
    desk(do.CloseBets)
    desk.draw("Ks")
    desk(do.Refer, matter="a drink was spilt on the layout")
    desk(do.Rule, SHIFT, ruling=Ruling.VOID, reason="the card cannot be read")
    return desk.table


def _offered() -> Table:
    """Patrons are asked whether they withdraw."""
    desk = Desk(source=Source.DEVICE)
    desk.bets(("ann", "Player", 1_000))
    desk(do.CloseBets)
    desk.draw("Ks 2h")
    desk(do.ReportInterruption)
    return desk.table


def _unordered() -> Table:
    """A Pit Manager is to put the cards in order."""
    desk = Desk(source=Source.DEVICE)
    desk.bets(("ann", "Player", 1_000))
    desk(do.CloseBets)
    desk.draw("Ks 2h 5d Kc")
    desk(do.Announce)
    desk(do.ReportOrder, found=Found.DRAWN_TOGETHER, together=(5, 6), player="Ks 5d 3h", banker="2h Kc 4s")
    return desk.table


def _at_device() -> Table:
    """By Method C a patron has the device."""
    desk = Desk(source=Source.DEVICE, hlga=True)
    desk(do.ChooseMethod, ASSISTANT, method=Method.C)
    desk.bets(("ann", "Player", 1_000))
    desk(do.TakeDevice, patron("ann"), patron="ann")
    desk(do.CloseBets)
    return desk.table


def _tables() -> dict[tuple[str, str], Table]:
    found: dict[tuple[str, str], Table] = {}
    for game in GAMES:
        desk = Desk(game, source=Source.DEVICE)
        for phase, step in _STEPS.items():
            step(desk)
            found[game, phase] = desk.table
        found[game, "void"] = _void(game)
    dealt = {"offered": _offered(), "unordered": _unordered(), "at the device": _at_device()}
    dealt["counted"] = carried_off("baccarat").table
    return found | {("baccarat", state): table for state, table in dealt.items()}


TABLES: Final = _tables()


def outcome(table: Table, kind: type[do.Command], by: Actor) -> PuntoError | None:
    """What is said against a command; nothing where it is accepted."""
    setup = next(each.setup for each in TABLES.values() if each.setup is not None)
    try:
        act(table, made(kind, by, setup))
    except PuntoError as refusal:
        return refusal
    return None


def is_denied(refusal: PuntoError | None) -> bool:
    """Whether it is refused for want of authority, whatever second person stands for it."""
    return isinstance(refusal, NotAllowed) and not isinstance(refusal, NeedsSecond)


def is_right(table: Table, name: str, by: Actor, refusal: PuntoError | None, *, terminals: bool) -> bool:
    """Whether a cell is as the table that was written by hand says."""
    match by.position:
        case Position.SYSTEM:
            given = name in OF_THE_CLOCK
        case Position.PATRON:
            given = by.name == "ann" and name in OF_PATRONS
        case _:
            given = may(by.position, least_of(terminals=terminals)[name])
    if given:
        takes_more = name == "take-device" or name in OF_THE_CARDS or (name, by.position) in _TAKES_MORE
        return by.position not in STAFF or not is_denied(refusal) or takes_more
    if name in OF_THE_CARDS | OF_OTHERS:  # the phase may say no before the cards do
        at_device = by.name == table.device and name in ("draw-card", "show-cutting-card")
        return refusal is not None or at_device
    return is_denied(refusal) or (refusal is not None and table.setup is None)


BY: Final = (
    *(Actor("somebody", position) for position in STAFF),
    *(Actor(name, Position.PATRON) for name in ("ann", "bob")),
    Actor("clock", Position.SYSTEM),
)


@pytest.mark.parametrize(("game", "state"), TABLES)
def test_every_position_gives_in_every_state_what_it_may_and_nothing_else(game: str, state: str) -> None:
    table, wrong, cells = TABLES[game, state], [], 0
    for name, kind in KINDS.items():
        for by in BY:
            refusal = outcome(table, kind, by)
            cells += 1
            if not is_right(table, name, by, refusal, terminals=GAMES[game]):
                wrong.append((name, by, refusal and (refusal.code, refusal.message)))
    assert not wrong, "\n".join(map(str, wrong))
    assert cells == len(KINDS) * len(BY)


def test_the_cells_are_all_positions_all_commands_all_phases_and_all_that_is_awaited() -> None:
    known = least_of(terminals=False).keys()
    assert known == KINDS.keys() == {name_of(kind) for kind in AnyCommand.__args__}
    assert KINDS.keys() >= OF_PATRONS | OF_THE_CLOCK
    assert {by.position for by in BY} == {*Position}
    assert {table.phase for table in TABLES.values()} == {*Phase}
    awaited = {type(table.awaited) for table in TABLES.values()}
    assert awaited == {type(None), Asked, *Pending.__args__}
    cells = len(BY) * len(KINDS) * len(TABLES)
    print(f"{cells} cells of {len(BY)} people, {len(KINDS)} commands and {len(TABLES)} states")  # noqa: T201
