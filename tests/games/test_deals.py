"""Every pay row of every game, won, lost and pushed with cards."""

from typing import Any

import pytest
from tests.games.golden import FOLDER, Golden, golden
from tests.marks import clause

from punto.games import GAMES
from punto.rules import Result

SETTLEMENT = {
    "baccarat": ["B8 4.1"],
    "super-six": ["EB4 4.1"],
    "fortune-six": ["EB4 4.2", "EB4 4.5", "EB4 4.6"],
    "super-6": ["EB4 4.3", "EB4 4.5", "EB4 4.6"],
    "no-commission": ["EB4 4.4"],
    "tiger": ["EB4 4.7", "EB4 4.9", "EB4 4.10"],
    "tiger-no-commission": ["EB4 4.8", "EB4 4.9", "EB4 4.10"],
    "fabulous-4s": ["EB4 4.11", "EB4 4.12"],
    "fa-fa-fabulous-4": ["FF2 4.1", "FF2 4.2"],
    "live-tiger-no-commission": ["TNC5 4.1", "TNC5 4.2", "TNC5 4.3"],
    "7-up": ["E7U 4.1", "E7U 4.2"],
}

# The clauses that say when a wager wins, where a clause says so of that wager alone.
PAIRS = {"Player Pair": "1.1.13", "Banker Pair": "1.1.13"}
DRAGONS = {"Player Dragon Bonus": "1.1.10", "Banker Dragon Bonus": "1.1.1"}
TIGERS = {
    "Tiger": "1.1.21",
    "Small Tiger": "1.1.17",
    "Big Tiger": "1.1.3",
    "Tiger Tie": "1.1.23",
    "Tiger Pair": "1.1.22",
}
DEFINITIONS = {
    "baccarat": ("B8", {"Tie": "1.1.11", "Player Pair": "1.1.6", "Banker Pair": "1.1.6"}),
    "super-six": ("EB4", {"Tie": "1.1.20", **PAIRS, "Super Six": "1.1.18"}),
    "fortune-six": ("EB4", {"Tie": "1.1.20", **PAIRS, "Fortune Six": "1.1.5", **DRAGONS}),
    "super-6": ("EB4", {"Tie": "1.1.20", **PAIRS, "Super 6": "1.1.18", **DRAGONS}),
    "no-commission": ("EB4", {"Tie": "1.1.20", **PAIRS}),
    "tiger": ("EB4", {"Tie": "1.1.20", **TIGERS}),
    "tiger-no-commission": ("EB4", {"Tie": "1.1.20", **TIGERS}),
    "fabulous-4s": (
        "EB4",
        {
            "Tie": "1.1.20",
            "Player Fabulous 4": "1.1.11",
            "Banker Fabulous 4": "1.1.2",
            "Player Precious Pair": "1.1.14",
            "Banker Precious Pair": "1.1.14",
        },
    ),
    "fa-fa-fabulous-4": (
        "FF2",
        {
            "Tie": "1.1.11",
            "Player Fabulous 4": "1.1.6",
            "Banker Fabulous 4": "1.1.1",
            "Player Precious Pair": "1.1.7",
            "Banker Precious Pair": "1.1.7",
        },
    ),
    "live-tiger-no-commission": (
        "TNC5",
        {
            "Tie": "1.1.11",
            "Tiger": "1.1.12",
            "Small Tiger": "1.1.7",
            "Big Tiger": "1.1.1",
            "Tiger Tie": "1.1.14",
            "Tiger Pair": "1.1.13",
        },
    ),
    "7-up": ("E7U", {"Tie": "1.1.9", "Super 7's": "1.1.7"}),
}


def every_definition() -> list[Any]:
    return [
        pytest.param(key, name, marks=clause(f"{rulebook} {number}"), id=f"{key}: {name}")
        for key, (rulebook, wagers) in DEFINITIONS.items()
        for name, number in wagers.items()
    ]


def every_deal() -> list[Any]:
    return [
        pytest.param(key, deal, marks=clause(*clauses), id=f"{key}: {deal.cards}")
        for key, clauses in SETTLEMENT.items()
        for deal in golden(key)
    ]


@pytest.mark.parametrize(("key", "deal"), every_deal())
def test_the_golden_deals_are_settled_to_the_unit(key: str, deal: Golden) -> None:
    coup = deal.coup(key)
    assert (coup.player.total, coup.banker.total) == deal.totals
    assert {name: settled.net for name, settled in GAMES[key].settle(coup).items()} == deal.nets


@pytest.mark.parametrize(("key", "name"), every_definition())
def test_a_wager_wins_just_when_its_definition_says_so(key: str, name: str) -> None:
    settled = {deal.cards: GAMES[key].settle(deal.coup(key))[name].net for deal in golden(key)}
    assert settled == {deal.cards: deal.nets[name] for deal in golden(key)}


@pytest.mark.parametrize("key", GAMES)
def test_every_row_pays_and_every_wager_loses_on_some_golden_deal(key: str) -> None:
    game = GAMES[key]
    settled = [each for deal in golden(key) for each in game.settle(deal.coup(key)).values()]
    for wager in game.wagers:
        for pay in wager.pays:
            assert any(each.pay is pay and each.wager is wager for each in settled), (wager.name, str(pay.when))
        assert any(each.wager is wager and each.result is Result.LOSE for each in settled), wager.name


@pytest.mark.parametrize("key", GAMES)
def test_settlement_clauses_are_those_of_the_games_own_rulebook(key: str) -> None:
    won = {pay.clause for wager in GAMES[key].wagers for pay in wager.pays if pay.odds.won}
    assert won == set(SETTLEMENT[key])


def test_there_are_golden_deals_for_every_game_and_no_other() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == sorted(GAMES)
