"""Partial deals against brute force over every card that could still come."""

from itertools import islice, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.marks import clause, interpretation
from tests.oracle import settlement
from tests.width import width

from punto.cards import ELEMENTS, STANDARD, parse_cards
from punto.errors import SurplusCard
from punto.games import GAMES
from punto.rules import CLASSIC, EVEN, PUSH, Deal, Game, Label, Pay, Standing, Wager
from punto.rules.facts import natural, player_pair

WON, LOST, UNDECIDED = Standing.WON, Standing.LOST, Standing.UNDECIDED


def brute_force(key: str, dealt: list[str]) -> dict[str, Standing]:
    """The standings by the second settlement, over every way the deal can go on.

    Initial cards matter by rank and suit, third cards by rank alone: no wager looks at a third card's suit.
    """
    game = GAMES[key]
    kinds = [str(card) for card in game.deck.cards]
    ranks = [str(card) for card in game.deck.cards[:13]]
    missing = max(0, len(game.opening.order) - len(dealt))
    ends: dict[str, set[int]] = {wager.name: set() for wager in game.wagers}
    for initial in product(kinds, repeat=missing):
        for thirds in product(ranks, repeat=2):
            for name, (net, _) in settlement.settle(key, [*dealt, *initial, *thirds]).items():
                ends[name].add((net > 0) - (net < 0))
    only = {frozenset({1}): WON, frozenset({-1}): LOST}
    return {name: only.get(frozenset(found), UNDECIDED) for name, found in ends.items()}


def partial(game: Game, cards: list[str]) -> Deal:
    return Deal.of(game.opening, parse_cards(" ".join(cards), game.deck))


@interpretation(14)
@pytest.mark.parametrize("key", GAMES)
@settings(max_examples=12)
@given(data=st.data())
def test_after_the_initial_deal_all_ways_on_are_looked_at(key: str, data: st.DataObject) -> None:
    game = GAMES[key]
    initial = len(game.opening.order)
    kinds = [str(card) for card in game.deck.cards]
    drawn = data.draw(st.lists(st.sampled_from(kinds), min_size=initial, max_size=initial + 1))
    try:
        deal = partial(game, drawn)
    except SurplusCard:
        deal = partial(game, drawn[:initial])
    assert game.standings(deal) == brute_force(key, [str(card) for card in deal.cards])


# Two cards of different ranks for each total, as both decks have them.
TWO_CARDS = ["6_ 4_", "6_ 5_", "8_ 4_", "9_ 4_", "A_ 3_", "2_ 3_", "4_ 2_", "5_ 2_", "5_ 3_", "5_ 4_"]


@interpretation(14)
@pytest.mark.parametrize(
    "key",
    [
        pytest.param("tiger", marks=clause("EB4 5.9")),
        pytest.param("fortune-six", marks=clause("EB4 5.9")),
        pytest.param("baccarat", marks=clause("B8 5.17")),
        pytest.param("live-tiger-no-commission", marks=clause("TNC5 5.17")),
        "fa-fa-fabulous-4",
    ],
)
def test_every_pair_of_totals_after_the_initial_deal(key: str) -> None:
    game = GAMES[key]
    # By day every total meets three others.
    for player, banker in islice(product(TWO_CARDS, repeat=2), 0, None, width(3, 1)):
        hands = player.split(), banker.split()
        drawn = [card.replace("_", game.deck.suits[0].letter) for pair in zip(*hands, strict=True) for card in pair]
        assert game.standings(partial(game, drawn)) == brute_force(key, drawn), drawn


@clause("E7U 5.9")
@interpretation(14)
@pytest.mark.parametrize("beside", [str(card) for card in STANDARD.cards[:10]])
def test_every_pair_of_totals_after_the_initial_deal_of_seven_up(beside: str) -> None:
    game = GAMES["7-up"]
    for banker in TWO_CARDS:
        first, third = banker.replace("_", "s").split()
        drawn = [first, beside, third]
        assert game.standings(partial(game, drawn)) == brute_force("7-up", drawn), drawn


@interpretation(14)
@pytest.mark.parametrize(
    ("key", "cards"),
    [
        ("baccarat", "4s Kh 4d"),
        ("fortune-six", "9s Kh Kd"),
        ("fabulous-4s", "4d 2h 4d"),
        ("tiger", "4d 2h 4c"),
        ("7-up", "7s Kh"),
        ("7-up", "Ks 9h"),
    ],
)
def test_before_the_initial_deal_is_done_too(key: str, cards: str) -> None:
    game = GAMES[key]
    assert game.standings(partial(game, cards.split())) == brute_force(key, cards.split())


Marks = dict[str, pytest.MarkDecorator | tuple[()]]
# Each game with the clauses that speak of a deal in which nothing, or something, is decided.
NOTHING_DECIDED: Marks = {
    "fortune-six": clause("EB4 5.9", "EB4 5.9.1"),
    "tiger": clause("EB4 5.9", "EB4 5.9.1"),
    "7-up": clause("E7U 5.9", "E7U 5.9.1"),
    "baccarat": clause("B8 5.17", "B8 5.17.1"),
    "live-tiger-no-commission": clause("TNC5 5.17", "TNC5 5.17.1"),
    "fa-fa-fabulous-4": (),
}
SOMETHING_DECIDED: Marks = {
    "fortune-six": clause("EB4 5.9", "EB4 5.9.2", "EB4 5.10.1"),
    "tiger": clause("EB4 5.9", "EB4 5.9.2", "EB4 5.10.1"),
    "7-up": clause("E7U 5.9", "E7U 5.9.2", "E7U 5.10.1"),
    "baccarat": clause("B8 5.17", "B8 5.17.2"),
    "live-tiger-no-commission": clause("TNC5 5.17", "TNC5 5.17.2"),
    "fa-fa-fabulous-4": (),
}
PARTIAL_DEALS = [
    ("fortune-six", "", False),
    ("fortune-six", "9s", False),
    ("fortune-six", "9s Kh", False),
    ("fortune-six", "9s Kh 2d", True),  # no Player Pair any more
    ("fortune-six", "9s Kh 9d", True),  # Player Pair has won
    ("tiger", "9s Kh 2d", False),  # Banker may still pair; nothing about the totals is certain
    ("tiger", "2s Kh 2d", True),  # Tiger Pair wins, by whichever line, and nothing has lost
    ("tiger", "9s Kh 9d", True),  # besides, no Banker six beats Player's natural
    ("7-up", "", False),
    ("7-up", "7s", True),  # two sevens, with the permanent one
    ("7-up", "Ks", False),
    ("7-up", "Ks 9h", False),
    ("7-up", "2s Kh", False),  # Player has seven and stands; all may still come
    ("baccarat", "", False),
    ("baccarat", "9s Kh", False),
    ("baccarat", "9s Kh 2d", True),  # no Player Pair any more
    ("baccarat", "9s Kh 9d", True),  # Player Pair has won
    ("live-tiger-no-commission", "", False),
    ("live-tiger-no-commission", "9s Kh 2d", False),  # Banker may still pair
    ("live-tiger-no-commission", "2s Kh 2d", True),  # Tiger Pair wins, by whichever line, and nothing has lost
    ("live-tiger-no-commission", "9s Kh 9d", True),  # besides, no Banker six beats Player's natural
    ("live-tiger-no-commission", "2s Kh 3d 9c", True),  # Banker's natural ends the deal, and decides everything
    ("fa-fa-fabulous-4", "4f 2g 4e", True),
    ("fa-fa-fabulous-4", "4f 2g", False),
]


@interpretation(14, 18)
@pytest.mark.parametrize(
    ("key", "cards", "established"),
    [
        pytest.param(key, cards, decided, marks=(SOMETHING_DECIDED if decided else NOTHING_DECIDED)[key])
        for key, cards, decided in PARTIAL_DEALS
    ],
)
def test_an_outcome_is_established_when_any_wager_is_certain(key: str, cards: str, established: bool) -> None:
    game = GAMES[key]
    assert game.outcome_established(partial(game, cards.split())) is established


@interpretation(7, 14)
def test_only_wagers_that_the_table_offers_count() -> None:
    game = GAMES["fortune-six"]
    deal = partial(game, "9s Kh 2d".split())
    assert game.outcome_established(deal)
    assert not game.outcome_established(deal, offered=["Player", "Banker", "Tie"])
    assert game.outcome_established(deal, offered=["Tie", "Player Pair"])
    assert not game.outcome_established(deal, offered=[])


@interpretation(14)
def test_a_wager_that_is_certain_to_push_is_not_decided() -> None:
    pushed = Wager(Label("Soft", "软"), "X 1", (Pay("X 1", player_pair(), PUSH), Pay("X 1", natural(), EVEN)))
    game = Game("soft", Label("Soft", "软"), "", STANDARD, (pushed,))
    deal = partial(game, "4s Kh 4d".split())
    assert game.standings(deal) == {"Soft": UNDECIDED}
    assert not game.outcome_established(deal)


@interpretation(14)
def test_any_card_of_the_deck_may_come_though_this_shoe_may_have_none_left() -> None:
    game = GAMES["7-up"]
    # Seven sevens are more than four decks leave for most partial deals: the wager is open all the same.
    assert game.standings(partial(game, ["7s", "7s"]))["Super 7's"] is WON
    assert game.standings(partial(game, ["Ks", "Kh"]))["Super 7's"] is UNDECIDED


def test_a_complete_deal_stands_as_it_is_settled() -> None:
    game = GAMES["tiger"]
    assert game.standings(partial(game, "9s Kh 9d 8c".split())) == {
        "Player": UNDECIDED, "Banker": UNDECIDED, "Tie": WON, "Tiger": LOST,
        "Small Tiger": LOST, "Big Tiger": LOST, "Tiger Tie": LOST, "Tiger Pair": WON,
    }  # fmt: skip


def test_after_players_third_card_only_bankers_may_come() -> None:
    game = GAMES["fortune-six"]
    deal = partial(game, "2s 3h 2d Kc 8s".split())  # Player 2; Banker has three and stands against an eight
    assert deal.next is None
    deal = partial(game, "2s 2h 2d Kc 9s".split())  # Player 3; Banker has two and draws
    standings = game.standings(deal)
    assert standings["Fortune Six"] is UNDECIDED
    assert standings["Player Pair"] is WON
    assert standings["Banker Pair"] is LOST
    assert standings["Player Dragon Bonus"] is LOST  # three points cannot win by four


def test_tables_can_be_worked_out_beforehand() -> None:
    game = Game("alone", Label("Alone", "单"), "", ELEMENTS, GAMES["fa-fa-fabulous-4"].wagers, CLASSIC)
    game.tabulate()
    assert game.standings(Deal.begin(CLASSIC))["Player"] is UNDECIDED
