"""Virtual cards where the rulebook has a dealing device are marked as demonstration rules, on every page."""

import pytest
from playwright.sync_api import expect
from tests.marks import interpretation
from tests.web.staff.conftest import House
from tests.web.staff.rounds import begun
from tests.web.staff.visit import LOCALES, spoken

# Each page by its address, and the part of it that is about one table.
_PAGES = {
    "/": "article:has(a[href='/display/{table}'])",
    "/pit": "a[href='#table/{table}']",
    "/pit#table/{table}": "body",
    "/dealer/{table}": "body",
    "/display/{table}": "body",
    "/display": "article:has-text('{table}')",
}


@interpretation(42)
@pytest.mark.parametrize("locale", LOCALES)
def test_demonstration_rules_are_marked_on_every_page(house: House, locale: str) -> None:
    table = f"marked-{locale[:2]}"
    begun(house, table)
    house.wire("dealer").done(table, "refer", matter="?")
    mark = spoken(locale, "demonstration-rules")
    page = house.visited("/", house.papers("shift"), locale=locale)
    for path, part in _PAGES.items():
        house.go(page, path.format(table=table))
        about = page.locator(part.format(table=table))
        if path == "/pit":
            queue = page.get_by_role("region", name=spoken(locale, "pit.queue"))
            expect(queue.locator(".one").filter(has=about)).to_contain_text(mark)
            about = about.filter(has_text=spoken(locale, "pit.staked"))
        expect(about.get_by_text(mark, exact=True).first, path).to_be_visible()
    terminal = house.terminal(table, f"marks {locale}", locale=locale)
    expect(terminal.page.get_by_text(mark, exact=True).first).to_be_visible()
