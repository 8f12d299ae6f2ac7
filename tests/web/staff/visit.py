"""What a page says in either language, and a console in one of them, as a person finds it there."""

from typing import Any, Final

import pytest
from playwright.sync_api import Locator, expect
from tests.web.staff.conftest import House
from tests.web.staff.test_appearance import english
from tests.web.test_words import catalogues

_WORDS: Final = tuple({key: text for both in catalogues().values() for key, text in both[at].items()} for at in (0, 1))
# What is done in either language is done in Chinese at night.
LOCALES: Final = [pytest.param("en-SG", id="en"), pytest.param("zh-CN", id="zh", marks=pytest.mark.nightly)]


def spoken(locale: str, key: str, **given: object) -> str:
    """The pages' words for it.

    >>> spoken("en-SG", "pit.down.terminal", terminal=2), spoken("zh-CN", "pit.down.terminal", terminal=2)
    ('Terminal 2', '2号终端')
    """
    return _WORDS[locale == "zh-CN"][key].format(**given)


class Visit:
    """A console in one language, whose dealer has taken the table."""

    def __init__(self, house: House, table: str, locale: str, name: str = "dealer") -> None:
        self.house = house
        self.table = table
        self.locale = locale
        self.console = house.console(table, name, locale=locale)
        self.page = self.console.page
        if name == "dealer":
            expect(self.console.page.get_by_role("contentinfo")).to_be_visible()
            self.page.keyboard.press("y")
            expect(self.page.get_by_text(self.say("dealer.you"), exact=True)).to_be_visible()

    def say(self, key: str, **given: object) -> str:
        """The page's words for it."""
        return spoken(self.locale, key, **given)

    def button(self, key: str, within: Locator | None = None) -> Locator:
        return self.console.button(self.say(key), within)

    def field(self, key: str) -> Locator:
        return self.console.dialog.get_by_label(self.say(key)).first

    @property
    def act(self) -> Locator:
        """The one large button."""
        return self.page.get_by_role("region", name=self.say("dealer.next")).get_by_role("button").first

    def report(self, *keys: str) -> Locator:
        """Go to a report by its keys; the form."""
        self.page.keyboard.press("i")
        for key in keys:
            expect(self.console.dialog.locator("kbd").filter(has_text=key).first).to_be_visible()
            self.page.keyboard.press(key)
        form = self.console.dialog.locator("form")
        expect(form).to_be_visible()
        return form

    def send(self, form: Locator) -> None:
        """Send the report, see what follows, and close the sheet."""
        self.in_order()
        self.console.done(self.button("dealer.irregularity.report", form).click)
        heading = self.console.dialog.get_by_role("heading", level=2).first
        expect(heading).to_have_text(self.say("dealer.irregularity.follows"))
        self.in_order()
        self.console.dialog.get_by_role("button", name=self.say("dealer.irregularity.done")).last.click()
        expect(self.console.dialog).to_be_hidden()

    def in_order(self) -> None:
        """Nothing on a Chinese page is English."""
        if self.locale == "zh-CN":
            left = english(self.page)
            assert not left, left

    def came(self, *types: str) -> list[dict[str, Any]]:
        """The last events of the table, which must be of these types."""
        last = self.house.record.events(self.table)[-len(types) :]
        assert [event["type"] for event in last] == list(types)
        return last

    def brought(self, do: str, by: str = "dealer", **fields: Any) -> None:  # noqa: ANN401
        """Something is done beside the page."""
        self.house.wire(by).done(self.table, do, **fields)
        self.console.until(self.house.record.version(self.table))
