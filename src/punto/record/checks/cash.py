"""Credits: bought, cashed out, put right by two people, laid aside and released."""

from punto.record.checks import events as on
from punto.record.checks.findings import Code
from punto.record.checks.sitting import Phase, Sitting
from punto.rules import Position

_OPEN = frozenset(Phase) - {Phase.CLOSED}


def credits_bought(sitting: Sitting, event: on.CreditsBought) -> None:
    """Cash becomes credits."""
    _check(sitting, event.cents, event.position)
    sitting.meters.at(event.position).in_cents += event.cents


def credits_cashed_out(sitting: Sitting, event: on.CreditsCashedOut) -> None:
    """Credits become cash."""
    _check(sitting, event.cents, event.position)
    sitting.meters.at(event.position).out_cents += event.cents


def _check(sitting: Sitting, cents: int, position: int) -> None:
    sitting.expect(_OPEN, "cash changed hands", free=False)
    if cents <= 0:
        sitting.wrong(Code.BAD_CREDITS, f"{cents} cents changed hands")
    if not 1 <= position <= sitting.open.setup.positions:
        sitting.wrong(Code.BAD_CREDITS, f"there is no position {position}")
    if position in sitting.down and sitting.by.position is Position.PATRON:
        sitting.wrong(Code.BAD_CREDITS, f"terminal {position} was down, and took or gave cash (5.10)")


def credits_corrected(sitting: Sitting, event: on.CreditsCorrected) -> None:
    """One person corrects, with a reason, and another approves."""
    sitting.expect(_OPEN, "credits were corrected", free=False)
    if not event.cents:
        sitting.wrong(Code.BAD_CREDITS, "a correction of nothing")
    if not event.reason.strip():
        sitting.wrong(Code.BAD_CREDITS, "a correction without a reason")
    sitting.meters.corrected_cents += event.cents


def credits_withheld(sitting: Sitting, event: on.CreditsWithheld) -> None:
    """What a wallet could not take lies aside; how much that is, the books say."""
    sitting.withheld[event.patron] = sitting.withheld.get(event.patron, 0) + event.cents


def credits_released(sitting: Sitting, event: on.CreditsReleased) -> None:
    """All that lay aside for a patron is given, and nothing else."""
    lay = sitting.withheld.pop(event.patron, 0)
    if event.cents != lay or not lay:
        sitting.wrong(Code.BAD_CREDITS, f"{event.cents} cents were released to {event.patron}, and {lay} lay aside")
