from punto.cards import STANDARD, parse_cards
from punto.games import GAMES
from punto.rules import Side, View

TIGER = GAMES["tiger"]


def test_a_view_shows_the_total_and_what_is_read() -> None:
    view = View(Side.PLAYER, TIGER.wager("Tiger Pair").reads)
    assert [trait.name for trait in view.traits] == ["total", "pair rank"]
    assert [reading.side for reading in view.readings] == [Side.PLAYER] * 2
    assert view.of(parse_cards("9s 9d", STANDARD)) == (8, "9")
    assert view.after((8, "9"), 5) == (3, "9")
    assert View(Side.BANKER, []).of(parse_cards("9s 9d 2h", STANDARD)) == (0,)


def test_a_view_knows_every_opening() -> None:
    view = View(Side.PLAYER, TIGER.wager("Tiger Pair").reads)
    openings = view.openings(STANDARD.cards)
    assert len(openings) == 10 + 13  # every total without a pair, and every pair
    assert all(view.of(hand) == state for state, hand in openings.items())
    nines = view.openings(STANDARD.cards, parse_cards("9s", STANDARD))
    assert set(nines) == {(total, "") for total in (9, 0, 1, 2, 3, 4, 5, 6, 7)} | {(8, "9")}
    assert list(view.openings(STANDARD.cards, parse_cards("9s 8s", STANDARD))) == [(7, "")]
