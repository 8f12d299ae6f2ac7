import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.marks import clause, interpretation

from punto.cards import ELEMENTS, PERMANENT_SEVEN, STANDARD, Card, parse_cards
from punto.rules import Hand
from punto.rules.traits import NATURAL, PAIR_RANK, PAIR_SUIT, SEVENS, SIZE, TOTAL, Trait, Value

TRAITS = [NATURAL, PAIR_RANK, PAIR_SUIT, SEVENS, SIZE, TOTAL]
cards = st.sampled_from(STANDARD.cards + ELEMENTS.cards)


@pytest.mark.parametrize(
    ("trait", "text", "value"),
    [
        (TOTAL, "7s 6h", 3),
        (TOTAL, "7s 6h 9d", 2),
        (SIZE, "7s 6h", 2),
        (SIZE, "7s 6h 9d", 3),
        (NATURAL, "7s Ah", True),
        (NATURAL, "7s Ah 9d", True),
        (NATURAL, "7s Kh As", False),
        (NATURAL, "9s 9h", True),
        (NATURAL, "9s Kh", True),
        (PAIR_RANK, "4s 4h", "4"),
        (PAIR_RANK, "Ks Kh 4d", "K"),
        (PAIR_RANK, "4s 5h 4d", ""),
        (PAIR_SUIT, "4s 4s", "s"),
        (PAIR_SUIT, "4s 4h", ""),
        (PAIR_SUIT, "4s 5s", ""),
        (PAIR_SUIT, "4d 4d 4s", "d"),
        (SEVENS, "7s 7h 7d", 3),
        (SEVENS, "7s 7h", 2),
        (SEVENS, "Ks 7h 7d", 2),
        (SEVENS, "7s 8h 6d", 1),
        (SEVENS, "7s 8h", 1),
        (SEVENS, "Ks 8h", 0),
    ],
)
def test_a_trait_is_read_off_a_hand(trait: Trait, text: str, value: Value) -> None:
    assert trait.of(Hand(parse_cards(text, STANDARD))) == value
    assert type(trait.of(Hand(parse_cards(text, STANDARD)))) is type(value)


@clause("EB4 1.1.13", "B8 1.1.6", "TNC5 1.1.13")
@interpretation(1)
@pytest.mark.parametrize("text", ["Ts Kh", "Ts Jh", "Js Qh", "Qs Kh", "Ks Jh"])
def test_two_cards_of_equal_points_and_other_rank_are_no_pair(text: str) -> None:
    assert PAIR_RANK.of(Hand(parse_cards(text, STANDARD))) == ""


@clause("FF2 1.1.7")
@interpretation(1)
def test_pictures_of_the_element_deck_pair_with_their_own_kind_only() -> None:
    assert PAIR_RANK.of(Hand(parse_cards("Sf Sg", ELEMENTS))) == "S"
    assert PAIR_RANK.of(Hand(parse_cards("Sf Lf", ELEMENTS))) == ""


def test_the_permanent_seven_pairs_by_rank_but_has_no_suit_to_share() -> None:
    hand = Hand((PERMANENT_SEVEN, *parse_cards("7s", STANDARD)))
    assert PAIR_RANK.of(hand) == "7"
    assert PAIR_SUIT.of(hand) == ""
    assert PAIR_SUIT.of(Hand((PERMANENT_SEVEN, PERMANENT_SEVEN))) == ""
    assert SEVENS.of(hand) == 2


EVERY_CARD = STANDARD.cards + ELEMENTS.cards
ALIKE = [(one, other) for one in EVERY_CARD for other in EVERY_CARD if one.points == other.points and one != other]


@given(st.sampled_from(TRAITS), st.tuples(cards, cards), st.sampled_from(ALIKE))
def test_a_third_card_matters_by_its_points_alone(
    trait: Trait, hand: tuple[Card, Card], thirds: tuple[Card, Card]
) -> None:
    one, other = thirds
    assert trait.of(Hand((*hand, one))) == trait.of(Hand((*hand, other)))
