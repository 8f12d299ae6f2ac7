"""Patrons whom the house had excluded: what they played, and what was sold to them, all the same.

What was accepted before is played to its end, and what is owed is paid, so only what begins anew is judged.
"""

from typing import Final

from punto.record.checks import events as on
from punto.record.checks import matters
from punto.record.checks.findings import Code, Findings
from punto.record.checks.register import Register
from punto.record.checks.warrants import IMPORT, Warrants, Where
from punto.rules import Position

# Staff redeem a ticket under such an id, to pay it out.
REDEEM: Final = "redeem-"


class Exclusions:
    """Judges what patrons do, and what is done for them, against the lists at that moment."""

    def __init__(self, register: Register, warrants: Warrants, findings: Findings) -> None:
        self._register = register
        self._warrants = warrants
        self._findings = findings

    def command(self, where: Where, logged: matters.Logged) -> None:
        """Judge the command of a table that begins with this entry."""
        event = logged.event
        if logged.by == IMPORT or not isinstance(event, _PLAYS) or _is_less(event):
            return
        if isinstance(event, on.CreditsBought) and is_paid_out(logged):
            return
        moment = self._warrants.moment(logged.given_ms or logged.at_ms)
        if self._register.must_be_excluded(event.patron, moment):
            stream, version, round_ = where
            said = f"{event.__struct_config__.tag} of {event.patron}, whom the house had excluded"
            self._findings.of_play(Code.EXCLUDED_PATRON, stream, version, round_, said)


_PLAYS: Final = (on.WagerPlaced, on.WagerChanged, on.CreditsBought, on.ContributionCommitted, on.ShoeCut)


def is_paid_out(logged: matters.Logged) -> bool:
    """Whether staff have redeemed a ticket: no cash came in, and its credits can be cashed out."""
    redeems = isinstance(logged.event, on.CreditsBought) and logged.command.startswith(REDEEM)
    return redeems and logged.by.position is not Position.PATRON


def _is_less(event: object) -> bool:
    return isinstance(event, on.WagerChanged) and event.to_cents <= event.from_cents
