"""Irregularities, now and then: interruptions, offers of withdrawal, reconstruction also after payment, referrals."""

from collections.abc import Callable
from typing import Final

from punto.rules import Found
from punto.table import PLAYING, AnyCommand, Phase, Table
from punto.table import commands as do
from tests.torture.house import DEALER, DEALT, FA_FA, MANAGER, SEATS, SUPERVISOR, SYSTEM, TERMINALS
from tests.torture.pen import Pen


def mishap(pen: Pen, key: str, table: Table) -> AnyCommand:
    """Something that goes wrong at a table as it stands."""
    if table.phase is Phase.SETTLED:
        return _after_payment(pen, key, table)
    if table.phase not in PLAYING:
        return _correction(pen, key, table)
    return pen.chance.choice(_MISHAPS[key])(pen, key, table)


def _interruption(pen: Pen, key: str, _: Table) -> AnyCommand:
    return pen.ask(do.ReportInterruption, key, SYSTEM)


def _terminal_down(pen: Pen, key: str, table: Table) -> AnyCommand:
    return pen.ask(do.ReportInterruption, key, SYSTEM, terminals=(pen.chance.randint(1, table.open.positions),))


def _referral(pen: Pen, key: str, _: Table) -> AnyCommand:
    return pen.ask(do.Refer, key, DEALER, matter="a chair fell over")


def _bad_cards(pen: Pen, key: str, _: Table) -> AnyCommand:
    found = pen.chance.choice((Found.FOREIGN_CARDS, Found.FACE_UP_IN_DEVICE))
    return pen.ask(do.ReportCards, key, DEALER, found=found)


def _reset(pen: Pen, key: str, _: Table) -> AnyCommand:
    return pen.ask(do.ReportReset, key, DEALER)


def _stake(pen: Pen, key: str, table: Table) -> AnyCommand:
    number = pen.chance.choice(sorted(table.wagers) or [1])
    return pen.ask(
        do.ReportStake, key, DEALER, number=number, stake_cents=table.open.unit_cents * pen.chance.randint(1, 3)
    )


def _drawn_together(pen: Pen, key: str, table: Table) -> AnyCommand:
    return _disorder(pen, key, table, Found.DRAWN_TOGETHER)


def _after_payment(pen: Pen, key: str, table: Table) -> AnyCommand:
    """Cards were in the wrong order, and all was paid already; or something is referred."""
    if key == TERMINALS or pen.now_and_then(0.3):
        return _referral(pen, key, table)
    return _disorder(pen, key, table, {DEALT: Found.WRONG_ORDER, FA_FA: Found.WRONG_NUMBER}[key])


def _disorder(pen: Pen, key: str, table: Table, found: Found) -> AnyCommand:
    """The cards that were seen, as they should have come; or nobody can tell how."""
    cards = [laid.card for laid in table.cards if laid.card]
    order = " ".join(pen.chance.sample(cards, len(cards))) if pen.now_and_then(0.8) else None
    return pen.ask(do.ReportOrder, key, DEALER, found=found, player=" ".join(cards), banker="", order=order)


def _correction(pen: Pen, key: str, _: Table) -> AnyCommand:
    name, _ = pen.chance.choice(SEATS[key])
    cents = pen.chance.choice((-300, -50, 50, 1_000))
    return pen.ask(do.CorrectCredits, key, SUPERVISOR, patron=name, cents=cents, reason="misread", approved_by=MANAGER)


_Mishap = Callable[[Pen, str, Table], AnyCommand]
_MISHAPS: Final[dict[str, tuple[_Mishap, ...]]] = {
    TERMINALS: (_interruption, _referral, _terminal_down, _bad_cards),
    DEALT: (_interruption, _referral, _reset, _bad_cards, _stake, _drawn_together),
    FA_FA: (_interruption, _referral, _bad_cards, _stake, _drawn_together),
}
