"""A whole shoe at an electronic table: sealed, cut, played to its end, opened, and checked by anybody."""

import re
import sys
from pathlib import Path

from playwright.sync_api import Page, expect
from tests.children import run
from tests.web import roadmap
from tests.web.book import Book
from tests.web.conftest import Visit
from tests.web.floors import ROOT
from tests.web.served import SHORT as _TABLE
from tests.web.terminal import FIRST_CENTS, Terminal

from punto.record import read_shoe

_WAGERS = ("Player", "Banker", "Tie", "Fortune Six")


def test_a_whole_shoe_is_cut_played_opened_and_verified(visit: Visit, tmp_path: Path) -> None:
    page = visit.page(f"/table/{_TABLE}")
    terminal = Terminal(visit, page, _TABLE)
    page.get_by_role("dialog").get_by_role("button", name="Take $1,000.00 and play").click()

    page.get_by_role("button", name="Cut the shoe", exact=True).click()
    fair = page.get_by_role("dialog", name="Provably fair")
    commitment = fair.get_by_role("code").inner_text()
    assert re.fullmatch("[0-9a-f]{64}", commitment)
    slider = fair.get_by_role("slider")
    slider.focus()
    for _ in range(5):
        slider.press("PageUp")
    told = fair.get_by_text("cards from the front go to the back").inner_text()
    cut = int(re.findall(r"\d+", told)[0])
    fair.get_by_role("button", name="Cut the shoe").click()
    expect(fair).to_have_count(0)
    _, shoe = terminal.round
    page.evaluate(roadmap.WATCH)

    placed = _play(visit, terminal, shoe)
    assert len(placed) >= 5

    book, patron = Book(visit.folder), terminal.patron
    rounds = book.rounds(_TABLE, shoe)
    written = {each.number: book.stakes(_TABLE, each.number, patron) for each in rounds}
    assert {number: stakes for number, stakes in written.items() if stakes} == placed
    staked = sum(sum(stakes.values()) for stakes in written.values())
    paid = sum(sum(book.payments(_TABLE, number, patron).values()) for number in written)
    terminal.expect_credits(FIRST_CENTS - staked + paid)
    assert book.credits_cents(patron) == FIRST_CENTS - staked + paid
    assert {} in written.values(), "nobody has to bet"

    _compare_roads(page, book, shoe)
    text = _verify_here(page, shoe)
    read = read_shoe(text)
    assert read.headers["commitment"] == commitment
    assert read.headers["cut"] == str(cut)
    assert len(read.coups) == len(rounds)
    assert {each.number for each in read.coups if each.bets} == {number for number, each in written.items() if each}
    _verify_by_command(text, tmp_path)
    _verify_pasted(visit, text)


def _play(visit: Visit, terminal: Terminal, shoe: int) -> dict[int, dict[str, int]]:
    """Play the shoe to its end, with a wager in every third round; what the page called accepted, by round."""
    placed: dict[int, dict[str, int]] = {}
    terminal.take("5")
    dealt = visit.table(_TABLE)
    number, now = dealt.open_bets()
    rounds = 0
    while now == shoe:
        rounds += 1
        if number % 3 == 1:
            terminal.opened(f"Round {number}, shoe {shoe}")
            wager = _WAGERS[number // 3 % len(_WAGERS)]
            terminal.bet(wager, 500)
            placed[number] = {wager: 500}
        dealt.settle()
        terminal.page.wait_for_function("rounds => rounds in roads", arg=rounds)
        number, now = dealt.open_bets()
    return placed


def _compare_roads(page: Page, book: Book, shoe: int) -> None:
    """After every round the page has drawn what follows from the record."""
    outcomes = book.outcomes(_TABLE, shoe)
    seen = roadmap.drawn(page)
    assert seen.keys() == set(range(1, len(outcomes) + 1)), "the roads were drawn after every round"
    for rounds, roads in seen.items():
        for name, whole in roadmap.derived(outcomes[:rounds]).items():
            shown, expected = roadmap.in_sight(roads[name], whole)
            assert shown == expected, (rounds, name)


def _verify_here(page: Page, shoe: int) -> str:
    """Have the page check the shoe by table and number; the text that it checked."""
    page.goto("/verify")
    page.get_by_role("combobox").first.select_option(_TABLE)
    page.get_by_role("combobox").last.select_option(str(shoe))
    page.get_by_role("button", name="Fetch it").click()
    expect(page.get_by_text("Everything that can be checked is right")).to_be_visible()
    expect(
        page.get_by_text("Nobody, if the floor or one of the patrons who contributed (1) was honest.")
    ).to_be_visible()
    return page.get_by_role("textbox").input_value()


def _verify_by_command(text: str, folder: Path) -> None:
    path = folder / "shoe.txt"
    path.write_text(text)
    done = run([sys.executable, "-m", "punto", "verify", path], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    said = " ".join(done.stdout.split())
    assert "are right" in said
    assert "in the order that was committed to" in said
    assert "1 patron contributed to the order: nobody chose it" in said


def _verify_pasted(visit: Visit, text: str) -> None:
    """Another browser checks a copy, and finds the one card that was changed."""
    page = visit.page("/verify")
    page.get_by_role("textbox").fill(text)
    expect(page.get_by_text("Everything that can be checked is right")).to_be_visible()
    order = next(line for line in text.splitlines() if line.startswith("order "))
    cards = order.split()
    cards[1], cards[2] = cards[2], cards[1]
    page.get_by_role("textbox").fill(text.replace(order, " ".join(cards)))
    expect(page.get_by_text("Something is wrong")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="The seal: Wrong")).to_contain_text("another seal")
