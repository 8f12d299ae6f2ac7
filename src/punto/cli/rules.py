"""`punto rules`: how a game is played and what it pays, with the clause behind each line."""

import sys
from typing import Final

from rich.console import Group
from rich.table import Table
from rich.text import Text

from punto.cli.ink import QUIET, console
from punto.games import RULEBOOKS, digest, dumps
from punto.rules import Game, Label, Language, odds_in_words
from punto.rules.tableau import BANKER_DRAWS, STOOD
from punto.rules.wording import how_to_play

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
    console().print(drawing(game, language))


def drawing(game: Game, language: Language) -> Group:
    """How the game is played and what it pays."""
    return Group(
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
    table = _table()
    for step in how_to_play(game, RULEBOOKS.get(game.rulebook), language):
        table.add_row(step.text, Text(step.clause or "", style=QUIET))
    return table


def _tableau(language: Language) -> Group:
    """The Table of Play, drawn from the data that deals by it."""
    table = Table(box=None, pad_edge=False, header_style=QUIET)
    table.add_column("", justify="right", style=QUIET)
    thirds = (*range(10), STOOD)
    for third in thirds:
        table.add_column(_STOOD.text(language) if third is STOOD else str(third), justify="center")
    for banker, draws in BANKER_DRAWS.items():
        table.add_row(str(banker), *["●" if third in draws else "·" for third in thirds])
    return Group(
        Text(f"{_BANKER_RULE.text(language)} ● = {_DRAWS.text(language)}"),
        table,
    )


def _pay_table(game: Game, language: Language) -> Table:
    table = _table()
    table.add_column()
    for wager in game.wagers:
        name: Text = Text(wager.label.text(language), style="bold")
        for pay in wager.pays:
            odds = odds_in_words(pay.odds, language)
            table.add_row(name, pay.when.sentence(language), odds, Text(pay.clause, style=QUIET))
            name = Text()
        table.add_row()
    return table


def _table() -> Table:
    return Table(box=None, show_header=False, pad_edge=False)
