"""Irregularities, now and then: interruptions, offers of withdrawal, reconstruction also after payment, referrals."""

from punto.rules import Found
from punto.table import PLAYING, AnyCommand, Phase, Table
from punto.table import commands as do
from tests.torture.house import DEALER, DEALT, FA_FA, MANAGER, SEATS, SUPERVISOR, SYSTEM, TERMINALS
from tests.torture.pen import Pen


def mishap(pen: Pen, key: str, table: Table) -> AnyCommand | None:
    """Something that goes wrong at a table as it stands, if anything can."""
    if table.phase is Phase.SETTLED:
        return _after_payment(pen, key, table)
    if table.phase not in PLAYING:
        return _correction(pen, key) if table.setup else None
    match key, pen.chance.randrange(4):
        case _, 0:
            return pen.ask(do.ReportInterruption, key, SYSTEM)
        case _, 1:
            return pen.ask(do.Refer, key, DEALER, matter="a chair fell over")
        case "E1", 2:
            return pen.ask(do.ReportInterruption, key, SYSTEM, terminals=(pen.chance.randint(1, 50),))
        case "E1", _:
            found = pen.chance.choice((Found.FOREIGN_CARDS, Found.FACE_UP_IN_DEVICE))
            return pen.ask(do.ReportCards, key, DEALER, found=found)
        case "B1", 2 if pen.now_and_then(0.5):
            return pen.ask(do.ReportReset, key, DEALER)
        case _, 2:
            return pen.ask(do.ReportCards, key, DEALER, found=Found.FOREIGN_CARDS)
        case _ if table.phase in (Phase.DRAWING, Phase.OUTCOME) and table.all_known and not table.pending:
            return _disorder(pen, key, table, Found.DRAWN_TOGETHER)
        case _ if table.wagers:
            number = pen.chance.choice(sorted(table.wagers))
            cents = table.open.unit_cents * pen.chance.randint(1, 3)
            return pen.ask(do.ReportStake, key, DEALER, number=number, stake_cents=cents)
        case _:
            return _correction(pen, key)


def _after_payment(pen: Pen, key: str, table: Table) -> AnyCommand:
    """Cards were in the wrong order, and all was paid already; or something is referred."""
    if key == TERMINALS or pen.now_and_then(0.3):
        return pen.ask(do.Refer, key, DEALER, matter="a late complaint")
    found = {DEALT: Found.WRONG_ORDER, FA_FA: Found.WRONG_NUMBER}[key]
    return _disorder(pen, key, table, found)


def _disorder(pen: Pen, key: str, table: Table, found: Found) -> AnyCommand:
    cards = [laid.card for laid in table.cards]
    lying = " ".join(cards)
    order = " ".join(pen.chance.sample(cards, len(cards))) if pen.now_and_then(0.8) else None
    return pen.ask(do.ReportOrder, key, DEALER, found=found, player=lying, banker="", order=order)


def _correction(pen: Pen, key: str) -> AnyCommand:
    name, _ = pen.chance.choice(SEATS[key])
    cents = pen.chance.choice((-300, -50, 50, 1_000))
    return pen.ask(do.CorrectCredits, key, SUPERVISOR, patron=name, cents=cents, reason="misread", approved_by=MANAGER)
