import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.cards import STANDARD, Card, parse_cards
from punto.rules import CLASSIC, FACTS, And, Condition, Coup, Deal, Hand, Is, Language, Not, Or, parse_condition
from punto.rules.facts import (
    BANKER_WINS,
    PLAYER_WINS,
    TIE,
    banker_pair,
    banker_total,
    margin,
    natural,
    player_cards,
    player_natural,
    player_pair_rank,
)

COMPARISONS = st.sampled_from([fact(value) for fact in FACTS.values() for value in fact.values if value is not False])
CONDITIONS = st.recursive(
    COMPARISONS,
    lambda inner: st.one_of(
        inner.map(Not),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: And(tuple(parts))),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: Or(tuple(parts))),
    ),
    max_leaves=8,
)


@st.composite
def coups(draw: st.DrawFn) -> Coup:
    deal = Deal.begin(CLASSIC)
    cards: st.SearchStrategy[Card] = st.sampled_from(STANDARD.cards)
    while deal.next:
        deal = deal.take(draw(cards))
    coup = deal.coup
    assert coup
    return coup


def coup(player: str, banker: str) -> Coup:
    return Coup(Hand(parse_cards(player, STANDARD)), Hand(parse_cards(banker, STANDARD)))


def test_a_comparison_holds_when_the_fact_has_the_value() -> None:
    assert banker_total(6).on(coup("4s 3h", "4d 2h"))
    assert not banker_total(5).on(coup("4s 3h", "4d 2h"))
    assert (banker_total(6) & PLAYER_WINS).on(coup("4s 3h", "4d 2h"))
    assert not (banker_total(6) & BANKER_WINS).on(coup("4s 3h", "4d 2h"))
    assert (banker_total(6) | BANKER_WINS).on(coup("4s 3h", "4d 2h"))
    assert not (TIE | BANKER_WINS).on(coup("4s 3h", "4d 2h"))
    assert (~TIE).on(coup("4s 3h", "4d 2h"))


@given(CONDITIONS, CONDITIONS, coups())
def test_and_or_and_not_mean_what_they_say(left: Condition, right: Condition, dealt: Coup) -> None:
    assert (left & right).on(dealt) is (left.on(dealt) and right.on(dealt))
    assert (left | right).on(dealt) is (left.on(dealt) or right.on(dealt))
    assert (~left).on(dealt) is (not left.on(dealt))


@given(CONDITIONS)
def test_a_condition_is_read_back_as_it_is_written(condition: Condition) -> None:
    assert parse_condition(str(condition)) == condition


@given(CONDITIONS)
def test_a_condition_survives_pickling(condition: Condition) -> None:
    assert pickle.loads(pickle.dumps(condition)) == condition  # noqa: S301


@given(CONDITIONS)
def test_a_condition_is_worded_in_both_languages(condition: Condition) -> None:
    for language in Language:
        for so in (True, False):
            words = condition.words(language, so=so)
            assert words
            assert "{" not in words
    assert not any(
        "\u4e00" <= letter <= "\u9fff" for letter in condition.words(Language.ENGLISH) if letter not in "寿禄福"
    )


def test_conditions_are_written_with_as_few_brackets_as_they_need() -> None:
    assert str((TIE | natural()) & banker_pair()) == "(winner tie or natural) and banker pair"
    assert str(TIE | natural() & banker_pair()) == "winner tie or (natural and banker pair)"
    assert str(~(TIE & natural())) == "not (winner tie and natural)"
    assert str(~~natural()) == "not not natural"
    assert str(~TIE & ~natural()) == "not winner tie and not natural"


def test_joined_conditions_lie_flat() -> None:
    assert TIE & (natural() & margin(0)) == (TIE & natural()) & margin(0) == And((TIE, natural(), margin(0)))
    assert TIE | (natural() | margin(0)) == Or((TIE, natural(), margin(0)))
    assert TIE & (natural() | margin(0)) == And((TIE, Or((natural(), margin(0)))))


def test_a_condition_knows_what_it_reads() -> None:
    condition = ~(BANKER_WINS & banker_total(6)) | player_natural()
    assert {fact.name for fact in condition.facts} == {"winner", "banker total", "player natural"}
    assert {(reading.side.value, reading.trait.name) for reading in condition.reads} == {
        ("player", "total"),
        ("banker", "total"),
        ("player", "natural"),
    }
    assert [str(comparison) for comparison in condition.comparisons] == [
        "winner banker",
        "banker total 6",
        "player natural",
    ]


def test_conditions_are_worded() -> None:
    six = BANKER_WINS & banker_total(6)
    assert six.words(Language.ENGLISH) == "Banker wins and Banker's total is 6"
    assert six.words(Language.CHINESE) == "庄家赢且庄家 6 点"
    # To deny a conjunction is to deny one of its parts.
    assert (~six).words(Language.ENGLISH) == "Banker does not win or Banker's total is not 6"
    assert (~~six).words(Language.ENGLISH) == six.words(Language.ENGLISH)
    assert six.words(Language.CHINESE, so=False) == "庄家不赢或庄家不是 6 点"
    assert (~(TIE | natural())).words(Language.ENGLISH) == "it is no tie and there is no natural"
    mixed = (TIE | natural()) & player_cards(2)
    assert mixed.words(Language.ENGLISH) == "(it is a tie or there is a natural) and Player has two cards"
    assert mixed.words(Language.CHINESE) == "（和局或有例牌）且闲家两张牌"
    inverted = ~(TIE & natural()) & player_cards(3)
    assert inverted.words(Language.ENGLISH) == ("(it is no tie or there is no natural) and Player has three cards")
    assert player_pair_rank("T").words(Language.ENGLISH) == "Player's first two cards are a pair of 10s"


def test_a_comparison_must_be_one_that_can_be() -> None:
    for bad in (lambda: banker_total(10), lambda: natural(1), margin, lambda: margin(True), lambda: And((TIE,))):
        with pytest.raises(AssertionError):
            bad()
    with pytest.raises(AssertionError, match=r"^say ~fact"):
        natural(False)
    with pytest.raises(AssertionError, match=r"^one part needs no joining$"):
        Or((TIE,))


def test_a_condition_begins_a_sentence() -> None:
    assert TIE.sentence(Language.ENGLISH) == "It is a tie"
    assert TIE.sentence(Language.CHINESE) == "和局"


def test_plain_facts_need_no_value() -> None:
    assert natural.plain
    assert not banker_total.plain
    assert natural() == Is(natural, True)
