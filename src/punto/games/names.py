"""The names of wagers in both languages."""

from typing import Final

from punto.rules import Label

PLAYER: Final = Label("Player", "闲")
BANKER: Final = Label("Banker", "庄")
TIE: Final = Label("Tie", "和")
PLAYER_PAIR: Final = Label("Player Pair", "闲对")
BANKER_PAIR: Final = Label("Banker Pair", "庄对")
SUPER_SIX: Final = Label("Super Six", "超级六")
FORTUNE_SIX: Final = Label("Fortune Six", "幸运六")
SUPER_6: Final = Label("Super 6", "超级6")
PLAYER_DRAGON_BONUS: Final = Label("Player Dragon Bonus", "闲龙宝")
BANKER_DRAGON_BONUS: Final = Label("Banker Dragon Bonus", "庄龙宝")
TIGER: Final = Label("Tiger", "老虎")
SMALL_TIGER: Final = Label("Small Tiger", "小老虎")
BIG_TIGER: Final = Label("Big Tiger", "大老虎")
TIGER_TIE: Final = Label("Tiger Tie", "老虎和")
TIGER_PAIR: Final = Label("Tiger Pair", "老虎对")
PLAYER_FABULOUS_4: Final = Label("Player Fabulous 4", "闲神奇4点")
BANKER_FABULOUS_4: Final = Label("Banker Fabulous 4", "庄神奇4点")
PLAYER_PRECIOUS_PAIR: Final = Label("Player Precious Pair", "闲珍宝对")
BANKER_PRECIOUS_PAIR: Final = Label("Banker Precious Pair", "庄珍宝对")
SUPER_7S: Final = Label("Super 7's", "超级7")

ALL: Final = (
    PLAYER,
    BANKER,
    TIE,
    PLAYER_PAIR,
    BANKER_PAIR,
    SUPER_SIX,
    FORTUNE_SIX,
    SUPER_6,
    PLAYER_DRAGON_BONUS,
    BANKER_DRAGON_BONUS,
    TIGER,
    SMALL_TIGER,
    BIG_TIGER,
    TIGER_TIE,
    TIGER_PAIR,
    PLAYER_FABULOUS_4,
    BANKER_FABULOUS_4,
    PLAYER_PRECIOUS_PAIR,
    BANKER_PRECIOUS_PAIR,
    SUPER_7S,
)
