"""Every game, from the tap of a chip to the cent that was paid for it, and why."""

import re

import pytest
from playwright.sync_api import expect
from tests.web.book import Book
from tests.web.conftest import Visit
from tests.web.terminal import FIRST_CENTS, Terminal, cents
from tests.width import width

from punto.games import GAMES, RULEBOOKS
from punto.rules import Language

_RESULTS = {"win": "Wins", "lose": "Loses", "push": "Push"}


# A game on terminals and one at a layout, and at night all of them.
_ONE_OF_EACH = tuple({RULEBOOKS[game.rulebook].conduct.terminals: key for key, game in GAMES.items()}.values())


@pytest.mark.parametrize("game", width(_ONE_OF_EACH, tuple(GAMES)))
def test_every_wager_of_a_game_is_placed_and_settled_to_the_cent(visit: Visit, game: str) -> None:
    table = str(list(GAMES).index(game) + 1)
    # Cards fly at one game in the gate, and at every game at night.
    terminal = Terminal.sit(
        visit, table, reduced_motion=width("no-preference" if game == _ONE_OF_EACH[0] else "reduce", "no-preference")
    )
    terminal.open_bets()
    number, _ = terminal.round
    terminal.take("25")
    assert set(terminal.wagers) == {wager.name for wager in GAMES[game].wagers}
    for wager in terminal.wagers:
        terminal.bet(wager)
    for wager in terminal.wagers:
        terminal.expect_stake(wager, 2_500)
    staked = 2_500 * len(terminal.wagers)
    terminal.expect_credits(FIRST_CENTS - staked)

    terminal.settle()
    expect(terminal.layout.get_by_role("button", name=re.compile(", paid "))).to_have_count(len(terminal.wagers))
    spoken = {wager: terminal.area(wager).aria_snapshot() for wager in terminal.wagers}
    winning = next((wager for wager, words in spoken.items() if ", Wins" in words), "Tie")
    terminal.area(winning).click()

    book, patron = Book(visit.folder), terminal.patron
    paid = book.payments(table, number, patron)
    after = FIRST_CENTS - staked + sum(paid.values())
    assert book.credits_cents(patron) == after
    terminal.expect_credits(after)

    coup = book.round(table, number).coup
    assert coup
    for wager, settlement in GAMES[game].settle(coup).items():
        assert (
            f", {_RESULTS[settlement.result.value]}, paid {paid[wager] // 100:,}.{paid[wager] % 100:02}"
            in spoken[wager]
        )

    why = GAMES[game].settle(coup)[winning]
    dialog = terminal.page.get_by_role("dialog")
    expect(dialog).to_contain_text(why.why(Language.ENGLISH))
    told = dict(
        zip(
            dialog.get_by_role("term").all_inner_texts(),
            dialog.get_by_role("definition").all_inner_texts(),
            strict=True,
        )
    )
    assert told["Clause"] == why.clause
    assert cents(told["Stake"]) == 2_500
    assert cents(told["Paid"]) == paid[winning]
    assert told.get("Pays", "") == (str(why.pay.odds) if why.pay else "")
