import pytest

from punto.games import GAMES, RULEBOOKS, loads
from punto.rules import EVEN, Label, Language, Odds, Pay, Result, Side, Standing, Wager, Winner
from punto.rules.facts import TIE, margin
from punto.rules.wording import RESULTS, SIDES, STANDINGS, WINNERS, how_to_play, prices


def steps(key: str, language: Language) -> list[tuple[str, str | None]]:
    game = GAMES[key]
    return [(step.text, step.clause) for step in how_to_play(game, RULEBOOKS[game.rulebook], language)]


def test_how_seven_up_is_played() -> None:
    assert steps("7-up", Language.ENGLISH) == [
        ("4 to 10 decks of 52 cards.", "E7U 2.1"),
        ("An Ace counts one, Two to Nine their number; 10, J, Q, K count nothing.", "E7U 3.3"),
        ("Of a hand's sum only the right digit counts.", "E7U 3.4"),
        ("Player's first card is always the permanent 7.", "E7U 3.6"),
        ("The first cards go to Banker, Player, Banker.", "E7U 3.6"),
        (
            (
                "8 or 9 on two cards is a natural and ends the deal. "
                "Without one, Player draws on 0–5 and stands on 6 or 7; Banker goes by the table."
            ),
            "E7U 3.7",
        ),
        ("The higher total wins.", "E7U 3.8"),
        ("On equal totals Player and Banker get their stakes back.", "E7U 3.8.1"),
        ("The round in which the cutting card comes is finished, and is the shoe's last.", "E7U 3.9"),
    ]


def test_how_the_element_game_is_played_in_chinese() -> None:
    assert steps("fa-fa-fabulous-4", Language.CHINESE) == [
        ("4 至 10 副牌，每副 65 张。", "FF2 2.1"),
        ("A 为 1 点，2 至 9 按牌面，10、寿、禄、福 为 0 点。", "FF2 3.3"),
        ("一手牌的点数只取总和的个位。", "FF2 3.4"),
        ("先依次发给闲家、庄家、闲家、庄家。", "FF2 3.7"),
        ("前两张得 8 或 9 点为例牌，不再补牌。否则闲家 0–5 点补牌、6 或 7 点停牌，庄家按表补牌。", "FF2 3.8"),
        ("点数高者胜。", "FF2 3.9"),
        ("点数相同为和局，闲、庄注退还。", "FF2 3.10"),
        ("切牌卡出现的一局照常完成，为该靴最后一局。", None),  # the rulebook is silent (interpretation 21)
    ]


def test_a_game_without_a_rulebook_cites_no_clause() -> None:
    mine = loads('key="x"\ntitle="X"\n[[wager]]\nname="Tie"\npays=[{when="winner tie", odds="8 to 1"}]')
    said = list(how_to_play(mine, None, Language.ENGLISH))
    assert len(said) == 8
    assert all(step.clause is None for step in said)


@pytest.mark.parametrize(
    ("key", "wager", "said"),
    [
        ("baccarat", "Banker", "0.95:1"),
        ("fortune-six", "Banker", "1:2, 1:1"),
        ("fabulous-4s", "Player", "1:2, 1:1, 2:1"),
        ("fortune-six", "Player Dragon Bonus", "1:1 … 30:1"),
        ("7-up", "Super 7's", "2:1 … 700:1"),
    ],
)
def test_prices_are_said_in_short(key: str, wager: str, said: str) -> None:
    assert prices(GAMES[key].wager(wager)) == said


def test_a_price_is_said_once() -> None:
    wager = Wager(Label("X", "X"), "", (Pay("", TIE, Odds(2)), Pay("", margin(1), EVEN), Pay("", margin(2), EVEN)))
    assert prices(wager) == "1:1, 2:1"


def test_everything_that_can_be_said_has_words() -> None:
    for words, closed in ((SIDES, Side), (WINNERS, Winner), (RESULTS, Result), (STANDINGS, Standing)):
        assert set(words) == set(closed)
