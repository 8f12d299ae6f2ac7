import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.marks import clause, interpretation

from punto.cards import PERMANENT_SEVEN, STANDARD, Card, parse_cards
from punto.errors import SurplusCard
from punto.rules import CLASSIC, OPENINGS, PERMANENT, Deal, Opening, Side


def cards(text: str) -> tuple[Card, ...]:
    return parse_cards(text, STANDARD)


def owners(opening: Opening, text: str) -> str:
    """Whose each card was, then whose the next is: P, B, or a full stop."""
    deal, said = Deal.begin(opening), ""
    for card in (*cards(text), None):
        said += "." if deal.next is None else deal.next.name[0]
        if card:
            deal = deal.take(card)
    return said


@clause("EB4 3.6", "EB4 3.6.1", "EB4 3.6.2", "FF2 3.6", "FF2 3.7", "FF2 3.7.1", "FF2 3.7.2")
@clause("B8 3.12", "B8 3.12.1", "B8 3.12.2", "TNC5 3.12", "TNC5 3.12.1", "TNC5 3.12.2")
@clause("EB4 1.1.7", "FF2 1.1.4", "B8 1.1.4", "TNC5 1.1.4")
def test_the_first_and_third_card_are_players_the_second_and_fourth_bankers() -> None:
    deal = Deal.of(CLASSIC, cards("2s 3h 4d 5c"))
    assert deal.player == cards("2s 4d")
    assert deal.banker == cards("3h 5c")
    assert owners(CLASSIC, "4s 3h 5d 6c") == "PBPB."


@clause("EB4 1.1.6", "FF2 1.1.3", "B8 1.1.2", "TNC5 1.1.2")
def test_a_hand_is_all_the_cards_that_its_side_was_dealt() -> None:
    coup = Deal.of(CLASSIC, cards("2s 3h 2d Kc 4s 5h")).coup
    assert coup
    assert (coup.player.cards, coup.banker.cards) == (cards("2s 2d 4s"), cards("3h Kc 5h"))
    assert (coup.player.total, coup.banker.total) == (8, 8)


@clause("E7U 1.1.1")
def test_a_hand_of_seven_up_has_the_permanent_seven_and_all_cards_dealt_to_it() -> None:
    coup = Deal.of(PERMANENT, cards("2s 3h Kd 2c 2d")).coup
    assert coup
    assert (coup.player.cards, coup.banker.cards) == ((PERMANENT_SEVEN, *cards("3h 2c")), cards("2s Kd 2d"))
    assert (coup.player.total, coup.banker.total) == (2, 4)


@clause("E7U 3.6", "E7U 3.6.1", "E7U 3.6.2", "E7U 1.1.2", "E7U 1.1.4")
@interpretation(30)
def test_seven_up_begins_with_the_permanent_seven_and_deals_banker_first() -> None:
    deal = Deal.of(PERMANENT, cards("2s 3h 4d"))
    assert deal.player == (PERMANENT_SEVEN, *cards("3h"))
    assert deal.banker == cards("2s 4d")
    assert deal.next is Side.PLAYER
    assert owners(PERMANENT, "2s 3h Kd 2c 2d") == "BPBPB."
    assert owners(PERMANENT, "2s As 4d") == "BPB."  # seven and an Ace are a natural


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "P"),
        ("2s", "PB"),
        ("2s 2h 2d 2c", "PBPBP"),
        ("2s 2h 2d 2c 7s", "PBPBPB"),  # Banker has four and draws against a seven
        ("2s 2h 2d 2c 8s", "PBPBP."),  # but not against an eight
        ("6s 2h Kd 2c", "PBPBB"),  # Player stands on six, Banker draws on four
        ("6s 2h Kd 2c 5s", "PBPBB."),
        ("6s 3h Kd 3c", "PBPB."),  # six against six: both stand
    ],
)
def test_the_deal_knows_whose_the_next_card_is(text: str, said: str) -> None:
    assert owners(CLASSIC, text) == said


def test_a_card_after_the_last_is_refused() -> None:
    deal = Deal.of(CLASSIC, cards("9s 2h Kd 2c"))
    with pytest.raises(SurplusCard) as refused:
        deal.take(cards("5s")[0])
    assert refused.value.at == 5
    assert refused.value.message == "card 5: 5s is one too many: expected no card after card 4"


def test_openings_are_found_by_key() -> None:
    assert OPENINGS == {"classic": CLASSIC, "permanent-7": PERMANENT}


def test_there_is_no_coup_before_the_deal_is_complete() -> None:
    assert Deal.begin(CLASSIC).coup is None
    assert Deal.of(CLASSIC, cards("2s 2h 2d 2c")).coup is None
    coup = Deal.of(CLASSIC, cards("9s 2h Kd 2c")).coup
    assert coup
    assert (coup.player.cards, coup.banker.cards) == (cards("9s Kd"), cards("2h 2c"))


@given(st.sampled_from([CLASSIC, PERMANENT]), st.lists(st.sampled_from(STANDARD.cards), min_size=6, max_size=6))
def test_cards_come_back_in_the_order_drawn(opening: Opening, shoe: list[Card]) -> None:
    deal = Deal.begin(opening)
    while deal.next:
        assert deal.cards == tuple(shoe[: deal.drawn])
        deal = deal.take(shoe[deal.drawn])
    assert deal.cards == tuple(shoe[: deal.drawn])
    assert Deal.of(opening, deal.cards) == deal
    assert len(opening.order) <= deal.drawn <= len(opening.order) + 2
