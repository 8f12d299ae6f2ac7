import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.cards import (
    DECKS,
    ELEMENTS,
    PERMANENT_SEVEN,
    STANDARD,
    UNNAMED,
    Card,
    Deck,
    Rank,
    Suit,
    parse_card,
    parse_cards,
    pretty,
    spell_cards,
)
from punto.cards.notation import _spellings, _tokens
from punto.errors import ForeignCard, Malformed, UnknownCard

decks = st.sampled_from(sorted(DECKS.values(), key=lambda deck: deck.key))


@pytest.mark.parametrize("deck", DECKS.values())
def test_every_card_is_read_back_as_it_is_written(deck: Deck) -> None:
    assert parse_cards(" ".join(map(str, deck.cards)), deck) == deck.cards
    assert tuple(parse_card(str(card), deck) for card in deck.cards) == deck.cards


@pytest.mark.parametrize(
    ("deck", "token", "card"),
    [
        (STANDARD, "as", "As"),
        (STANDARD, "10d", "Td"),
        (STANDARD, "td", "Td"),
        (STANDARD, "kh", "Kh"),
        (ELEMENTS, "sf", "Sf"),
        (ELEMENTS, "ff", "Ff"),
        (ELEMENTS, "10w", "Tw"),
        (ELEMENTS, "lo", "Lo"),
    ],
)
def test_ten_and_lower_case_ranks_are_read(deck: Deck, token: str, card: str) -> None:
    assert str(parse_card(token, deck)) == card


def test_every_spelling_of_a_card_is_known() -> None:
    assert _spellings(Rank.TEN) == {"T", "t", "10"}
    assert _spellings(Rank.KING) == {"K", "k"}
    assert _spellings(Rank.NINE) == {"9"}
    tokens = _tokens(STANDARD)
    assert {tokens[token] for token in ("Td", "td", "10d")} == {Card(Rank.TEN, Suit.DIAMONDS)}
    assert set(_tokens(ELEMENTS).values()) == set(ELEMENTS.cards)
    assert len(tokens) == 4 * (8 + 2 * 5 + 1)  # eight figures; A T J Q K in either case; 10


@pytest.mark.parametrize("token", ["AS", "A", "s", "1s", "11s", "0s", "sA", "Asx", "A s", "", "♠A", "10", "Xs", "٣s"])
def test_what_is_no_card_is_refused(token: str) -> None:
    with pytest.raises(UnknownCard) as refused:
        parse_card(token, STANDARD, place=4)
    assert refused.value.at == 4
    assert refused.value.message == (
        f"card 4: {token!r} is not a card: expected a rank A 2-9 T J Q K followed by a suit s h d c"
    )


def test_a_long_token_is_cut_and_escaped_in_the_message() -> None:
    with pytest.raises(UnknownCard, match=r"^card 1: 'aaaaaaaaaaaaaaaaaaa…' is not a card: "):
        parse_card("a" * 21, STANDARD)
    with pytest.raises(UnknownCard, match=r"^card 1: 'aaaaaaaaaaaaaaaaaaaa' is not a card: "):
        parse_card("a" * 20, STANDARD)
    with pytest.raises(UnknownCard, match=r"^card 1: '\\x1b\[31m' is not a card: "):
        parse_card("\x1b[31m", STANDARD)


def test_a_card_of_the_other_deck_is_foreign() -> None:
    with pytest.raises(ForeignCard) as refused:
        parse_cards("As 4g", STANDARD)
    assert refused.value.at == 2
    assert refused.value.message == (
        "card 2: '4g' is not in the standard deck: expected a rank A 2-9 T J Q K followed by a suit s h d c"
    )
    with pytest.raises(ForeignCard) as refused:
        parse_cards("10s", ELEMENTS)
    assert refused.value.message == (
        "card 1: '10s' is not in the elements deck: expected a rank A 2-9 T S L F followed by a suit f g e o w"
    )


def test_the_permanent_seven_is_never_dealt() -> None:
    with pytest.raises(ForeignCard) as refused:
        parse_card("7*", STANDARD, 3)
    assert refused.value.at == 3
    assert refused.value.message == (
        "card 3: '7*' is the permanent 7, which is never dealt: "
        "expected a rank A 2-9 T J Q K followed by a suit s h d c"
    )


def test_without_a_deck_any_card_is_read_back() -> None:
    every = (*STANDARD.cards, *ELEMENTS.cards, PERMANENT_SEVEN)
    assert parse_cards(" ".join(map(str, every))) == every
    with pytest.raises(UnknownCard) as refused:
        parse_cards("7* 7x")
    assert refused.value.message == "card 2: '7x' is not a card: expected a rank followed by a suit, as in Td or 4g"


def test_a_deck_of_ones_own_is_read_too() -> None:
    tiny = Deck("tiny", (Rank.ACE, Rank.KING), (Suit.SPADES,))
    assert parse_cards("As ks", tiny) == tiny.cards
    with pytest.raises(ForeignCard, match=r"^card 1: '2s' is not in the tiny deck: "):
        parse_cards("2s", tiny)


def test_no_text_is_no_cards() -> None:
    assert parse_cards(" \t\n ", STANDARD) == ()


@given(decks, st.text(max_size=30))
def test_any_text_is_read_or_refused_with_its_place(deck: Deck, text: str) -> None:
    try:
        cards = parse_cards(text, deck)
    except Malformed as refused:
        assert 1 <= refused.at <= len(text.split())
        assert f"card {refused.at}: " in refused.message
    else:
        assert len(cards) == len(text.split())


def test_cards_are_printed_with_signs_and_colours() -> None:
    assert " ".join(map(pretty, parse_cards("As Th 9d Kc", STANDARD))) == "A♠ 10♥ 9♦ K♣"
    assert " ".join(map(pretty, parse_cards("Sf Lg Fe 4o Aw", ELEMENTS))) == "寿火 禄金 福土 4木 A水"
    assert [pretty(card, colour=True) for card in parse_cards("As Ah", STANDARD)] == [
        "\x1b[1mA♠\x1b[0m",
        "\x1b[1;31mA♥\x1b[0m",
    ]
    codes = [pretty(card, colour=True).split("m")[0] for card in parse_cards("Ag Ae Ao Aw", ELEMENTS)]
    assert codes == ["\x1b[1;33", "\x1b[1;35", "\x1b[1;32", "\x1b[1;34"]
    assert pretty(PERMANENT_SEVEN) == "7★"
    assert pretty(PERMANENT_SEVEN, colour=True) == "\x1b[1;33m7★\x1b[0m"


@pytest.mark.parametrize(
    ("written", "spelt"),
    [
        ("4♦ 10h AS 7♥", "4d Th As 7h"),
        ("4♦10hAS7♥", "4d Th As 7h"),
        ("A♤ 2♡ 3♢ 4♧", "As 2h 3d 4c"),
        ("A♠\ufe0e2♥\ufe0f", "As 2h"),
        ("寿火禄金福土 4木A水 10水", "Sf Lg Fe 4o Aw Tw"),
        ("壽火 祿金", "Sf Lg"),
        ("SF lG fe 10O tW", "Sf Lg Fe To Tw"),
        ("tD TD td 10D", "Td Td Td Td"),
        ("7* 7★", "7* 7*"),
        ("Ks ? 5d", "Ks ? 5d"),
        ("???", "? ? ?"),
        ("  Ks\t2h\n", "Ks 2h"),
        ("4d,10h,AS,7h", "4d Th As 7h"),
        ("4d, 10h，AS、?", "4d Th As ?"),
        ("AS,", "As"),
        ("", ""),
    ],
)
def test_cards_are_understood_as_people_and_pages_write_them(written: str, spelt: str) -> None:
    assert spell_cards(written) == spelt


@pytest.mark.parametrize("card", [*STANDARD.cards, *ELEMENTS.cards, PERMANENT_SEVEN], ids=str)
def test_what_is_printed_or_written_is_spelt_as_it_is_written(card: Card) -> None:
    for written in (str(card), pretty(card), str(card).upper(), str(card).lower()):
        assert spell_cards(f"{written} {written}{written}") == f"{card} {card} {card}"


@pytest.mark.parametrize(
    ("written", "place", "shown"),
    [
        ("10", 1, "10"),
        ("Ks2", 2, "2"),
        ("Ks A s", 2, "A"),
        ("1010h", 1, "1010h"),
        ("4d 10h 11S 7h", 3, "11S"),
        ("4d,10h,11♠,7h", 3, "11♠"),
        ("4d10h11♠\ufe0f", 3, "11♠"),
        ("Ks ? Xs", 3, "Xs"),
        ("♥A", 1, "♥A"),
        ("AS;", 2, ";"),
        ("٣s", 1, "٣s"),
        ("Ss", 1, "Ss"),
    ],
)
def test_what_cannot_be_spelt_is_refused_with_its_place(written: str, place: int, shown: str) -> None:
    with pytest.raises(UnknownCard) as refused:
        spell_cards(written)
    assert refused.value.at == place
    assert refused.value.message.startswith(
        f"card {place}: {shown!r} is not a card: expected a rank followed by a suit"
    )


@given(st.text(max_size=30) | st.text("AaKsSfFlL10♥水*? ", max_size=30))
def test_any_text_is_spelt_in_the_strict_notation_or_refused(text: str) -> None:
    try:
        spelt = spell_cards(text)
    except UnknownCard as refused:
        assert f"card {refused.at}: " in refused.message
    else:
        assert spell_cards(spelt) == spelt
        named = [token for token in spelt.split() if token != UNNAMED]
        assert " ".join(map(str, parse_cards(" ".join(named)))) == " ".join(named)
