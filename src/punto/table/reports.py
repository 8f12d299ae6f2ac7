"""Which command reports what: a finding belongs to one command, and no other accepts it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from punto.errors import BadReport
from punto.rules import Found, Position
from punto.table import commands as do
from punto.table.commands import Command

REPORTED_WITH: Final[Mapping[Found, type[Command]]] = MappingProxyType(
    {
        Found.EXTRA_CARDS: do.ReportCards,
        Found.MISSING_CARDS: do.ReportCards,
        Found.FOREIGN_CARDS: do.ReportCards,
        Found.UNSHUFFLED_CARDS: do.ReportCards,
        Found.ORDER_ALTERED: do.ReportCards,
        Found.TOO_FEW_CARDS: do.ReportCards,
        Found.FACE_UP_IN_DEVICE: do.ReportCards,
        Found.WRONG_ORDER: do.ReportOrder,
        Found.WRONG_NUMBER: do.ReportOrder,
        Found.DRAWN_TOGETHER: do.ReportOrder,
        Found.WRONG_PATRON: do.ReportDelivery,
        Found.NOT_PASSED: do.ReportDelivery,
        Found.DEALT_FACE_UP: do.ReportDelivery,
        Found.EXPOSED_IN_ERROR: do.ReportDelivery,
        Found.CUTTING_CARD_FIRST: do.AllowWithdrawal,
        Found.DEVICE_RESET: do.ReportReset,
        Found.PATRON_ABSENT: do.ReportAbsence,
        Found.CARDS_CARRIED_OFF: do.ReportCarriedOff,
        Found.EXPOSED_IN_MOVING: do.ReportCards,
        Found.DISORDERED_IN_MOVING: do.ReportCards,
        Found.CARD_SEEN: do.ReportCards,
        Found.OFF_LIMITS: do.ReportStake,
        Found.DIFFERENTIAL: do.RemoveWager,
        Found.INTERRUPTION: do.ReportInterruption,
        Found.TERMINALS_DOWN: do.ReportInterruption,
        Found.DISPLAY_WRONG: do.ReportDisplay,
        Found.OTHER: do.Refer,
    }
)


# What the table finds by itself, and how the matter goes on from there.
_FOUND_BY_THE_TABLE: Final[Mapping[Found, str]] = MappingProxyType(
    {
        Found.DIFFERENTIAL: "the table finds it when bets close; remove-wager then takes part of the heavier side away",
        Found.CUTTING_CARD_FIRST: "show-cutting-card says that it came; allow-withdrawal then lets patrons withdraw",
    }
)


_REPORTS: Final = frozenset(REPORTED_WITH.values())
# Who acts for the floor itself and is no person: nobody on the staff has such a name.
_NO_PERSONS: Final = frozenset({"house", "import"})


def reporter_of(command: Command) -> str:
    """The person who reports or refers something with a command; nobody where the floor itself does."""
    by = command.by
    is_person = by.position is not Position.SYSTEM and by.name not in _NO_PERSONS
    return by.name if is_person and type(command) in _REPORTS else ""


def name_of(command: type[Command]) -> str:
    """The command's name, as it is written in *do*.

    >>> name_of(do.ReportCards)
    'report-cards'
    """
    return str(command.__struct_config__.tag)


def reported_elsewhere(found: Found) -> str:
    """What to say where a finding comes with a command that it does not belong to.

    >>> reported_elsewhere(Found.DRAWN_TOGETHER)
    'drawn-together is reported with report-order'
    """
    if found in _FOUND_BY_THE_TABLE:
        return f"{found.value} is not reported: {_FOUND_BY_THE_TABLE[found]}"
    return f"{found.value} is reported with {name_of(REPORTED_WITH[found])}"


def check_report(found: Found, command: Command) -> None:
    """Refuse a report with a finding that belongs to another command."""
    if REPORTED_WITH[found] is not type(command):
        raise BadReport(reported_elsewhere(found))
