"""A player's terminal as a person uses it: by what is written and spoken on the page."""

import re
from typing import TYPE_CHECKING, Any, Final

from playwright.sync_api import Locator, Page, expect

if TYPE_CHECKING:
    from tests.web.conftest import Visit

OPEN: Final = re.compile(r"^(Table \S+: )?(Place your bets, please|Bets are open)$")
CLOSED: Final = re.compile(r"^(Table \S+: )?(No more bets|Bets are closed)$")
FIRST_CENTS: Final = 100_000
ROUND_MS: Final = 60_000
_ROUND: Final = re.compile(r"Round (\d+), shoe (\d+)")

# Whether bets are open for a round, and for so many seconds still; what is settled has no countdown.
_IS_OPEN: Final = """([table, round, least]) => {
    const panel = document.querySelector(`article[data-table="${table}"]`);
    const area = panel?.querySelector("[data-wager]");
    const timer = panel?.querySelector("[role=timer]");
    if (!timer || area?.getAttribute("aria-disabled") !== "false") return false;
    const named = new RegExp(`${round}([^0-9]|$)`).test(panel.querySelector("header").innerText);
    return named && Number(/[0-9]+/.exec(timer.getAttribute("aria-label"))[0]) >= least;
}"""
_IS_SHUT: Final = """table => document.querySelector(`article[data-table="${table}"] [data-wager]`)
    ?.getAttribute("aria-disabled") === "true" """


def cents(text: str) -> int:
    """The cents of the one amount in a text.

    >>> cents("Credits $1,000.50")
    100050
    """
    found = re.findall(r"[\d,]+\.\d\d", text)
    assert len(set(found)) == 1, text
    return int(re.sub(r"[,.]", "", found[0]))


class Terminal:
    """A terminal at a table."""

    def __init__(self, visit: "Visit", page: Page, table: str) -> None:
        self.page = page
        self.table = table
        self._visit = visit
        self.panel = page.locator(f'article[data-table="{table}"]')
        self.layout = self.panel.locator("section").filter(has=page.locator("[data-wager]"))
        self.said = self.panel.get_by_role("status").or_(self.panel.get_by_role("alert"))
        spoken = page.get_by_role("status").filter(has_text=re.compile("."))
        self.voice = page.locator(".terminal").locator(spoken).last
        self.toast = spoken.and_(page.locator(":not(.terminal *)"))

    # Coming and going

    @classmethod
    def sit(cls, visit: "Visit", table: str, page: Page | None = None, **options: Any) -> "Terminal":  # noqa: ANN401
        """Sit down with the first play credits."""
        page = page or visit.blank(**options)
        page.goto(f"/table/{table}")
        page.locator("dialog[open] footer button").click()
        terminal = cls(visit, page, table)
        expect(page.locator("dialog[open]")).to_have_count(0)
        return terminal

    @property
    def patron(self) -> str:
        """Whose terminal it is, as the record has it."""
        return str(self.page.request.get("/api/me").json()["patron"])

    # What is seen

    def area(self, wager: str) -> Locator:
        """The area of a wager."""
        return self.layout.locator(f'[data-wager="{wager}"]')

    def act(self, name: str) -> Locator:
        """A button of the rack, or of the header."""
        return self.page.get_by_role("button", name=name, exact=True)

    @property
    def wagers(self) -> list[str]:
        """The wagers of the layout."""
        names: list[str] = self.layout.locator("[data-wager]").evaluate_all("all => all.map(e => e.dataset.wager)")
        return names

    @property
    def credits_cents(self) -> int:
        """The credits that the header shows."""
        return cents(self.page.get_by_role("button", name=re.compile("^Credits")).aria_snapshot())

    def expect_credits(self, amount: int) -> None:
        """Wait until the header shows so many cents."""
        shown = f"Credits ${amount // 100:,}.{amount % 100:02}"
        expect(self.page.get_by_role("button", name=shown, exact=True)).to_be_visible()

    def expect_stake(self, wager: str, amount: int) -> None:
        """Wait until a stake of so many cents is accepted on a wager; none is 0."""
        if amount:
            stands = re.compile(
                rf", your stake {re.escape(f'{amount // 100:,}.{amount % 100:02}')}(?!, not yet)(?![\d,.]*\d)"
            )
            expect(self.area(wager)).to_have_accessible_name(stands)
        else:
            expect(self.area(wager)).not_to_have_accessible_name(re.compile("your stake"))

    @property
    def round(self) -> tuple[int, int]:
        """The round, and its shoe, that the page names."""
        found = _ROUND.search(self.panel.locator("header").first.inner_text())
        assert found
        return int(found[1]), int(found[2])

    # How the round goes on

    def open_bets(self) -> None:
        """Have bets opened for a new round, and wait until the page says so."""
        expect(self.layout.locator("[data-wager]").first).to_be_attached()  # the seat is taken
        number, shoe = self._visit.table(self.table).open_bets()
        self.opened(f"Round {number}, shoe {shoe}")

    def opened(self, round_: str = "", least_s: int = 1) -> None:
        """Wait until bets are open, in a round if one is named, for so many seconds still."""
        self.page.wait_for_function(_IS_OPEN, arg=[self.table, round_, least_s], timeout=ROUND_MS)

    def close_bets(self) -> None:
        """Have bets closed, and wait until the page takes no more."""
        self._visit.table(self.table).close_bets()
        self.shut()

    def shut(self) -> None:
        """Wait until no more bets are taken."""
        self.page.wait_for_function(_IS_SHUT, arg=self.table, timeout=ROUND_MS)

    def settle(self) -> None:
        """Have the round played to its end, and wait until the page shows it."""
        self._visit.table(self.table).settle()
        self.settled()

    def settled(self) -> None:
        """Wait until the outcome is on the layout, and nothing is at stake any more."""
        over = re.compile(r", (Wins|Loses|Push)(,|$)")
        expect(self.layout.get_by_role("button", name=over)).to_have_count(len(self.wagers), timeout=ROUND_MS)
        expect(self.page.locator("header .figure").nth(1)).to_contain_text("0.00")

    # What is done

    def take(self, chip: str) -> None:
        """Take up a chip: "25", "1K"."""
        self.page.get_by_role("radio", name=f"Chip of {chip}", exact=True).click()

    def bet(self, wager: str, amount: int = 0) -> None:
        """Tap a chip onto an area; where the amount is told, wait until that is the stake."""
        self.area(wager).click()
        if amount:
            self.expect_stake(wager, amount)

    def menu(self, entry: str) -> Locator:
        """Open a dialog from the menu."""
        self.page.get_by_role("navigation").get_by_role("button", name="Menu", exact=True).click()
        self.page.get_by_role("dialog").get_by_role("button", name=entry, exact=True).click()
        dialog = self.page.get_by_role("dialog")
        expect(dialog).to_have_count(1)
        return dialog

    def close(self) -> None:
        """Close the dialog that is open."""
        self.page.get_by_role("dialog").get_by_role("button", name="Close", exact=True).click()
        expect(self.page.get_by_role("dialog")).to_have_count(0)
