"""The next right act at a table, whoever deals: what an automatic dealer does, and a dealer's console puts first."""

from enum import Enum
from typing import Any, Final, NamedTuple

from punto.rules import Method, Position, Side
from punto.table import Actor, Command, Phase, Source, Table
from punto.table import commands as do
from punto.table.contributing import is_fresh
from punto.table.state import DEALING, Offer

CLOCK: Final = Actor("clock", Position.SYSTEM)
AUTOMATIC: Final = Actor("automatic dealer", Position.DEALER)


class Pause(Enum):
    """For what the table waits before the act is due."""

    RESULT = "until everybody has seen the result"
    CUT = "for patrons to cut the shoe"
    CONTRIBUTE = "for patrons to contribute to the order of the shoe"
    REVEAL = "for contributions to the shoe to be revealed"
    SHOE = "for the shoe to be changed"
    BETS = "for bets"
    CARD = "between two cards"
    SPEECH = "for what is announced"
    ANSWERS = "for a patron to answer or to turn cards"


class Step(NamedTuple):
    """An act that is due: a command, what it says besides who gives it, and what comes before."""

    do: type[Command]
    pause: Pause
    fields: dict[str, Any] = {}  # noqa: RUF012 (a tuple has no class of its own to share it)


def next_step(table: Table) -> Step | None:
    """The act that is due next; none while somebody else must act first, or the table is closed."""
    match table.phase:
        case Phase.CLOSED:
            return None
        case Phase.CHANGE_OF_SHOE:
            return Step(do.LoadShoe, Pause.SHOE)
    if table.awaited is not None:
        return Step(do.CallTime, Pause.ANSWERS) if isinstance(table.awaited, Offer) else None
    match table.phase:
        case Phase.BETS_OPEN:
            return Step(do.CloseBets, Pause.BETS)
        case Phase.OUTCOME:
            return Step(do.Settle, Pause.SPEECH)
        case phase if phase in DEALING:
            return None if table.heavier else _dealing(table)
    return _between(table)


def _between(table: Table) -> Step:
    shoe = table.shoe
    if shoe.out:
        return Step(do.LoadShoe, Pause.SHOE)
    if shoe.spent or shoe.proposed:
        return Step(do.EndShoe, Pause.RESULT)
    if table.open.source is Source.VIRTUAL and is_fresh(table):
        return _preparing(table)
    return Step(do.OpenBets, Pause.RESULT)


def _preparing(table: Table) -> Step:
    """A fresh virtual shoe: patrons cut it and contribute, then reveal; what is withheld abandons the shoe."""
    shoe = table.shoe
    if not shoe.is_complete and shoe.reveal_until_ms:
        return Step(do.EndShoe, Pause.REVEAL)
    if shoe.reveal_until_ms:
        return Step(do.OpenBets, Pause.SPEECH)
    if shoe.takes_contributions and (shoe.contributions or shoe.awaits_beacon):
        return Step(do.CloseContributions, Pause.CONTRIBUTE)  # all have the same time, also once one has cut the shoe
    return Step(do.OpenBets, Pause.RESULT if shoe.cut else Pause.CUT)


def _dealing(table: Table) -> Step | None:
    if not table.initial_deal_done:
        return _draw(table)
    if not table.all_up:
        return _turn(table)
    if not table.announced:
        return Step(do.Announce, Pause.SPEECH)
    return Step(do.Announce, Pause.SPEECH) if table.deal.next is None else _draw(table)


def _draw(table: Table) -> Step:
    """The next card. A patron at the device who does not draw is absent in the end, and the Dealer draws (5.10).

    Where nobody has taken the device, no card comes before somebody decides (B8, TNC5 3.11.1).
    """
    if table.method is Method.C and table.device:
        return Step(do.ReportAbsence, Pause.ANSWERS)
    if table.method is Method.C and not table.dealer_stands_in:
        return Step(do.Refer, Pause.ANSWERS, {"matter": "nobody controls the device"})
    return Step(do.DrawCard, Pause.CARD)


def _turn(table: Table) -> Step | None:
    """The hand that is turned next: by whose right it is, and when the time is up by the Dealer (B8, TNC5 5.10).

    Which hand comes first is determined before any answer is awaited: who takes cards may turn them at once (3.9.6).
    """
    closed = [side for side in Side if not table.lies_open(side)]
    ordered = table.method is Method.A and not table.announced and len(closed) == len(Side)
    if ordered and table.first is None:
        return Step(do.ChooseFirst, Pause.SPEECH, {"side": Side.PLAYER})
    for side in closed:
        offered = table.custody(side).offered
        if offered:
            return Step(do.RefuseCards, Pause.ANSWERS, {"side": side, "patron": offered})
    side = table.first if ordered and table.first else closed[0]
    if table.custody(side).hand:
        return Step(do.ReportAbsence, Pause.ANSWERS, {"side": side})
    held = table.method is Method.C and bool(table.device)
    return Step(do.ExposeCards, Pause.ANSWERS if held else Pause.CARD, {"side": side})
