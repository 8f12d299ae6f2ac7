"""What is not usual is marked on every page: demonstration rules, and a setup that is not that of the floor's file."""

import msgspec
import pytest
from playwright.sync_api import Page, expect
from tests.marks import interpretation
from tests.web.staff.conftest import House
from tests.web.staff.rounds import begun
from tests.web.staff.staffed import DEALT
from tests.web.staff.visit import LOCALES, spoken

from punto.server.faces.info import setup_digest

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
    page = is_marked(house, table, locale, mark)
    house.go(page, "/pit")
    queue = page.get_by_role("region", name=spoken(locale, "pit.queue"))
    expect(queue.locator(".one").filter(has=page.locator(_PAGES["/pit"].format(table=table)))).to_contain_text(mark)


@pytest.mark.nightly
@pytest.mark.parametrize("locale", LOCALES)
def test_a_setup_that_is_not_the_files_is_marked_on_every_page(house: House, locale: str) -> None:
    table = f"two-marked-{locale[:2]}"
    shift, manager = house.wire("shift"), house.wire("manager")
    shift.done(table, "close-table")
    file = msgspec.to_builtins(DEALT[table])
    answer = shift.act(table, "open-table", setup=file | {"decks": 6})
    assert answer["t"] == "proposed"
    assert manager.ask("confirm", table=table, digest=answer["digest"])["t"] == "accepted"
    page = is_marked(house, table, locale, spoken(locale, "beyond-file"))
    digest = setup_digest(house.record.table(table).open)
    for path in ("/pit#table/{table}", "/dealer/{table}"):
        house.go(page, "/")
        expect(page.locator(_PAGES["/"].format(table=table))).to_be_visible()
        house.go(page, path.format(table=table))
        expect(page.get_by_text(digest)).to_be_visible()


def is_marked(house: House, table: str, locale: str, mark: str) -> Page:
    """Look for a mark on every page that tells of a table; the page that was used for it."""
    page = house.visited("/", house.papers("shift"), locale=locale)
    for path, part in _PAGES.items():
        house.go(page, path.format(table=table))
        about = page.locator(part.format(table=table))
        if path == "/pit":
            about = about.filter(has_text=spoken(locale, "pit.staked"))
        expect(about.get_by_text(mark).first, path).to_be_visible()
    terminal = house.terminal(table, f"marks {locale}", locale=locale)
    expect(terminal.page.get_by_text(mark).first).to_be_visible()
    return page
