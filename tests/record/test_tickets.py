"""Tickets as the audit judges them, in stores of Punto 0.4 and since."""

from punto.record.checks import events as on
from punto.record.checks.findings import Findings
from punto.record.checks.tickets import TicketBook
from punto.store import Entry

TICKET = "5" * 64
BOUGHT = on.CreditsBought(patron="bob", cents=10_000, position=1)
CASHED = on.CreditsCashedOut(patron="bob", cents=10_000, position=1)


def said(findings: Findings) -> list[str]:
    findings.settle()
    return [str(each) for each in findings.told]


def old_book(findings: Findings, *, redeemed: int) -> TicketBook:
    """A ticket that a table of Punto 0.4 has issued, and redeemed so often."""
    book = TicketBook(findings)
    book.expect("T1", f"ticket-{TICKET}", CASHED, "table/T1", 3)
    book.reconcile()
    for version in range(4, 4 + redeemed):
        book.expect("T1", f"redeem-{TICKET}", BOUGHT, "table/T1", version)
        book.reconcile()
    return book


def note(step: str, prefix: str) -> Entry:
    body = f'{{"at_ms":1,"command":"{prefix}-{TICKET}","table":"T1","ticket":"{TICKET}","step":"{step}","cents":10000}}'
    return Entry("tickets", 1, None, body.encode(), b"")


def test_an_old_ticket_needs_no_note_and_is_redeemed_once() -> None:
    findings = Findings()
    old_book(findings, redeemed=1).close()
    assert said(findings) == []
    old_book(findings, redeemed=2).close()
    [only] = said(findings)
    assert only.startswith("table/T1 5: a ticket was redeemed that was not there, or was redeemed before")


def test_a_migration_notes_every_old_ticket() -> None:
    findings = Findings()
    book = old_book(findings, redeemed=1)
    book.begin_notes()
    book.entry(note("issued", "ticket"))
    book.reconcile()
    book.close()
    assert said(findings) == [
        "table/T1 4: a ticket of 10000 cents was redeemed, and nothing was noted of it (bad-ticket)"
    ]


def test_a_ticket_without_a_note_is_told_once_tickets_are_noted() -> None:
    findings = Findings()
    book = TicketBook(findings)
    book.begin_notes()
    book.expect("T1", f"ticket-{TICKET}", CASHED, "table/T1", 3)
    book.reconcile()
    assert len(said(findings)) == 1
