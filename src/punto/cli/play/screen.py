"""The table as it is drawn in the terminal: a whole screen on a terminal, a few lines a round anywhere else."""

import time
from collections.abc import Callable
from typing import Final

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from punto.cards import Card
from punto.cli.ink import MONEY, QUIET, SIDE_STYLE, card_style, console, has_colour
from punto.cli.play import phrases
from punto.cli.play.seat import Paid, Seat
from punto.cli.roadmap import big_road, derived_roads, drawing
from punto.cli.settled import hand_line, outcome_line
from punto.roads import Chart
from punto.rules import Coup, Deal, Label, Language, Side, Wager, total
from punto.rules.money import money
from punto.rules.wording import SIDES, prices

CARD_PAUSE_S: Final = 0.35
_CARD_WIDTH: Final = 7
_CARD_HEIGHT: Final = 5
_INNER: Final = _CARD_WIDTH - 2
_HAND_WIDTH: Final = 3 * (_CARD_WIDTH + 1) + 3
_WIDEST: Final = 100
_LINES_BETWEEN: Final = 6
_ROAD_HEIGHT: Final = 8
_COMPACT_WIDTH: Final = 78
_FULL_WIDTH: Final = 76
_HOME: Final = "\x1b[H\x1b[J"


class Screen:
    """Draws the table."""

    def __init__(self, language: Language, *, fast: bool) -> None:
        self.language = language
        self.console = console()
        self.live = self.console.is_terminal and not self.console.is_dumb_terminal
        self.fast = fast or not self.live

    def say(self, label: Label) -> str:
        """A phrase in the language of the table."""
        return label.text(self.language)

    def table(self, seat: Seat, codes: dict[str, str], deal: Deal, paid: tuple[Paid, ...], message: Text) -> None:
        """The whole table, drawn over what was there."""
        if not self.live:
            return
        width = min(self.console.width, _WIDEST)
        cards = self._cards(deal, width)
        room = self.console.height - len(cards) - _LINES_BETWEEN
        compact = room < len(codes) + _ROAD_HEIGHT and width >= _COMPACT_WIDTH
        wagers = -(-len(codes) // 2) if compact else len(codes)
        # The line below the title is empty, but where the rules are for demonstration.
        [_, *below] = [*self._roads(seat, width, room - wagers), Text()]
        parts: list[RenderableType] = [
            self._title(seat, width),
            Text(self.demonstration(seat), style=QUIET),
            *below,
            *cards,
            Text(),
            self._layout(seat, codes, paid, brief=compact or width < _FULL_WIDTH, compact=compact),
            Text(),
            message,
        ]
        self.clear()
        self.console.print(Group(*parts))

    def demonstration(self, seat: Seat) -> str:
        """That the rules are for demonstration; nothing where they are the rulebook's."""
        book = seat.demonstration
        return f" {self.say(phrases.DEMONSTRATION).format(book)}" if book else ""

    def pause(self, *, hurry: bool) -> None:
        """A breath between two cards, unless somebody is in a hurry."""
        if not self.fast and not hurry:
            time.sleep(CARD_PAUSE_S)

    def round(self, seat: Seat, coup: Coup, paid: tuple[Paid, ...], message: Text) -> None:
        """A round in a few lines, where there is no screen to draw on."""
        if self.live:
            return
        self.console.print(hand_line(Side.PLAYER, coup.player.cards, self.language))
        self.console.print(hand_line(Side.BANKER, coup.banker.cards, self.language))
        self.console.print(message)
        for settlement, _, won in paid:
            if won:
                name = settlement.wager.label.text(self.language)
                self.console.print(f"  {name}: {'+' if won > 0 else ''}{money(won)}")
        self.console.print(f"  {self.say(phrases.CREDITS)} {money(seat.credits_cents)}")

    def outcome(self, coup: Coup, won_cents: int, *, staked: bool) -> Text:
        """Who won, and what it came to."""
        line = outcome_line(coup, self.language)
        line.append("   ")
        if not staked:
            return line.append(self.say(phrases.WATCHED), style=QUIET)
        if won_cents > 0:
            return line.append(self.say(phrases.WON).format(money(won_cents)), style=MONEY)
        if won_cents < 0:
            return line.append(self.say(phrases.LOST).format(money(-won_cents)))
        return line.append(self.say(phrases.EVEN))

    def all_roads(self, seat: Seat) -> RenderableType:
        """Every road of the shoe."""
        width = min(self.console.width, _WIDEST)
        return drawing(Chart.of(seat.outcomes), width, coloured=self._coloured, language=self.language)

    def why(self, paid: tuple[Paid, ...]) -> RenderableType:
        """Why each wager was paid or lost, with the clause."""
        table = Table(box=None, show_header=False, pad_edge=False)
        for settlement, _, _ in paid:
            name = settlement.wager.label.text(self.language)
            table.add_row(name, Text(settlement.clause, style=QUIET), settlement.why(self.language))
        return table

    def help(self, codes: dict[str, str], wagers: tuple[Wager, ...]) -> RenderableType:
        """Every command, and every wager's letters."""
        table = Table(box=None, show_header=False, pad_edge=False)
        for command, meaning in phrases.HELP:
            table.add_row(Text(command, style="bold"), self.say(meaning))
        table.add_row()
        for code, wager in zip(codes, wagers, strict=True):
            table.add_row(Text(code, style="bold"), wager.label.text(self.language))
        return table

    def pages(self, content: RenderableType, go_on: Callable[[], object]) -> None:
        """Something to read, as many lines at a time as the screen holds."""
        if not self.live:
            self.console.print(content)
            return
        lines = self.console.render_lines(content, pad=False)
        size = max(1, self.console.height - 2)
        for start in range(0, len(lines), size):
            self.clear()
            for line in lines[start : start + size]:
                self.console.print(*[Text(part.text, style=part.style or "") for part in line], sep="")
            go_on()

    def note(self, text: str) -> None:
        """A line of its own."""
        self.console.print(Text(text))

    def clear(self) -> None:
        """An empty screen, where there is one."""
        if self.live:
            self.console.file.write(_HOME)

    @property
    def _coloured(self) -> bool:
        return self.live and has_colour(self.console)

    def _title(self, seat: Seat, width: int) -> Text:
        """The game and the credits, and between them as much of where the shoe stands as there is room for."""
        left = Text().append(f" {seat.game.title.text(self.language)}", style="bold")
        right = Text().append(f"{self.say(phrases.CREDITS)} ", style=QUIET)
        right.append(f"{money(seat.free_cents)} ", style="bold")
        between = [
            self.say(phrases.ROUND).format(max(seat.rounds, 1)),
            self.say(phrases.SHOE).format(seat.shoes),
            self.say(phrases.LEFT).format(seat.left),
        ]
        while between and left.cell_len + cell_len("  " + " · ".join(between)) + right.cell_len >= width:
            between.pop()
        left.append("  " + " · ".join(between), style=QUIET)
        left.append(" " * max(1, width - left.cell_len - right.cell_len))
        return left.append_text(right)

    def _roads(self, seat: Seat, width: int, room: int) -> list[Text]:
        """The big road and the derived ones, as far as there is room for them."""
        chart = Chart.of(seat.outcomes)
        big = [Text(), *big_road(chart, width, self.language)]
        derived = [Text(), *derived_roads(chart, width, coloured=self._coloured, language=self.language)]
        if room >= len(big) + len(derived):
            return big + derived
        return big if room >= len(big) else []

    def _cards(self, deal: Deal, width: int) -> list[Text]:
        """The two hands side by side, each with its total; an empty place where a card may still come."""
        hands = {Side.PLAYER: deal.player, Side.BANKER: deal.banker}
        indent = max(0, (width - 2 * _HAND_WIDTH - 4) // 2)
        lines = [Text(" " * indent) for _ in range(_CARD_HEIGHT + 1)]
        for side, cards in hands.items():
            heading = Text().append(SIDES[side].text(self.language).upper(), style=SIDE_STYLE[side])
            heading.append(f"  {total(cards)}" if cards else "", style="bold")
            block = [heading, *_hand(cards)]
            for line, part in zip(lines, block, strict=True):
                line.append_text(part)
                line.append(" " * (_HAND_WIDTH - part.cell_len))
        return lines

    def _layout(
        self, seat: Seat, codes: dict[str, str], paid: tuple[Paid, ...], *, brief: bool, compact: bool
    ) -> Table:
        """The wagers with letters, odds and stakes; then what each won. Brief: without odds. Compact: two in a row."""
        table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
        for _ in range(2 if compact else 1):
            table.add_column(style="bold", min_width=3)
            table.add_column(min_width=18)
            if not brief:
                table.add_column(style=QUIET, min_width=16)
            table.add_column(justify="right", min_width=5 if brief else 12)
            table.add_column(justify="right", min_width=5 if brief else 12)
        results = {each.settlement.wager.name: each for each in paid}
        rows: list[list[str | Text]] = []
        for code, name in codes.items():
            wager = seat.game.wager(name)
            last = results.get(name)
            stake = seat.stakes.get(name, 0) or (last.stake_cents if last else 0)
            result = _result(last.won_cents) if last and last.stake_cents else Text()
            shown = [] if brief else [prices(wager)]
            rows.append([code, wager.label.text(self.language), *shown, money(stake) if stake else "", result])
        if compact:
            half = -(-len(rows) // 2)
            beside: list[list[str | Text]] = [*rows[half:], []]
            rows = [left + right for left, right in zip(rows[:half], beside, strict=False)]
        for row in rows:
            table.add_row(*row)
        return table


def _result(won_cents: int) -> Text:
    """What a stake won or lost."""
    sign = "+" if won_cents > 0 else ""
    return Text(sign + money(won_cents), style=MONEY if won_cents > 0 else QUIET)


def _hand(cards: tuple[Card, ...]) -> list[Text]:
    lines = [Text() for _ in range(_CARD_HEIGHT)]
    for place in range(3):
        picture = _card(cards[place]) if place < len(cards) else [Text(" " * _CARD_WIDTH)] * _CARD_HEIGHT
        for line, part in zip(lines, picture, strict=True):
            line.append_text(part)
            line.append(" ")
    return lines


def _card(card: Card) -> list[Text]:
    """A card drawn with its index in two corners and its suit in the middle."""
    rank, suit = card.rank.sign, card.suit.sign if card.suit else "★"
    faces = [rank + _space(rank), _centred(suit), _space(rank) + rank]
    style = card_style(card)
    rows = [Text("╭" + "─" * _INNER + "╮", style=QUIET)]
    for face in faces:
        row = Text().append("│", style=QUIET)
        row.append(face, style=style)
        rows.append(row.append("│", style=QUIET))
    return [*rows, Text("╰" + "─" * _INNER + "╯", style=QUIET)]


def _space(text: str) -> str:
    return " " * (_INNER - cell_len(text))


def _centred(text: str) -> str:
    left = (_INNER - cell_len(text)) // 2
    return " " * left + text + " " * (_INNER - left - cell_len(text))
