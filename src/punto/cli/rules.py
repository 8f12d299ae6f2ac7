"""`punto rules`: how a game is played and what it pays, with the clause behind each line."""

import sys
from typing import Final

from rich.console import Group
from rich.table import Table
from rich.text import Text

from punto.cards import ELEMENTS
from punto.cli.ink import QUIET, console
from punto.games import RULEBOOKS, digest, dumps
from punto.rules import PERMANENT, Game, Label, Language, odds_in_words
from punto.rules.tableau import BANKER_DRAWS, PLAYER_DRAWS, STOOD

_DECKS: Final = Label("Four to ten decks of {size} cards.", "四至十副牌，每副 {size} 张。")
_VALUES: Final = Label(
    "An Ace counts one, Two to Nine their number, {zero} nothing.", "A 为 1 点，2 至 9 按牌面，{zero} 为 0 点。"
)
_ZERO: Final = Label("Ten, Jack, Queen and King", "10、J、Q、K")
_ELEMENT_ZERO: Final = Label("Ten, Sau, Luk and Fuk", "10、寿、禄、福")
_TOTALS: Final = Label("Of a hand's sum only the right digit counts.", "一手牌的点数只取总和的个位。")
_CLASSIC: Final = Label("Four cards: Player, Banker, Player, Banker.", "先发四张：闲、庄、闲、庄。")
_PERMANENT: Final = Label(
    "Player's first card is always the permanent 7; three cards are dealt: Banker, Player, Banker.",
    "闲家首张恒为 7；发三张：庄、闲、庄。",
)
_DRAW: Final = Label(
    "Eight or nine on two cards is a natural and ends the deal. If there is none, third cards go by the table below.",
    "前两张得 8 或 9 点为例牌，不再补牌。否则按下表补牌。",
)
_OUTCOME: Final = Label("The higher total wins.", "点数高者胜。")
_TIE: Final = Label("On equal totals Player and Banker get their stakes back.", "点数相同为和局，闲、庄注退还。")
_CUTTING: Final = Label(
    "The round in which the cutting card comes is finished, and is the shoe's last.",
    "切牌卡出现的一局照常完成，为该靴最后一局。",
)
_PLAYER_RULE: Final = Label("Player draws on {draws}, stands on 6 and 7.", "闲家 {draws} 点补牌，6、7 点停牌。")
_BANKER_RULE: Final = Label("Banker, on the points of Player's third card:", "庄家按闲家第三张的点数：")
_STOOD: Final = Label("stood", "停牌")
_DRAWS: Final = Label("draw", "补")
_PAYS: Final = Label("What it pays", "赔付")
_PLAY: Final = Label("How it is played", "玩法")
_FIRST: Final = Label(
    "The first line that fits is paid; a wager that none fits is lost.", "按首个符合的一行赔付；无一符合则输。"
)
_VERSION: Final = Label("version {}", "第 {} 版")
_IN_FORCE: Final = Label("in force from {}", "自 {} 起生效")


def show(game: Game, language: Language, *, as_toml: bool) -> None:
    """Print the rules, or the declaration that they are made from."""
    if as_toml:
        sys.stdout.write(dumps(game))
        return
    console().print(
        Group(
            _heading(game, language),
            Text(),
            Text(_PLAY.text(language), style="bold"),
            _play(game, language),
            Text(),
            _tableau(language),
            Text(),
            Text(_PAYS.text(language), style="bold"),
            Text(_FIRST.text(language), style=QUIET),
            Text(),
            _pay_table(game, language),
        )
    )


def _heading(game: Game, language: Language) -> Text:
    text = Text().append(game.title.text(language), style="bold")
    rulebook = RULEBOOKS.get(game.rulebook)
    said = [game.key]
    if rulebook:
        said += [f"{rulebook.code} {rulebook.title.text(language)}"]
        said += [_VERSION.text(language).format(rulebook.version)] if rulebook.version else []
        said += [_IN_FORCE.text(language).format(rulebook.in_force.strftime("%Y-%m-%d %H:%M %Z"))]
    said += [digest(game)[:12]]
    return text.append("\n" + " · ".join(said), style=QUIET)


def _play(game: Game, language: Language) -> Table:
    zero = (_ELEMENT_ZERO if game.deck is ELEMENTS else _ZERO).text(language)
    table = _table()
    for step, label in _steps(game).items():
        words = label.text(language).format(size=game.deck.size, zero=zero)
        rulebook = RULEBOOKS.get(game.rulebook)
        clause = getattr(rulebook.play, step) if rulebook else None
        table.add_row(words, Text(clause or "", style=QUIET))
    return table


def _steps(game: Game) -> dict[str, Label]:
    """Each step of a round, by the name under which a rulebook's `Play` has its clause."""
    return {
        "decks": _DECKS,
        "values": _VALUES,
        "totals": _TOTALS,
        "deal": _PERMANENT if game.opening is PERMANENT else _CLASSIC,
        "draw": _DRAW,
        "outcome": _OUTCOME,
        "tie": _TIE,
        "cutting_card": _CUTTING,
    }


def _tableau(language: Language) -> Group:
    """The Table of Play, drawn from the data that deals by it."""
    table = Table(box=None, pad_edge=False, header_style=QUIET)
    table.add_column("", justify="right", style=QUIET)
    thirds = (*range(10), STOOD)
    for third in thirds:
        table.add_column(_STOOD.text(language) if third is STOOD else str(third), justify="center")
    for banker, draws in BANKER_DRAWS.items():
        table.add_row(str(banker), *["●" if third in draws else "·" for third in thirds])
    draws_on = f"{min(PLAYER_DRAWS)}–{max(PLAYER_DRAWS)}"
    return Group(
        Text(_PLAYER_RULE.text(language).format(draws=draws_on)),
        Text(f"{_BANKER_RULE.text(language)} ● = {_DRAWS.text(language)}"),
        table,
    )


def _pay_table(game: Game, language: Language) -> Table:
    table = _table()
    table.add_column()
    for wager in game.wagers:
        name: Text = Text(wager.label.text(language), style="bold")
        for pay in wager.pays:
            words = pay.when.words(language)
            odds = odds_in_words(pay.odds, language)
            table.add_row(name, words[0].upper() + words[1:], odds, Text(pay.clause, style=QUIET))
            name = Text()
        table.add_row()
    return table


def _table() -> Table:
    return Table(box=None, show_header=False, pad_edge=False)
