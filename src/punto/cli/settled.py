"""A deal and its settlement as they are drawn in the terminal."""

from typing import Final

from rich.table import Table
from rich.text import Text

from punto.cards import Card
from punto.cli.ink import MONEY, QUIET, SIDE_STYLE, STYLE_OF, card_text, console
from punto.rules import Coup, Deal, Game, Label, Language, Result, Side, Standing, total
from punto.rules.wording import RESULTS, SIDES, STANDINGS, WINNERS

_RESULT_STYLE: Final = {Result.WIN: MONEY, Result.LOSE: QUIET, Result.PUSH: ""}
_STANDING_STYLE: Final = {Standing.WON: MONEY, Standing.LOST: QUIET, Standing.UNDECIDED: ""}
_AND: Final = Label("; ", "；")
_NEXT: Final = Label("next card: {}", "下一张：{}")
_ESTABLISHED: Final = Label("an outcome is established", "已有结果")
_NOT_ESTABLISHED: Final = Label("no outcome is established yet", "尚无结果")


def drawing(game: Game, deal: Deal, language: Language) -> None:
    """Print the hands, and what became of each wager."""
    out = console()
    out.print(hand_line(Side.PLAYER, deal.player, language))
    out.print(hand_line(Side.BANKER, deal.banker, language))
    coup = deal.coup
    out.print(outcome_line(coup, language) if coup else _waiting_line(game, deal, language))
    out.print()
    out.print(_settled(game, coup, language) if coup else _standing(game, deal, language))


def hand_line(side: Side, cards: tuple[Card, ...], language: Language) -> Text:
    """A hand on one line: whose, its cards, its total."""
    line = Text().append(f"{SIDES[side].text(language):<7}", style=SIDE_STYLE[side])
    for card in cards:
        line.append_text(card_text(card))
        line.append(" ")
    if cards:
        line.append(f"= {total(cards)}", style="bold")
    return line


def outcome_line(coup: Coup, language: Language) -> Text:
    """Who won, and with what."""
    line = Text().append(WINNERS[coup.winner].text(language), style=STYLE_OF[coup.winner])
    line.append(f"  {coup.player.total} : {coup.banker.total}", style="bold")
    return line


def _waiting_line(game: Game, deal: Deal, language: Language) -> Text:
    assert deal.next, "a partial deal waits for a card"
    line = Text().append(_NEXT.text(language).format(SIDES[deal.next].text(language)), style=SIDE_STYLE[deal.next])
    established = _ESTABLISHED if game.outcome_established(deal) else _NOT_ESTABLISHED
    return line.append(_AND.text(language) + established.text(language))


def _settled(game: Game, coup: Coup, language: Language) -> Table:
    table = _table()
    for settlement in game.settle(coup).values():
        style = _RESULT_STYLE[settlement.result]
        result = RESULTS[settlement.result].text(language)
        net = f"+{settlement.net}" if settlement.net > 0 else str(settlement.net)
        clause = Text(settlement.clause, style=QUIET)
        why = Text(settlement.why(language), style=QUIET)
        name = settlement.wager.label.text(language)
        table.add_row(name, Text(result, style=style), Text(net, style=style), clause, why)
    return table


def _standing(game: Game, deal: Deal, language: Language) -> Table:
    table = _table()
    standings = game.standings(deal)
    for wager in game.wagers:
        standing = standings[wager.name]
        said = Text(STANDINGS[standing].text(language), style=_STANDING_STYLE[standing])
        table.add_row(wager.label.text(language), said)
    return table


def _table() -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(no_wrap=True)
    return table
