"""What is said of a round in words: whose hand, who won, what became of a wager, and how the game is played.

The figures in these sentences come from the data that deals by them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from punto.cards import FEWEST_DECKS, MOST_DECKS
from punto.rules.coup import NATURALS, Side, Winner
from punto.rules.game import Game
from punto.rules.outlook import Standing
from punto.rules.pay import Clause, Odds, Result, Wager
from punto.rules.rulebook import Rulebook
from punto.rules.tableau import BANKER_DRAWS, PLAYER_DRAWS
from punto.rules.words import Label, Language

SIDES: Final = {Side.PLAYER: Label("Player", "闲家"), Side.BANKER: Label("Banker", "庄家")}
WINNERS: Final = {
    Winner.PLAYER: Label("Player wins", "闲赢"),
    Winner.BANKER: Label("Banker wins", "庄赢"),
    Winner.TIE: Label("Tie", "和局"),
}
RESULTS: Final = {
    Result.WIN: Label("win", "赢"),
    Result.LOSE: Label("lose", "输"),
    Result.PUSH: Label("push", "退"),
}
STANDINGS: Final = {
    Standing.WON: Label("won already", "已赢"),
    Standing.LOST: Label("lost already", "已输"),
    Standing.UNDECIDED: Label("undecided", "未定"),
}

_LIST: Final = Label(", ", "、")
_DECKS: Final = Label("{fewest} to {most} decks of {size} cards.", "{fewest} 至 {most} 副牌，每副 {size} 张。")
_VALUES: Final = Label(
    "An Ace counts one, Two to Nine their number; {nothing} count nothing.",
    "A 为 1 点，2 至 9 按牌面，{nothing} 为 0 点。",
)
_TOTALS: Final = Label("Of a hand's sum only the right digit counts.", "一手牌的点数只取总和的个位。")
_HELD: Final = Label("Player's first card is always the permanent {card}.", "闲家首张恒为 {card}。")
_DEAL: Final = Label("The first cards go to {order}.", "先依次发给{order}。")
_DRAW: Final = Label(
    "{naturals} on two cards is a natural and ends the deal. "
    "Without one, Player draws on {draws} and stands on {stands}; Banker goes by the table.",
    "前两张得 {naturals} 点为例牌，不再补牌。否则闲家 {draws} 点补牌、{stands} 点停牌，庄家按表补牌。",
)
_OR: Final = Label(" or ", " 或 ")
_OUTCOME: Final = Label("The higher total wins.", "点数高者胜。")
_TIE: Final = Label("On equal totals Player and Banker get their stakes back.", "点数相同为和局，闲、庄注退还。")
_CUTTING: Final = Label(
    "The round in which the cutting card comes is finished, and is the shoe's last.",
    "切牌卡出现的一局照常完成，为该靴最后一局。",
)


# Each step of a round, and under which name a rulebook's `RoundClauses` has its clause.
_STEPS: Final = (
    (_DECKS, "decks"),
    (_VALUES, "values"),
    (_TOTALS, "totals"),
    (_HELD, "deal"),
    (_DEAL, "deal"),
    (_DRAW, "draw"),
    (_OUTCOME, "outcome"),
    (_TIE, "tie"),
    (_CUTTING, "cutting_card"),
)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a round in words, and the clause that says so, if the game's rulebook has one."""

    text: str
    clause: Clause | None


def how_to_play(game: Game, rulebook: Rulebook | None, language: Language) -> Iterator[Step]:
    """How a round goes, step by step."""
    nothing = _listed([rank.sign for rank in game.deck.ranks if not rank.points], language)
    order = _listed([SIDES[side].text(language) for side in game.opening.order], language)
    stands = sorted(set(BANKER_DRAWS) - PLAYER_DRAWS)
    figures = {
        "fewest": FEWEST_DECKS,
        "most": MOST_DECKS,
        "size": game.deck.size,
        "nothing": nothing,
        "naturals": _OR.text(language).join(map(str, sorted(NATURALS))),
        "draws": f"{min(PLAYER_DRAWS)}–{max(PLAYER_DRAWS)}",
        "stands": _OR.text(language).join(map(str, stands)),
        "order": order,
        "card": "".join(card.rank.sign for card in game.opening.player),
    }
    for label, step in _STEPS:
        if label is not _HELD or game.opening.player:
            yield Step(label.text(language).format(**figures), getattr(rulebook.play, step) if rulebook else None)


def _listed(words: list[str], language: Language) -> str:
    return _LIST.text(language).join(words)


def prices(wager: Wager) -> str:
    """What a wager pays, short: every price when they are few, else the range.

    >>> from punto.games import find
    >>> prices(find("fortune-six").wager("Banker")), prices(find("7-up").wager("Super 7's"))
    ('1:2, 1:1', '2:1 … 700:1')
    """
    odds: set[Odds] = {pay.odds for pay in wager.pays if pay.odds.won}
    said = [":".join(each.figures) for each in sorted(odds, key=lambda each: each.net)]
    return ", ".join(said) if len(said) <= _FEW else f"{said[0]} … {said[-1]}"


_FEW: Final = 3
