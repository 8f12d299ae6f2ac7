"""What is left in a shoe: as whole decks, without the cards seen, or as a text says."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.cards import DECKS, ELEMENTS, STANDARD, Deck, parse_card, parse_cards
from punto.errors import BadComposition, BadDecks, ForeignCard, PuntoError, UnknownCard
from punto.lab import Composition


def left(shoe: Composition) -> dict[str, int]:
    """The cards of which some are left, as texts."""
    return {str(card): count for card, count in zip(shoe.deck.cards, shoe.counts, strict=True) if count}


@pytest.mark.parametrize("deck", DECKS.values(), ids=DECKS)
@pytest.mark.parametrize("decks", range(4, 11))
def test_whole_decks_hold_as_many_of_every_card(deck: Deck, decks: int) -> None:
    shoe = Composition.full(deck, decks)
    assert (shoe.deck, shoe.decks, shoe.size, shoe.open) == (deck, decks, decks * deck.size, frozenset())
    assert {shoe.of(card) for card in deck.cards} == {decks}
    assert shoe.array.dtype == np.int64
    assert shoe.array.tolist() == [decks] * deck.size


def test_eight_decks_are_usual() -> None:
    assert Composition.full(STANDARD) == Composition.full(STANDARD, 8)
    assert Composition.seen("As", STANDARD).size == 415
    assert Composition.remaining("A=32", STANDARD).decks == 8


@pytest.mark.parametrize("decks", [-1, 0, 3, 11, 1000])
def test_no_shoe_has_other_than_four_to_ten_decks(decks: int) -> None:
    with pytest.raises(BadDecks, match=f"^{decks} decks: expected 4 to 10$"):
        Composition.full(STANDARD, decks)
    with pytest.raises(BadDecks, match=f"^{decks} decks: expected 4 to 10$"):
        Composition.seen("As", STANDARD, decks)
    with pytest.raises(BadDecks, match=f"^{decks} decks: expected 4 to 10$"):
        Composition.remaining("A=1", STANDARD, decks)


# --- cards seen ----------------------------------------


def test_cards_seen_are_gone() -> None:
    shoe = Composition.seen("As As 10d kh", STANDARD, 6)
    assert (shoe.size, shoe.decks, shoe.open) == (308, 6, frozenset())
    assert [shoe.of(card) for card in parse_cards("As Td Kh Ks", STANDARD)] == [4, 5, 5, 6]
    assert Composition.seen("Ff 4g", ELEMENTS).size == 518


@pytest.mark.parametrize("text", ["", "  ", "\n\t"])
def test_nothing_seen_leaves_whole_decks(text: str) -> None:
    assert Composition.seen(text, STANDARD) == Composition.full(STANDARD)


def test_cards_go_one_after_the_other() -> None:
    shoe = Composition.full(STANDARD, 4)
    assert shoe.without([]) == shoe
    assert shoe.without(parse_cards("As Kd", STANDARD)).without(parse_cards("As", STANDARD)) == Composition.seen(
        "As As Kd", STANDARD, 4
    )
    assert shoe == Composition.full(STANDARD, 4)


def test_a_card_of_which_none_is_left_is_refused_at_its_place() -> None:
    with pytest.raises(BadComposition, match=r"^card 6: no As is left: expected one of those that are$") as caught:
        Composition.seen("As As Kd As As As", STANDARD, 4)
    assert (caught.value.code, caught.value.at) == ("bad-composition", 6)
    with pytest.raises(BadComposition) as caught:
        Composition.remaining("A=4", STANDARD).without(parse_cards("As Ks", STANDARD))
    assert caught.value.at == 2


def test_what_is_no_card_of_the_deck_cannot_have_been_seen() -> None:
    with pytest.raises(UnknownCard) as unknown:
        Composition.seen("As Xx", STANDARD)
    assert unknown.value.at == 2
    for text, deck in (("As 4g", STANDARD), ("4g As", ELEMENTS), ("As 7*", STANDARD)):
        with pytest.raises(ForeignCard):
            Composition.seen(text, deck)


def test_a_card_of_the_other_deck_is_refused_at_its_place() -> None:
    with pytest.raises(PuntoError) as caught:
        Composition.full(STANDARD).without([parse_card("As"), parse_card("4g")])
    assert caught.value.at == 2


# --- what a text says is left ----------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A=4", {"As": 1, "Ah": 1, "Ad": 1, "Ac": 1}),
        ("a=4", {"As": 1, "Ah": 1, "Ad": 1, "Ac": 1}),
        ("As=8", {"As": 8}),
        ("as=8,Kd=3", {"As": 8, "Kd": 3}),
        (" As = 1 , Kd=\t2 ", {"As": 1, "Kd": 2}),
        ("10=4", {"Ts": 1, "Th": 1, "Td": 1, "Tc": 1}),
        ("10d=4,Th=1", {"Td": 4, "Th": 1}),
        ("As=1,Ah=2,Ad=3,Ac=4", {"As": 1, "Ah": 2, "Ad": 3, "Ac": 4}),
        ("As=0,K=0", {}),
        ("As=08", {"As": 8}),
        ("A=32", {"As": 8, "Ah": 8, "Ad": 8, "Ac": 8}),
    ],
)
def test_a_text_says_what_is_left_and_all_else_is_gone(text: str, expected: dict[str, int]) -> None:
    shoe = Composition.remaining(text, STANDARD)
    assert left(shoe) == expected
    assert shoe.size == sum(expected.values())


def test_ranks_and_elements_of_the_other_deck_are_read_with_it() -> None:
    shoe = Composition.remaining("S=5,Lg=2,f=10", ELEMENTS)
    assert left(shoe) == {
        **{f"S{suit}": 1 for suit in "fgeow"},
        "Lg": 2,
        **{f"F{suit}": 2 for suit in "fgeow"},
    }


@pytest.mark.parametrize(
    ("text", "ranks"),
    [("A=30", "A"), ("A=1", "A"), ("A=32,K=31", "K"), ("4=8,5=4", "45"), ("A=32,2=0", ""), ("Ad=3,2=31", "2")],
)
def test_the_number_of_a_rank_leaves_its_suits_open_unless_all_are_there_or_none(text: str, ranks: str) -> None:
    shoe = Composition.remaining(text, STANDARD)
    assert {rank.letter for rank in shoe.open} == set(ranks)
    assert shoe.without([]).open == shoe.open
    assert shoe.size == sum(int(part.split("=")[1]) for part in text.split(","))


def test_the_suits_share_a_number_as_evenly_as_they_can() -> None:
    assert sorted(left(Composition.remaining("A=30", STANDARD)).values()) == [7, 7, 8, 8]


@pytest.mark.parametrize(
    ("text", "at", "message"),
    [
        ("", 1, "part 1: '' does not read: expected a rank or a card and how many are left, as in A=30 or Kd=7"),
        (" ", 1, "part 1: '' does not read: expected a rank or a card"),
        ("A=4,", 2, "part 2: '' does not read: expected a rank or a card"),
        (",A=4", 1, "part 1: '' does not read"),
        ("A=4,,K=3", 2, "part 2: '' does not read"),
        ("A", 1, "part 1: 'A' does not read"),
        ("A4", 1, "part 1: 'A4' does not read"),
        ("A=4;K=4", 1, "part 1: A=4;K=4: expected a whole number from 0 to 32, as many as 8 decks hold"),
        ("=4", 1, "part 1: '=4' does not read"),
        ("A=4,X=4", 2, "part 2: 'X=4' does not read"),
        ("1=4", 1, "part 1: '1=4' does not read"),
        ("Ax=4", 1, "part 1: 'Ax=4' does not read"),
        ("AS=4", 1, "part 1: 'AS=4' does not read"),
        ("7*=1", 1, "part 1: '7*=1' does not read"),
        ("S=4", 1, "part 1: 'S=4' does not read"),
        ("4g=4", 1, "part 1: '4g=4' does not read"),
        ("As Kd=3", 1, "part 1: 'As Kd=3' does not read"),
        ("A K=3", 1, "part 1: 'A K=3' does not read"),
        ("A=", 1, "part 1: A=: expected a whole number from 0 to 32, as many as 8 decks hold"),
        ("A=-1", 1, "part 1: A=-1: expected a whole number from 0 to 32"),
        ("A=+1", 1, "part 1: A=+1: expected a whole number from 0 to 32"),
        ("A=1.5", 1, "part 1: A=1.5: expected a whole number from 0 to 32"),
        ("A=1/2", 1, "part 1: A=1/2: expected a whole number from 0 to 32"),
        ("A=1e1", 1, "part 1: A=1e1: expected a whole number from 0 to 32"),
        ("A=1_0", 1, "part 1: A=1_0: expected a whole number from 0 to 32"),
        ("A=0x1", 1, "part 1: A=0x1: expected a whole number from 0 to 32"),
        ("A=1 0", 1, "part 1: A=1 0: expected a whole number from 0 to 32"),
        ("A=4=4", 1, "part 1: A=4=4: expected a whole number from 0 to 32"),
        ("A=nan", 1, "part 1: A=nan: expected a whole number from 0 to 32"),
        ("A=\u0663", 1, "part 1: A=\u0663: expected a whole number from 0 to 32"),
        ("A=\uff14", 1, "part 1: A=\uff14: expected a whole number from 0 to 32"),
        ("A=\u00b2", 1, "part 1: A=\u00b2: expected a whole number from 0 to 32"),
        ("A=33", 1, "part 1: A=33: expected a whole number from 0 to 32"),
        ("K=1,Kd=9", 2, "part 2: Kd=9: expected a whole number from 0 to 8, as many as 8 decks hold"),
        ("A=" + "9" * 5000, 1, "part 1: A=9999999999999999999…: expected a whole number from 0 to 32"),
        ("A=" + "0" * 5000, 1, "part 1: A=0000000000000000000…: expected a whole number from 0 to 32"),
        ("A" * 5000, 1, "part 1: 'AAAAAAAAAAAAAAAAAAA…' does not read"),
        ("A=1,a=1", 2, "part 2: 'a' is named twice: expected each card once"),
        ("A=4,K=4,As=1", 3, "part 3: 'As' is named twice: expected each card once"),
        ("As=1,A=4", 2, "part 2: 'A' is named twice: expected each card once"),
        ("10=4,T=4", 2, "part 2: 'T' is named twice: expected each card once"),
        ("As=0,As=0", 2, "part 2: 'As' is named twice: expected each card once"),
    ],
)
def test_a_text_that_does_not_read_is_refused_at_its_part(text: str, at: int, message: str) -> None:
    with pytest.raises(BadComposition) as caught:
        Composition.remaining(text, STANDARD)
    assert caught.value.message.startswith(message)
    assert (caught.value.code, caught.value.at) == ("bad-composition", at)
    assert "\n" not in caught.value.message
    assert len(caught.value.message) < 120


@pytest.mark.parametrize("text", ["J=4", "As=1", "Kd=1", "K=1"])
def test_ranks_and_suits_of_the_standard_deck_do_not_read_with_the_elements(text: str) -> None:
    with pytest.raises(BadComposition, match="does not read"):
        Composition.remaining(text, ELEMENTS)


@pytest.mark.parametrize("decks", [4, 10])
def test_no_more_are_left_than_the_decks_hold(decks: int) -> None:
    assert Composition.remaining(f"A={4 * decks},Kd={decks}", STANDARD, decks).size == 5 * decks
    for text in (f"A={4 * decks + 1}", f"Kd={decks + 1}"):
        with pytest.raises(BadComposition, match=f"as many as {decks} decks hold"):
            Composition.remaining(text, STANDARD, decks)


@given(st.lists(st.integers(0, 6), min_size=52, max_size=52))
def test_what_is_written_card_by_card_is_read_back(counts: list[int]) -> None:
    text = ",".join(f"{card}={count}" for card, count in zip(STANDARD.cards, counts, strict=True))
    assert Composition.remaining(text, STANDARD, 6) == Composition(STANDARD, 6, tuple(counts))


@given(st.text(alphabet="A10KsdX=,+-.٣ \n", max_size=12))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        shoe = Composition.remaining(text, STANDARD)
    except BadComposition as refused:
        assert 1 <= refused.at <= text.count(",") + 1
    else:
        assert all(0 <= count <= 8 for count in shoe.counts)
