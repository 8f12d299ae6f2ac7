import pytest
from tests.marks import clause, interpretation

from punto.cards import DECKS, ELEMENTS, STANDARD, check_decks
from punto.errors import BadDecks


@clause("EB4 2.1", "B8 2.1", "TNC5 2.1", "E7U 2.1")
def test_the_standard_deck_has_52_cards_and_no_joker() -> None:
    assert len(set(STANDARD.cards)) == STANDARD.size == 52
    assert {str(card)[0] for card in STANDARD.cards} == set("A23456789TJQK")
    assert {str(card)[1] for card in STANDARD.cards} == set("shdc")


@clause("FF2 2.1", "FF2 3.3.2", "FF2 1.1.2")
def test_the_element_deck_has_65_cards_with_three_pictures_in_five_elements() -> None:
    assert len(set(ELEMENTS.cards)) == ELEMENTS.size == 65
    assert {str(card)[0] for card in ELEMENTS.cards} == set("A23456789TSLF")
    assert {str(card)[1] for card in ELEMENTS.cards} == set("fgeow")


def test_cards_come_suit_by_suit() -> None:
    assert "".join(map(str, STANDARD.cards[:3])) == "As2s3s"
    assert str(STANDARD.cards[13]) == "Ah"


def test_decks_are_found_by_key() -> None:
    assert DECKS == {"standard": STANDARD, "elements": ELEMENTS}


def test_there_is_no_part_of_a_deck() -> None:
    with pytest.raises(BadDecks, match=r"^4\.5 decks: expected 4 to 10$"):
        check_decks(4.5)  # type: ignore[arg-type]


@clause("EB4 2.1", "FF2 2.1", "B8 2.1", "TNC5 2.1", "E7U 2.1")
@interpretation(31)
@pytest.mark.parametrize("decks", range(-1, 14))
def test_a_shoe_holds_four_to_ten_decks(decks: int) -> None:
    if 4 <= decks <= 10:
        assert check_decks(decks) == decks
    else:
        with pytest.raises(BadDecks, match=f"^{decks} decks: expected 4 to 10$"):
            check_decks(decks)
