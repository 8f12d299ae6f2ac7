"""Every cell of position, command and phase: who may give what, by a table that was written by hand."""

from collections.abc import Callable
from typing import Final

import pytest
from tests.table.desk import SHIFT, Desk, patron
from tests.table.roles import KINDS, OF_OTHERS, OF_PATRONS, OF_THE_CARDS, STAFF, least_of, made, may, name_of

from punto.errors import NeedsSecond, NotAllowed, PuntoError
from punto.rules import Position
from punto.table import Actor, Phase, Source, Table, act
from punto.table import commands as do


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


def _tables() -> dict[tuple[str, str], Table]:
    found: dict[tuple[str, str], Table] = {}
    for game in GAMES:
        desk = Desk(game, source=Source.DEVICE)
        for phase, step in _STEPS.items():
            step(desk)
            found[game, phase] = desk.table
    return found


TABLES: Final = _tables()


def outcome(table: Table, kind: type[do.Command], by: Actor) -> PuntoError | None:
    """What is said against a command; nothing where it is accepted."""
    setup = next(each.setup for each in TABLES.values() if each.setup is not None)
    try:
        act(table, made(kind, by, setup))
    except PuntoError as refusal:
        return refusal
    return None


@pytest.mark.parametrize(("game", "phase"), TABLES)
def test_every_position_gives_in_every_phase_what_it_may_and_nothing_else(game: str, phase: str) -> None:
    table, wrong = TABLES[game, phase], []
    least = least_of(terminals=GAMES[game])
    for name, kind in KINDS.items():
        if name in OF_THE_CARDS | OF_OTHERS:
            continue
        for position in STAFF:
            refusal = outcome(table, kind, Actor("somebody", position))
            is_denied = isinstance(refusal, NotAllowed) and not isinstance(refusal, NeedsSecond)
            if may(position, least[name]):
                right = not is_denied or name == "take-device" or (name, position) in _TAKES_MORE
            else:
                right = is_denied or (refusal is not None and table.setup is None)
            if not right:
                wrong.append((name, position.value, refusal and refusal.message))
    assert wrong == []


@pytest.mark.parametrize(("game", "phase"), TABLES)
def test_a_patron_gives_only_what_is_a_patrons_and_the_clock_and_strangers_nothing_that_people_decide(
    game: str, phase: str
) -> None:
    table, wrong = TABLES[game, phase], []
    for name, kind in KINDS.items():
        if name in OF_THE_CARDS:
            continue
        for by in (patron("ann"), patron("bob"), Actor("clock", Position.SYSTEM)):
            refusal = outcome(table, kind, by)
            own = by.name == "ann" and name in OF_PATRONS
            of_clock = by.name == "clock" and name in _OF_THE_CLOCK
            if not own and not of_clock and refusal is None:
                wrong.append((name, by.name))
    assert wrong == []


# Duties that the rulebooks let the system do, and what only the floor does.
_OF_THE_CLOCK: Final = frozenset(
    (
        "load-shoe end-shoe close-contributions open-bets close-bets announce settle report-interruption "
        "restore-terminals release-credits draw-beacon"
    ).split()
)


def test_the_table_knows_every_command() -> None:
    known = least_of(terminals=False).keys() | OF_THE_CARDS | OF_OTHERS
    assert known == KINDS.keys() == {name_of(kind) for kind in KINDS.values()}
    assert KINDS.keys() >= OF_PATRONS


def test_the_phases_are_all_there() -> None:
    assert {table.phase for table in TABLES.values()} >= {each for each in type(Table().phase) if each.value != "void"}
