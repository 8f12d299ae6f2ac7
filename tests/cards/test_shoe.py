from dataclasses import replace

import pytest
from tests.marks import clause, interpretation

from punto.cards import ELEMENTS, STANDARD, Shoe, parse_cards
from punto.errors import BadDecks, BadShoe

SHOE = Shoe.unshuffled(STANDARD, 8, behind=14)


def test_a_shoe_holds_whole_decks() -> None:
    assert len(SHOE.order) == 416
    assert SHOE.order[:52] == SHOE.order[364:] == STANDARD.cards
    assert len(Shoe.unshuffled(ELEMENTS, 10).order) == 650
    assert Shoe.unshuffled(ELEMENTS, 4).behind == 0


@pytest.mark.parametrize("decks", [3, 11])
def test_a_shoe_of_too_few_or_too_many_decks_is_refused(decks: int) -> None:
    with pytest.raises(BadDecks):
        Shoe.unshuffled(STANDARD, decks)
    with pytest.raises(BadDecks):
        Shoe(STANDARD, decks, STANDARD.cards * decks, 0)


def test_missing_extra_and_foreign_cards_make_no_shoe() -> None:
    with pytest.raises(BadShoe, match=r"^As comes 7 times: expected 8 in 8 decks$"):
        replace(SHOE, order=SHOE.order[1:])
    with pytest.raises(BadShoe, match=r"^Kc comes 7 times: expected 8 in 8 decks$"):
        replace(SHOE, order=SHOE.order[:-1])
    with pytest.raises(BadShoe, match=r"^Kc comes 9 times: expected 8 in 8 decks$"):
        replace(SHOE, order=(*SHOE.order, SHOE.order[-1]))
    with pytest.raises(BadShoe, match=r"^2s comes 0 times: expected 8 in 8 decks$"):
        replace(SHOE, order=tuple(card for card in SHOE.order if str(card) != "2s"))
    with pytest.raises(BadShoe, match=r"^4g does not belong to the standard deck$") as refused:
        replace(SHOE, order=(SHOE.order[0], *parse_cards("4g", ELEMENTS), *SHOE.order[1:]))
    assert refused.value.at == 2


@pytest.mark.parametrize("behind", [-1, 417])
def test_the_cutting_card_lies_within_the_shoe(behind: int) -> None:
    with pytest.raises(BadShoe, match=f"^cutting card {behind} from the end: expected 0 to 416$"):
        replace(SHOE, behind=behind)
    assert replace(SHOE, behind=0).ahead == 416
    assert replace(SHOE, behind=416).ahead == 0


@interpretation(32)
@pytest.mark.parametrize("place", [0, 1, 100, 415, 416])
def test_a_cut_turns_the_shoe_and_leaves_the_cutting_card(place: int) -> None:
    cut = SHOE.cut(place)
    assert cut.order == SHOE.order[place:] + SHOE.order[:place]
    assert (cut.deck, cut.decks, cut.behind) == (STANDARD, 8, 14)


@pytest.mark.parametrize("place", [-1, 417])
def test_a_cut_outside_the_shoe_is_refused(place: int) -> None:
    with pytest.raises(BadShoe, match=f"^cut at {place}: expected 0 to 416$"):
        SHOE.cut(place)


@clause("EB4 3.10", "B8 3.17", "TNC5 3.17", "E7U 3.9")
@interpretation(21)
@pytest.mark.parametrize(("drawn", "last"), [(0, False), (401, False), (402, False), (403, True), (416, True)])
def test_the_round_in_which_the_cutting_card_comes_is_the_last(drawn: int, last: bool) -> None:
    # 402 cards lie before the cutting card; a round that ends with the 402nd has not met it.
    assert SHOE.ends_with(drawn) is last
