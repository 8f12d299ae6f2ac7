import pytest
from tests.marks import clause

from punto.cards import STANDARD, parse_cards
from punto.rules import CLASSIC, FACTS, Deal, Fact, Language, Side
from punto.rules.conditions import YES_OR_NO
from punto.rules.facts import _both, _of_banker, _player
from punto.rules.traits import TOTAL, Reading, Value

# The cards as dealt, and the facts of that coup.
COUPS = [
    (
        "4s 2h 3d 4c",
        {
            "winner": "player",
            "margin": 1,
            "natural": False,
            "player natural": False,
            "banker natural": False,
            "player total": 7,
            "banker total": 6,
            "player cards": 2,
            "banker cards": 2,
            "cards": 4,
            "player pair": False,
            "banker pair": False,
            "player pair rank": "",
            "banker pair rank": "",
            "player pair suit": "",
            "banker pair suit": "",
            "twin pairs": False,
            "sevens": 0,
        },
    ),
    (
        "4d Kh 4d 9c",
        {
            "winner": "banker",
            "margin": 1,
            "natural": True,
            "player natural": True,
            "banker natural": True,
            "player total": 8,
            "banker total": 9,
            "player pair": True,
            "player pair rank": "4",
            "player pair suit": "d",
            "banker pair": False,
            "cards": 4,
        },
    ),
    (
        "7s 7h 7d 7c 7h 7s",
        {
            "winner": "tie",
            "margin": 0,
            "natural": False,
            "player total": 1,
            "banker total": 1,
            "player cards": 3,
            "banker cards": 3,
            "cards": 6,
            "player pair": True,
            "banker pair": True,
            "player pair rank": "7",
            "banker pair rank": "7",
            "player pair suit": "",
            "twin pairs": True,
            "sevens": 6,
        },
    ),
    (
        "Ks 9c Qd 9c",
        {
            "winner": "banker",
            "margin": 8,
            "natural": True,
            "player natural": False,
            "banker natural": True,
            "banker pair": True,
            "banker pair rank": "9",
            "banker pair suit": "c",
            "twin pairs": False,
            "sevens": 0,
        },
    ),
    (
        "2s Ah 2h Ac Ks 6s",
        {
            "winner": "banker",
            "margin": 4,
            "player total": 4,
            "banker total": 8,
            "player cards": 3,
            "banker cards": 3,
            "player pair": True,
            "banker pair": True,
            "twin pairs": False,
        },
    ),
    (
        "6s 2h As 3d 9c",
        {"winner": "player", "player total": 7, "banker total": 4, "cards": 5, "banker cards": 3, "margin": 3},
    ),
    (
        "9s 2h Kd 2d",
        {"winner": "player", "natural": True, "player natural": True, "banker natural": False, "margin": 5},
    ),
]


@clause("EB4 1.1.9", "E7U 1.1.7", "EB4 1.1.13", "EB4 3.7")
@pytest.mark.parametrize(("cards", "facts"), COUPS)
def test_facts_are_read_off_a_coup(cards: str, facts: dict[str, Value]) -> None:
    coup = Deal.of(CLASSIC, parse_cards(cards, STANDARD)).coup
    assert coup
    for name, value in facts.items():
        assert FACTS[name].on(coup) == value, name
        read = {reading: reading.trait.of(coup.hand(reading.side)) for reading in FACTS[name].reads}
        assert FACTS[name].read(read) == value, name


def test_facts_read_one_hand_or_both() -> None:
    assert _player(TOTAL) == (Reading(Side.PLAYER, TOTAL),)
    assert _both(TOTAL) == (Reading(Side.PLAYER, TOTAL), Reading(Side.BANKER, TOTAL))


def test_every_fact_is_tried() -> None:
    assert set(COUPS[0][1]) == set(FACTS)


def test_facts_have_the_values_that_they_can_have() -> None:
    totals = tuple(range(10))
    assert {name: fact.values for name, fact in FACTS.items() if fact.values != YES_OR_NO} == {
        "winner": ("player", "banker", "tie"),
        "margin": totals,
        "player total": totals,
        "banker total": totals,
        "player cards": (2, 3),
        "banker cards": (2, 3),
        "cards": (4, 5, 6),
        "player pair rank": tuple("A23456789TJQKSLF"),
        "banker pair rank": tuple("A23456789TJQKSLF"),
        "player pair suit": tuple("shdcfgeow"),
        "banker pair suit": tuple("shdcfgeow"),
        "sevens": (0, 1, 2, 3, 4, 5, 6),
    }


@pytest.mark.parametrize("name", [name for name in FACTS if name.startswith("banker")])
def test_bankers_facts_are_players_told_of_the_other_hand(name: str) -> None:
    banker, player = FACTS[name], FACTS[name.replace("banker", "player")]
    assert _of_banker(player) == banker
    assert _of_banker(player).spoken == player.spoken
    assert [(reading.side.value, reading.trait) for reading in banker.reads] == [
        ("banker", reading.trait) for reading in player.reads
    ]
    for value in banker.values:
        for so in (True, False):
            english, chinese = (banker.words(value, language, so=so) for language in Language)
            assert english == player.words(value, Language.ENGLISH, so=so).replace("Player", "Banker")
            assert chinese == player.words(value, Language.CHINESE, so=so).replace("闲家", "庄家")
            assert "Banker" in english
            assert "庄家" in chinese


@pytest.mark.parametrize("fact", FACTS.values(), ids=lambda fact: fact.name)
def test_saying_and_denying_a_fact_are_told_apart(fact: Fact) -> None:
    for language in Language:
        said = {fact.words(value, language, so=so) for value in fact.values for so in (True, False)}
        assert len(said) == (2 if fact.plain else 2 * len(fact.values))
