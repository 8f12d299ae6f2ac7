"""The vocabulary of facts: every question that a wager can ask about a coup.

>>> str(banker_total(6) & ~player_natural())
'banker total 6 and not player natural'
>>> from punto.rules import Language
>>> BANKER_WINS.words(Language.ENGLISH), BANKER_WINS.words(Language.CHINESE)
('Banker wins', '庄家赢')
"""

from dataclasses import replace
from types import MappingProxyType
from typing import Final

from punto.cards import Rank, Suit
from punto.rules.conditions import YES_OR_NO, Fact
from punto.rules.coup import Side, Winner
from punto.rules.traits import NATURAL, NONE, PAIR_RANK, PAIR_SUIT, SEVENS, SIZE, TOTAL, Reading, Trait, Value
from punto.rules.words import Label

_TOTALS: Final = tuple(range(10))
_SIZES: Final = (2, 3)
_RANKS: Final = tuple(rank.letter for rank in Rank)
_SUITS: Final = tuple(suit.letter for suit in Suit)
_RANK_WORDS: Final[dict[Value, Label]] = {rank.letter: Label(rank.sign, rank.sign) for rank in Rank}
_SUIT_WORDS: Final[dict[Value, Label]] = {
    "s": Label("spades", "黑桃"),
    "h": Label("hearts", "红心"),
    "d": Label("diamonds", "方块"),
    "c": Label("clubs", "梅花"),
    "f": Label("Fire", "火"),
    "g": Label("Gold", "金"),
    "e": Label("Earth", "土"),
    "o": Label("Wood", "木"),
    "w": Label("Water", "水"),
}
_NUMBER_WORDS: Final[dict[Value, Label]] = {2: Label("two", "两"), 3: Label("three", "三")}
_WINNER_WORDS: Final[dict[Value, Label]] = {
    "player": Label("Player wins", "闲家赢"),
    "banker": Label("Banker wins", "庄家赢"),
    "tie": Label("it is a tie", "和局"),
}
_NO_WINNER_WORDS: Final[dict[Value, Label]] = {
    "player": Label("Player does not win", "闲家不赢"),
    "banker": Label("Banker does not win", "庄家不赢"),
    "tie": Label("it is no tie", "并非和局"),
}


def _player(trait: Trait) -> tuple[Reading, ...]:
    return (Reading(Side.PLAYER, trait),)


def _both(trait: Trait) -> tuple[Reading, ...]:
    return tuple(Reading(side, trait) for side in Side)


def _of_banker(fact: Fact) -> Fact:
    """The same fact of Banker's hand as of Player's."""
    return replace(
        fact,
        name=fact.name.replace("player", "banker"),
        reads=tuple(Reading(Side.BANKER, trait) for _, trait in fact.reads),
        says=_about_banker(fact.says),
        denies=_about_banker(fact.denies),
    )


def _about_banker(label: Label) -> Label:
    return Label(label.en.replace("Player", "Banker"), label.zh.replace("闲家", "庄家"))


def _itself(value: Value) -> Value:
    return value


def _is_pair(rank: str) -> bool:
    return rank != NONE


def _winner(player: int, banker: int) -> str:
    return Winner.of(player, banker).value


def _margin(player: int, banker: int) -> int:
    return abs(player - banker)


def _either(player: bool, banker: bool) -> bool:  # noqa: FBT001
    return player or banker


def _twins(player: str, banker: str) -> bool:
    return player != NONE and player == banker


def _together(player: int, banker: int) -> int:
    return player + banker


# The outcome

winner: Final = Fact(
    "winner",
    _both(TOTAL),
    _winner,
    tuple(winner.value for winner in Winner),
    Label("{}", "{}"),
    Label("{}", "{}"),
    _WINNER_WORDS,
    _NO_WINNER_WORDS,
)
margin: Final = Fact(
    "margin",
    _both(TOTAL),
    _margin,
    _TOTALS,
    Label("the margin is {}", "相差 {} 点"),
    Label("the margin is not {}", "并非相差 {} 点"),
)
natural: Final = Fact(
    "natural",
    _both(NATURAL),
    _either,
    YES_OR_NO,
    Label("there is a natural", "有例牌"),
    Label("there is no natural", "无例牌"),
)
player_natural: Final = Fact(
    "player natural",
    _player(NATURAL),
    _itself,
    YES_OR_NO,
    Label("Player has a natural", "闲家例牌"),
    Label("Player has no natural", "闲家非例牌"),
)
banker_natural: Final = _of_banker(player_natural)

# Totals and numbers of cards

player_total: Final = Fact(
    "player total",
    _player(TOTAL),
    _itself,
    _TOTALS,
    Label("Player's total is {}", "闲家 {} 点"),
    Label("Player's total is not {}", "闲家不是 {} 点"),
)
banker_total: Final = _of_banker(player_total)
player_cards: Final = Fact(
    "player cards",
    _player(SIZE),
    _itself,
    _SIZES,
    Label("Player has {} cards", "闲家{}张牌"),
    Label("Player has not {} cards", "闲家不是{}张牌"),
    _NUMBER_WORDS,
)
banker_cards: Final = _of_banker(player_cards)
cards: Final = Fact(
    "cards",
    _both(SIZE),
    _together,
    (4, 5, 6),
    Label("{} cards are dealt", "共发 {} 张牌"),
    Label("other than {} cards are dealt", "所发并非 {} 张牌"),
)

# The first two cards of a hand

player_pair: Final = Fact(
    "player pair",
    _player(PAIR_RANK),
    _is_pair,
    YES_OR_NO,
    Label("Player's first two cards are a pair", "闲家前两张成对"),
    Label("Player's first two cards are no pair", "闲家前两张不成对"),
)
banker_pair: Final = _of_banker(player_pair)
player_pair_rank: Final = Fact(
    "player pair rank",
    _player(PAIR_RANK),
    _itself,
    _RANKS,
    Label("Player's first two cards are a pair of {}s", "闲家前两张为一对{}"),
    Label("Player's first two cards are no pair of {}s", "闲家前两张不是一对{}"),
    _RANK_WORDS,
)
banker_pair_rank: Final = _of_banker(player_pair_rank)
player_pair_suit: Final = Fact(
    "player pair suit",
    _player(PAIR_SUIT),
    _itself,
    _SUITS,
    Label("Player's first two cards are a pair, both of {}", "闲家前两张成对且同为{}"),
    Label("Player's first two cards are no pair of which both are of {}", "闲家前两张并非同为{}的对子"),
    _SUIT_WORDS,
)
banker_pair_suit: Final = _of_banker(player_pair_suit)
twin_pairs: Final = Fact(
    "twin pairs",
    _both(PAIR_RANK),
    _twins,
    YES_OR_NO,
    Label("both hands begin with a pair of the same rank", "庄闲前两张为相同牌面的对子"),
    Label("the hands do not begin with pairs of the same rank", "庄闲前两张并非相同牌面的对子"),
)

# Cards of a rank, wherever they lie

sevens: Final = Fact(
    "sevens",
    _both(SEVENS),
    _together,
    tuple(range(7)),
    Label("the hands hold {} sevens", "两手牌共有 {} 张 7"),
    Label("the hands do not hold {} sevens", "两手牌并非 {} 张 7"),
)

FACTS: Final = MappingProxyType(
    {
        fact.name: fact
        for fact in (
            winner,
            margin,
            natural,
            player_natural,
            banker_natural,
            player_total,
            banker_total,
            player_cards,
            banker_cards,
            cards,
            player_pair,
            banker_pair,
            player_pair_rank,
            banker_pair_rank,
            player_pair_suit,
            banker_pair_suit,
            twin_pairs,
            sevens,
        )
    }
)

PLAYER_WINS: Final = winner("player")
BANKER_WINS: Final = winner("banker")
TIE: Final = winner("tie")
