"""The table as it is drawn in the terminal: a whole screen on a terminal, a few lines a round anywhere else."""

import time
from typing import Final

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from punto.cards import Card
from punto.cli.ink import MONEY, QUIET, card_style, console
from punto.cli.play import phrases
from punto.cli.play.seat import Paid, Seat
from punto.cli.roadmap import big_road, derived_roads, drawing
from punto.cli.settled import SIDE, SIDE_STYLE, hand_line, outcome_line
from punto.roads import Chart
from punto.rules import Coup, Deal, Label, Language, Side, Wager
from punto.rules.coup import total

CARD_PAUSE_S: Final = 0.35
_CARD_WIDTH: Final = 7
_CARD_HEIGHT: Final = 5
_INNER: Final = _CARD_WIDTH - 2
_HAND_WIDTH: Final = 3 * (_CARD_WIDTH + 1) + 3
_WIDEST: Final = 100
_LINES_BETWEEN: Final = 6
_HOME: Final = "\x1b[H\x1b[J"


def money(cents: int) -> str:
    """An amount with two decimals.

    >>> money(123456)
    '1,234.56'
    """
    return f"{cents // 100:,}.{cents % 100:02d}" if cents >= 0 else f"-{money(-cents)}"


class Screen:
    """Draws the table."""

    def __init__(self, language: Language, *, fast: bool) -> None:
        self.language = language
        self.console = console()
        self.live = self.console.is_terminal
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
        room = self.console.height - len(codes) - len(cards) - _LINES_BETWEEN
        parts: list[RenderableType] = [
            self._title(seat, width),
            *self._roads(seat, width, room),
            Text(),
            *cards,
            Text(),
            self._layout(seat, codes, paid),
            Text(),
            message,
        ]
        self.clear()
        self.console.print(Group(*parts))

    def pause(self) -> None:
        """A breath between two cards."""
        if not self.fast:
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

    def all_roads(self, seat: Seat) -> None:
        """Every road of the shoe."""
        chart = Chart.of(seat.outcomes)
        width = min(self.console.width, _WIDEST)
        self._over(drawing(chart, width, coloured=self._coloured, language=self.language))

    def why(self, paid: tuple[Paid, ...]) -> None:
        """Why each wager was paid or lost, with the clause."""
        table = Table(box=None, show_header=False, pad_edge=False)
        for settlement, _, _ in paid:
            name = settlement.wager.label.text(self.language)
            table.add_row(name, Text(settlement.clause, style=QUIET), settlement.why(self.language))
        self._over(table)

    def help(self, codes: dict[str, str], wagers: tuple[Wager, ...]) -> None:
        """Every command, and every wager's letters."""
        table = Table(box=None, show_header=False, pad_edge=False)
        for command, meaning in phrases.HELP:
            table.add_row(Text(command, style="bold"), self.say(meaning))
        table.add_row()
        for code, wager in zip(codes, wagers, strict=True):
            table.add_row(Text(code, style="bold"), wager.label.text(self.language))
        self._over(table)

    def note(self, text: str) -> None:
        """A line of its own."""
        self.console.print(Text(text))

    def clear(self) -> None:
        """An empty screen, where there is one."""
        if self.live:
            self.console.file.write(_HOME)

    def _over(self, content: RenderableType) -> None:
        self.clear()
        self.console.print(content)
        self.console.print()

    @property
    def _coloured(self) -> bool:
        return self.live and not self.console.no_color

    def _title(self, seat: Seat, width: int) -> Text:
        left = Text().append(f" {seat.game.title.text(self.language)}", style="bold")
        said = [self.say(phrases.ROUND).format(max(seat.rounds, 1)), self.say(phrases.SHOE).format(seat.shoes)]
        said.append(self.say(phrases.LEFT).format(seat.left))
        left.append("  " + " · ".join(said), style=QUIET)
        right = Text().append(f"{self.say(phrases.CREDITS)} ", style=QUIET)
        right.append(f"{money(seat.free_cents)} ", style="bold")
        left.append(" " * max(1, width - left.cell_len - right.cell_len))
        left.append_text(right)
        return left

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
            heading = Text().append(SIDE[side].text(self.language).upper(), style=SIDE_STYLE[side])
            heading.append(f"  {total(cards)}" if cards else "", style="bold")
            block = [heading, *_hand(cards)]
            for line, part in zip(lines, block, strict=True):
                line.append_text(part)
                line.append(" " * (_HAND_WIDTH - part.cell_len))
        return lines

    def _layout(self, seat: Seat, codes: dict[str, str], paid: tuple[Paid, ...]) -> Table:
        """The wagers with their letters, odds and stakes; after the round, what each won."""
        table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
        table.add_column(style="bold", min_width=4)
        table.add_column(min_width=22)
        table.add_column(style=QUIET, min_width=16)
        table.add_column(justify="right", min_width=12)
        table.add_column(justify="right", min_width=12)
        results = {each.settlement.wager.name: each for each in paid}
        for code, name in codes.items():
            wager = seat.game.wager(name)
            last = results.get(name)
            stake = seat.stakes.get(name, 0) or (last.stake_cents if last else 0)
            result = _result(last.won_cents) if last and last.stake_cents else Text()
            table.add_row(code, wager.label.text(self.language), prices(wager), money(stake) if stake else "", result)
        return table


def _result(won_cents: int) -> Text:
    """What a stake won or lost."""
    sign = "+" if won_cents > 0 else ""
    return Text(sign + money(won_cents), style=MONEY if won_cents > 0 else QUIET)


def prices(wager: Wager) -> str:
    """What a wager pays, short: every price when they are few, else the range."""
    odds = sorted({pay.odds for pay in wager.pays if pay.odds.won}, key=lambda each: each.net)
    said = [str(each).replace(" to ", ":") for each in odds]
    return ", ".join(said) if len(said) <= 3 else f"{said[0]} … {said[-1]}"  # noqa: PLR2004


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
