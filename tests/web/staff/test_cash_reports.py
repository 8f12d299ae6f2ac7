"""Reports of cash in the browser: the desk says which act makes one due, and the books list it until it is filed."""

import re

from playwright.sync_api import expect
from tests.web.staff.conftest import House
from tests.web.staff.test_office import book


def test_the_act_that_reaches_the_threshold_is_announced_and_its_report_filed(house: House) -> None:
    house.wire("dealer").done("reported", "buy-in", patron="Rex Ong", cents=15_000_000, position=1)
    office = house.office("reported", "supervisor")
    book(office, "Cash for credits", "Rex Ong", "1000")
    office.said("Booked: Rex Ong has $151,000.00")
    desk = office.panel("Desk")
    notice = desk.get_by_role("status").filter(has_text="makes a report due")
    desk.get_by_label("Amount").fill("48999.99")
    expect(notice).to_have_count(0)
    desk.get_by_label("Amount").fill("49000")
    expect(notice).to_contain_text("Rex Ong comes to $200,000.00 in cash today")
    desk.get_by_role("button", name="Book it").click()
    office.said("Booked: Rex Ong has $200,000.00")
    books = house.section("books", "supervisor")
    reports = books.panel("Reports of cash")
    row = reports.get_by_role("row").filter(has_text="Rex Ong")
    for said in ("paid in", "$200,000.00", "3", "due"):
        expect(row).to_contain_text(said)
    row.get_by_role("button", name=re.compile("^File the report of Rex Ong")).click()
    reports.get_by_label(re.compile("^Reference of the report: Rex Ong")).fill("CTR-7")
    reports.get_by_role("button", name="It is filed").click()
    expect(row).to_contain_text("CTR-7, of $200,000.00, supervisor")
    expect(row.get_by_role("button")).to_have_count(0)
    chinese = house.section("books", "manager", locale="zh-CN", color_scheme="light")
    expect(chinese.page.get_by_role("region", name="现金申报")).to_contain_text("Rex Ong")
