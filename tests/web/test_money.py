"""Credits in and out: bought, collected as a ticket, redeemed once."""

import re

from playwright.sync_api import expect
from tests.web.book import Book
from tests.web.conftest import Visit
from tests.web.terminal import FIRST_CENTS, Terminal, cents


def test_credits_are_bought_and_the_sums_of_the_visit_are_shown(visit: Visit, calm: str) -> None:
    terminal = Terminal.sit(visit, calm)
    dialog = terminal.menu("Credits and tickets")
    dialog.get_by_role("button", name="$100.00", exact=True).click()
    terminal.expect_credits(FIRST_CENTS + 10_000)
    told = dict(
        zip(
            dialog.get_by_role("term").all_inner_texts(),
            dialog.get_by_role("definition").all_inner_texts(),
            strict=True,
        )
    )
    sums = {name: cents(told[name]) for name in ("Credits", "Bought", "Collected", "Net")}
    assert sums == {"Credits": 110_000, "Bought": 110_000, "Collected": 0, "Net": 0}
    assert Book(visit.folder).credits_cents(terminal.patron) == 110_000


def test_a_ticket_is_redeemed_once_in_another_browser_and_never_again(visit: Visit) -> None:
    giver = Terminal.sit(visit, "calm-7")
    giver.open_bets()
    giver.take("25")
    giver.bet("Player", 2_500)  # what is at stake stays where it lies
    giver.act("Collect").click()
    dialog = giver.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Collect $975.00").click()
    code = dialog.get_by_role("code").inner_text()
    assert re.fullmatch(r"([0-9A-Z]{4}-){3,}[0-9A-Z]{4}", code)
    giver.expect_credits(0)
    giver.close()
    giver.expect_stake("Player", 2_500)

    taker = Terminal.sit(visit, "calm-8")
    assert taker.patron != giver.patron
    dialog = taker.menu("Credits and tickets")
    dialog.get_by_label("Redeem a ticket").fill(code.lower())
    dialog.get_by_role("button", name="Redeem", exact=True).click()
    taker.expect_credits(FIRST_CENTS + 97_500)
    expect(taker.toast).to_have_text("The ticket is redeemed")

    late = Terminal.sit(visit, "calm-6")
    for other in (giver, late):
        dialog = other.menu("Credits and tickets")
        dialog.get_by_label("Redeem a ticket").fill(code)
        dialog.get_by_role("button", name="Redeem", exact=True).click()
        expect(other.toast).to_have_text("This ticket is not valid, or was redeemed before")
    giver.expect_credits(0)
    late.expect_credits(FIRST_CENTS)
    taker.expect_credits(FIRST_CENTS + 97_500)
    book = Book(visit.folder)
    assert (book.credits_cents(giver.patron), book.credits_cents(taker.patron)) == (0, FIRST_CENTS + 97_500)


def test_a_ticket_that_is_redeemed_where_it_was_made_is_gone(visit: Visit, calm: str) -> None:
    terminal = Terminal.sit(visit, calm)
    dialog = terminal.menu("Credits and tickets")
    dialog.get_by_role("button", name="Collect $1,000.00").click()
    code = dialog.get_by_role("code")
    dialog.get_by_label("Redeem a ticket").fill(code.inner_text().lower().replace("-", " "))
    dialog.get_by_role("button", name="Redeem", exact=True).click()
    terminal.expect_credits(FIRST_CENTS)
    expect(code).to_have_count(0)


def test_a_cash_out_whose_answer_was_lost_is_awaited_and_its_code_comes_after_a_reload_and_a_second_press(
    visit: Visit, calm: str
) -> None:
    terminal = Terminal.sit(visit, calm)
    dialog = terminal.menu("Credits and tickets")
    visit.table(calm).lose_answer()
    collect = dialog.get_by_role("button", name="Collect $1,000.00")
    collect.click()
    awaited = "The answer is awaited: nothing is lost"
    expect(dialog.get_by_text(awaited)).to_be_visible()
    expect(collect).to_be_disabled()
    terminal.page.reload()
    dialog = terminal.menu("Credits and tickets")
    dialog.get_by_role("button", name="Collect $1,000.00").click()
    expect(dialog.get_by_text(awaited)).to_be_visible()
    visit.table(calm).find_answer()
    expect(dialog.get_by_role("code")).to_be_visible()
    terminal.expect_credits(0)
    dialog.get_by_label("Redeem a ticket").fill(dialog.get_by_role("code").inner_text())
    dialog.get_by_role("button", name="Redeem", exact=True).click()
    terminal.expect_credits(FIRST_CENTS)
    assert Book(visit.folder).credits_cents(terminal.patron) == FIRST_CENTS


def test_a_code_that_nobody_issued_is_refused(visit: Visit, calm: str) -> None:
    terminal = Terminal.sit(visit, calm)
    dialog = terminal.menu("Credits and tickets")
    dialog.get_by_label("Redeem a ticket").fill("ABCD-EFGH-JKLM-NPQR")
    dialog.get_by_role("button", name="Redeem", exact=True).click()
    expect(terminal.toast).to_have_text("This ticket is not valid, or was redeemed before")
    expect(dialog.get_by_label("Redeem a ticket")).to_have_value("")
    terminal.expect_credits(FIRST_CENTS)


def test_a_ticket_stays_until_its_holder_has_kept_it(visit: Visit, calm: str) -> None:
    terminal = Terminal.sit(visit, calm)
    dialog = terminal.menu("Credits and tickets")
    dialog.get_by_role("button", name="Collect $1,000.00").click()
    code = dialog.get_by_role("code").inner_text()
    terminal.close()
    terminal.menu("Credits and tickets")
    expect(dialog.get_by_role("code")).to_have_text(code)
    # Loaded anew, the page shows it unasked.
    terminal.page.reload()
    expect(dialog.get_by_role("code")).to_have_text(code)
    dialog.get_by_role("button", name="I have kept it").click()
    expect(dialog.get_by_role("code")).to_have_count(0)
    terminal.page.reload()
    terminal.expect_credits(0)
    expect(dialog).to_have_count(0)


def test_the_code_of_a_ticket_does_not_stay_behind_on_a_terminal(visit: Visit, calm: str) -> None:
    terminal = Terminal.sit(visit, calm)
    dialog = terminal.menu("Credits and tickets")
    page = terminal.page
    dialog.get_by_role("button", name="Collect $1,000.00").click()
    code = dialog.get_by_role("code").inner_text()
    # Typed, and left: whoever opens the dialog next finds nothing.
    dialog.get_by_label("Redeem a ticket").fill(code)
    terminal.close()
    terminal.menu("Credits and tickets")
    expect(dialog.get_by_label("Redeem a ticket")).to_have_value("")
    # Two minutes go by.
    page.evaluate("localStorage.setItem('punto.ticket.shown', String(Date.now() - 120_000))")
    page.reload()
    terminal.expect_credits(0)
    expect(dialog).to_have_count(0)
    left = page.evaluate("[JSON.stringify(localStorage), JSON.stringify(sessionStorage), location.href].join()")
    assert code not in left
    assert page.evaluate("localStorage.getItem('punto.ticket')") == ""


def test_a_code_whose_redemption_has_no_answer_is_in_no_storage_and_the_page_gets_the_answer(
    visit: Visit, calm: str
) -> None:
    terminal = Terminal.sit(visit, calm)
    dialog = terminal.menu("Credits and tickets")
    dialog.get_by_role("button", name="Collect $1,000.00").click()
    code = dialog.get_by_role("code").inner_text()
    dialog.get_by_role("button", name="I have kept it").click()
    visit.table(calm).lose_answer()
    dialog.get_by_label("Redeem a ticket").fill(code)
    dialog.get_by_role("button", name="Redeem", exact=True).click()
    expect(terminal.page.get_by_text("The answer is awaited: nothing is lost").first).to_be_visible()
    assert code not in terminal.page.evaluate("[JSON.stringify(localStorage), JSON.stringify(sessionStorage)].join()")
    visit.table(calm).find_answer()
    terminal.expect_credits(FIRST_CENTS)
    expect(dialog.get_by_label("Redeem a ticket")).to_have_value("")
    expect(terminal.toast).to_have_text("The ticket is redeemed")


def test_a_ticket_whose_code_never_arrived_is_shown_to_who_comes_back(visit: Visit, calm: str) -> None:
    terminal = Terminal.sit(visit, calm)
    dialog = terminal.menu("Credits and tickets")
    told = terminal.page.evaluate_handle(
        """() => {
            const told = [];
            const heard = Object.getOwnPropertyDescriptor(MessageEvent.prototype, "data").get;
            Object.defineProperty(MessageEvent.prototype, "data", { get() {
                const text = heard.call(this);
                if (typeof text !== "string" || !text.includes('"t":"ticket"')) return text;
                told.push(text);
                return JSON.stringify(JSON.parse(text).filter(({ t }) => t !== "ticket"));
            } });
            return told;
        }"""
    )
    dialog.get_by_role("button", name="Collect $1,000.00").click()
    terminal.expect_credits(0)
    terminal.page.wait_for_function("told => told.length", arg=told)
    expect(dialog.get_by_role("code")).to_have_count(0)
    terminal.page.reload()
    expect(dialog.get_by_role("code")).to_have_text(re.compile(r"[0-9A-Z]{4}-"))
