import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.cards import STANDARD, parse_cards
from punto.errors import BadOutcome
from punto.roads import Outcome, parse_outcomes
from punto.rules import CLASSIC, Deal, Winner

outcomes = st.lists(st.builds(Outcome, st.sampled_from(Winner), st.booleans(), st.booleans()))


@given(outcomes)
def test_outcomes_are_read_back_as_they_are_written(rounds: list[Outcome]) -> None:
    assert parse_outcomes("".join(map(str, rounds))) == tuple(rounds)
    assert parse_outcomes(" ".join(map(str, rounds))) == tuple(rounds)


def test_pairs_come_in_either_order() -> None:
    assert parse_outcomes("Bpb") == parse_outcomes("Bbp") == (Outcome(Winner.BANKER, True, True),)
    assert parse_outcomes("Bp") == (Outcome(Winner.BANKER, player_pair=True),)
    assert parse_outcomes("Tb") == (Outcome(Winner.TIE, banker_pair=True),)
    assert parse_outcomes("") == ()


@pytest.mark.parametrize(
    ("text", "at", "message"),
    [
        ("X", 1, "letter 1: 'X' is not an outcome: expected B, P or T, or b or p for a pair after it"),
        ("BPx", 3, "letter 3: 'x' is not an outcome: expected B, P or T, or b or p for a pair after it"),
        ("BP,T", 3, "letter 3: ',' is not an outcome: expected B, P or T, or b or p for a pair after it"),
        ("b", 1, "letter 1: 'b' marks a pair of no round: expected B, P or T first"),
        ("pB", 1, "letter 1: 'p' marks a pair of no round: expected B, P or T first"),
        ("  p", 3, "letter 3: 'p' marks a pair of no round: expected B, P or T first"),
        ("Bbb", 3, "letter 3: 'b' marks the same pair twice: expected it once after B"),
        ("BPpbp", 5, "letter 5: 'p' marks the same pair twice: expected it once after P"),
        ("B \u0663", 3, "letter 3: '٣' is not an outcome: expected B, P or T, or b or p for a pair after it"),
    ],
)
def test_a_letter_that_is_no_outcome_is_named_with_its_place(text: str, at: int, message: str) -> None:
    with pytest.raises(BadOutcome) as refused:
        parse_outcomes(text)
    assert (refused.value.at, refused.value.message) == (at, message)


@pytest.mark.parametrize(
    ("cards", "text"),
    [("4s Kh 4d 9c", "Bp"), ("9s Kh Kd Kc", "Pb"), ("9s 9h 9d 9c", "Tbp"), ("9s Kh Kd 9c", "T"), ("3s 2h 4d 4c", "P")],
)
def test_an_outcome_is_read_off_a_coup(cards: str, text: str) -> None:
    coup = Deal.of(CLASSIC, parse_cards(cards, STANDARD)).coup
    assert coup
    assert str(Outcome.of(coup)) == text
    assert (Outcome.of(coup),) == parse_outcomes(text)
