import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.cards import ELEMENTS, STANDARD
from punto.errors import BadCondition
from punto.rules import FACTS, And, Not, Or, parse_condition
from punto.rules.facts import BANKER_WINS, TIE, banker_cards, banker_total, natural, player_pair, player_pair_rank

TOTALS = "0 1 2 3 4 5 6 7 8 9"


def test_and_binds_closer_than_or_and_not_closest() -> None:
    parsed = parse_condition("not natural and winner tie or banker total 6")
    assert parsed == Or((And((Not(natural()), TIE)), banker_total(6)))


def test_brackets_and_case_and_space_are_read() -> None:
    parsed = parse_condition("  NOT (Winner TIE OR natural)\tand\nplayer pair rank t")
    assert parsed == And((Not(Or((TIE, natural()))), player_pair_rank("T")))
    assert parse_condition("player pair rank 10") == player_pair_rank("T")
    assert parse_condition("((winner banker))") == BANKER_WINS


def test_the_longest_name_of_a_fact_is_meant() -> None:
    assert parse_condition("player pair") == player_pair()
    assert parse_condition("player pair rank A") == player_pair_rank("A")
    assert parse_condition("player pair and banker cards 2") == player_pair() & banker_cards(2)


@pytest.mark.parametrize(
    ("text", "at", "message"),
    [
        ("", 1, "the condition ends too early: expected a fact, 'not' or '('"),
        ("winner tie and", 15, "the condition ends too early: expected a fact, 'not' or '('"),
        ("winner tie and  ", 15, "the condition ends too early: expected a fact, 'not' or '('"),
        ("(winner tie", 12, "the condition ends too early: expected ')'"),
        ("(winner tie natural", 13, "'natural' does not fit here: expected ')'"),
        ("winner tie natural", 12, "'natural' does not fit here: expected 'and', 'or' or the end"),
        ("winner tie)", 11, "')' does not fit here: expected 'and', 'or' or the end"),
        ("and natural", 1, "'and' does not fit here: expected a fact, 'not' or '('"),
        ("natural or or natural", 12, "'or' does not fit here: expected a fact, 'not' or '('"),
        ("winner", 7, "the condition ends too early: 'winner' needs a value: expected player banker tie"),
        ("winner and natural", 8, "'and' does not fit here: 'winner' needs a value: expected player banker tie"),
        ("(winner )", 9, "')' does not fit here: 'winner' needs a value: expected player banker tie"),
        ("banker total 10", 14, f"'banker total' cannot be '10': expected {TOTALS}"),
        ("banker total six", 14, f"'banker total' cannot be 'six': expected {TOTALS}"),
        ("winner nobody", 8, "'winner' cannot be 'nobody': expected player banker tie"),
        ("natural and banker totl 6", 13, "there is no fact 'banker totl': did you mean 'banker total'?"),
        ("natral", 1, "there is no fact 'natral': did you mean 'natural'?"),
        ("xyzzy and natural", 1, "there is no fact 'xyzzy': expected one of " + ", ".join(FACTS)),
        ("7 and natural", 1, "there is no fact '7': expected one of " + ", ".join(FACTS)),
        ("not " * 41 + "natural", 165, "'natural' does not fit here: conditions nest 40 deep at most"),
        ("(" * 41 + "natural", 42, "'natural' does not fit here: conditions nest 40 deep at most"),
    ],
)
def test_a_mistake_is_named_with_its_place(text: str, at: int, message: str) -> None:
    with pytest.raises(BadCondition) as refused:
        parse_condition(text)
    assert (refused.value.at, refused.value.message) == (at, message)


def test_conditions_nest_forty_deep() -> None:
    assert parse_condition("not " * 40 + "natural")
    assert parse_condition("(" * 40 + "natural" + ")" * 40) == natural()


def test_ranks_and_suits_must_be_in_the_deck() -> None:
    assert parse_condition("player pair rank F", ELEMENTS)
    assert parse_condition("player pair suit g", ELEMENTS)
    assert parse_condition("banker total 6", ELEMENTS) == banker_total(6)
    assert parse_condition("player pair rank F")
    with pytest.raises(BadCondition) as refused:
        parse_condition("player pair rank F", STANDARD)
    assert refused.value.message == "'player pair rank' cannot be 'F': expected A 2 3 4 5 6 7 8 9 T J Q K"
    with pytest.raises(BadCondition) as refused:
        parse_condition("banker pair suit d", ELEMENTS)
    assert refused.value.message == "'banker pair suit' cannot be 'd': expected f g e o w"
    assert refused.value.at == 18


@given(st.text(alphabet="abdeiknoprtw 0169()", max_size=40) | st.text(max_size=20))
def test_any_text_is_read_or_refused_inside_itself(text: str) -> None:
    try:
        condition = parse_condition(text)
    except BadCondition as refused:
        assert 1 <= refused.at <= len(text) + 1
    else:
        assert parse_condition(str(condition)) == condition
