from punto.cards import parse_cards
from punto.games import GAMES
from punto.rules import Settler

TIGER = GAMES["tiger"]


def test_settlements_of_one_class_are_the_same() -> None:
    settler = Settler(TIGER.wagers)
    coups = [TIGER.deal(parse_cards(text, TIGER.deck)).coup for text in ("9s Kh 9d 8c", "9h Qh 9c 8d", "9h Qh 8c 8d")]
    one, same, other = [settler.settle(coup) for coup in coups if coup]
    assert list(one) == [wager.name for wager in TIGER.wagers]
    assert all(one[name] is same[name] for name in one)
    assert one["Tie"] is not other["Tie"]
    assert [one["Tie"].net, other["Tie"].net, other["Player"].net] == [8, -1, -1]
