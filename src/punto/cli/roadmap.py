"""The roads as they are drawn in the terminal."""

from collections.abc import Iterable
from itertools import zip_longest
from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from punto.cli.ink import BANKER, PLAYER, QUIET, SIDE_STYLE, SIGN_OF, STYLE_OF, TIE
from punto.roads import BEAD_PLATE, BIG_ROAD, DERIVED, ROWS, Cell, Chart, Colour, Mark, Outcome, Road, derived_cells
from punto.rules import Label, Language, Side

_SUPERSCRIPTS: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_ASKED: Final = {
    Side.BANKER: Label("If Banker wins next", "若下局庄赢"),
    Side.PLAYER: Label("If Player wins next", "若下局闲赢"),
}
_GLYPHS: Final = {Road.BIG_EYE_BOY: "○", Road.SMALL_ROAD: "●", Road.COCKROACH_PIG: "╱"}
_FEWEST_COLUMNS: Final = 12
_WIDE: Final = 4
_NARROW: Final = 2
_GAP: Final = 2


def drawing(chart: Chart, width: int, *, coloured: bool, language: Language = Language.ENGLISH) -> RenderableType:
    """All roads, with as many of the latest columns as the width holds."""
    lines = [
        *bead_plate(chart, width, language),
        Text(),
        *big_road(chart, width, language),
        Text(),
        *derived_roads(chart, width, coloured=coloured, language=language),
        Text(),
        *asked(chart, coloured=coloured, language=language),
    ]
    return Group(*lines)


def bead_plate(chart: Chart, width: int, language: Language) -> list[Text]:
    """Every outcome in its order."""
    beads = {
        Cell(column, row): _bead(outcome, language)
        for column, outcomes in enumerate(chart.bead_plate, 1)
        for row, outcome in enumerate(outcomes, 1)
    }
    return [Text(BEAD_PLATE.text(language), style=QUIET), *_grid(beads, width, _WIDE)]


def big_road(chart: Chart, width: int, language: Language) -> list[Text]:
    """The streaks, with ties and pairs."""
    cells = {cell: _big(mark, language) for cell, mark in chart.big_road}
    return [Text(BIG_ROAD.text(language), style=QUIET), *_grid(cells, width, _WIDE)]


def derived_roads(chart: Chart, width: int, *, coloured: bool, language: Language) -> list[Text]:
    """The three derived roads, side by side."""
    share = (width - 2 * _GAP) // len(Road)
    blocks = []
    for road in Road:
        cells = {cell: _derived(colour, road, coloured=coloured) for cell, colour in derived_cells(chart.derived(road))}
        blocks.append([Text(DERIVED[road].text(language), style=QUIET), *_grid(cells, share, _NARROW)])
    return beside(blocks, share)


def beside(blocks: list[list[Text]], width: int) -> list[Text]:
    """Blocks of lines next to each other, each of the same width."""
    lines = []
    for parts in zip_longest(*blocks):
        line = Text()
        for place, part in enumerate(parts):
            line.append(" " * (place * (width + _GAP) - line.cell_len))
            line.append_text(part or Text())
        lines.append(line)
    return lines


def _grid(cells: dict[Cell, Text], width: int, cell_width: int) -> list[Text]:
    """Six rows of cells, an empty one as a dot; the oldest columns give way when the width does not hold them."""
    cell_width = max([cell_width, *[cell.cell_len + 1 for cell in cells.values()]])
    room = max(1, width // cell_width)
    last = max((cell.column for cell in cells), default=0)
    shown = range(max(1, last - room + 1), max(last, min(room, _FEWEST_COLUMNS)) + 1)
    empty = Text("·".center(cell_width - 1), style=QUIET)
    rows = []
    for row in range(1, ROWS + 1):
        line = Text()
        for column in shown:
            cell = cells.get(Cell(column, row), empty)
            line.append_text(cell)
            line.append(" " * (cell_width - cell.cell_len))
        rows.append(line)
    return rows


def _bead(outcome: Outcome, language: Language) -> Text:
    """A filled bead with its letter; a dot above for Banker's pair, below for Player's."""
    bead = Text().append("˙" if outcome.banker_pair else " ", style=BANKER)
    bead.append(SIGN_OF[outcome.winner].text(language), style=f"{STYLE_OF[outcome.winner]} reverse")
    bead.append("." if outcome.player_pair else " ", style=PLAYER)
    return bead


def _big(mark: Mark, language: Language) -> Text:
    """The winner's letter, with the number of ties raised beside it."""
    winner = mark.outcome.winner
    cell = Text().append("˙" if mark.outcome.banker_pair else " ", style=BANKER)
    cell.append(SIGN_OF[winner].text(language), style=STYLE_OF[winner])
    if mark.ties:
        cell.append(str(mark.ties).translate(_SUPERSCRIPTS), style=TIE)
    if mark.outcome.player_pair:
        cell.append(".", style=PLAYER)
    return cell


def _derived(colour: Colour | None, road: Road, *, coloured: bool) -> Text:
    """The road's own mark in its colour; a letter where there is no colour to see."""
    if colour is None:
        return Text("–", style=QUIET)
    style = BANKER if colour is Colour.RED else PLAYER
    return Text(_GLYPHS[road] if coloured else colour.value, style=style)


def asked(chart: Chart, *, coloured: bool, language: Language) -> Iterable[Text]:
    """What each derived road would show if Banker won next, and if Player did."""
    for side, question in _ASKED.items():
        line = Text()
        line.append(question.text(language), style=SIDE_STYLE[side])
        for road, colour in chart.ask(side).items():
            line.append(f"   {DERIVED[road].text(language)} ", style=QUIET)
            line.append_text(_derived(colour, road, coloured=coloured))
        yield line
