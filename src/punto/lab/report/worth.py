"""Exact probabilities and edges, for the shoe in question and for every number of decks."""

from collections.abc import Mapping, Sequence
from typing import Final

from punto.lab.odds import GameOdds, Line, WagerOdds
from punto.lab.report import charts
from punto.lab.report.document import Column, Figure, Group, Heading, Section, Table, Text, named, plain_rows
from punto.lab.report.numbers import NOTHING, decimal, fraction, net, percent, whole
from punto.lab.report.results import Results
from punto.rules import Language, Side

# As many wagers as a sheet has room for side by side.
_ACROSS: Final = 9
_NATURALS: Final = {"none": "neither hand", "player": "Player alone", "banker": "Banker alone", "both": "both hands"}


def worth(results: Results) -> Section:
    """What every wager is worth."""
    odds = results.odds
    said = (
        f"From a whole shoe of {results.decks} decks, {whole(odds.shoe.size)} cards. All that is said here is exact: "
        f"counts are of {whole(odds.sequences)} ordered draws."
    )
    return Section(
        "Exact probabilities and edges",
        (
            Text(said),
            Heading("What a wager is worth"),
            _expectations(odds),
            _edges(odds),
            Heading("Every pay line"),
            _lines(odds),
            Heading("How rounds turn out"),
            _totals(odds),
            Figure("Final totals of both hands.", _said_of_totals(odds), charts.totals(odds)),
            _margins(odds),
            _spread(odds, "Naturals.", "natural", {_NATURALS[which]: count for which, count in odds.naturals.items()}),
            _spread(odds, _cards_caption(odds), "cards", {str(cards): count for cards, count in odds.cards.items()}),
            Heading("How wagers move together"),
            Text(
                "The correlation of what two wagers win in the same round, one unit on each. Wagers are numbered as in "
                "the first column."
            ),
            *_correlations(odds),
        ),
    )


def by_decks(results: Results) -> Section:
    """The edges for every number of decks."""
    comparison = results.comparison
    columns = [named("house edge, %"), *[Column(f"{odds.shoe.decks} decks") for odds in comparison.odds]]
    rows = [
        [name, *[decimal(100 * odds.wagers[name].edge, 4) for odds in comparison.odds]]
        for name in comparison.odds[0].wagers
    ]
    fewest, most = comparison.odds[0].shoe.decks, comparison.odds[-1].shoe.decks
    shows = f"Lines of the house edge of each wager from {fewest} to {most} decks; their points are the figures above."
    return Section(
        "All numbers of decks",
        (
            Text(
                "The house edge of every wager from whole shoes of each size that the rules allow, found in the same "
                "way."
            ),
            Table("House edge by number of decks.", tuple(columns), plain_rows(rows)),
            Figure(
                "House edge by number of decks. Lines of wagers that are worth the same lie on one another.",
                shows,
                charts.edges_by_decks(comparison),
            ),
        ),
    )


def _expectations(odds: GameOdds) -> Table:
    rows = [[wager.name, fraction(wager.ev), percent(wager.ev, 6)] for wager in odds.wagers.values()]
    columns = (named("wager"), Column("expectation of one unit"), Column("in percent"))
    return Table(
        "What the player can expect of one unit staked: the fraction in lowest terms, and in percent.",
        columns,
        plain_rows(rows),
    )


def _edges(odds: GameOdds) -> Table:
    columns = ("house edge", "of what is resolved", "wins", "pushes", "std. deviation")
    return Table(
        "Edges, frequencies and the standard deviation of one round, per unit staked. What is resolved is what is won "
        "or lost: stakes that push are left out.",
        (named("wager"), *[Column(heading) for heading in columns]),
        plain_rows([_edge(wager) for wager in odds.wagers.values()]),
    )


def _edge(wager: WagerOdds) -> list[str]:
    resolved = wager.resolved_edge
    return [
        wager.name,
        percent(wager.edge),
        NOTHING if resolved is None else percent(resolved),
        percent(wager.hit),
        percent(wager.push),
        decimal(wager.sd, 6),
    ]


def _lines(odds: GameOdds) -> Table:
    groups = [Group(tuple(map(_line, wager.lines)), wager.name) for wager in odds.wagers.values()]
    columns = (named("pay line", wide=True), Column("net"), Column("ordered draws"), Column("probability"))
    return Table(
        "Every line of every pay table: units won per unit staked, in how many ordered draws the line is the one that "
        "is paid, and the probability of that.",
        columns,
        tuple(groups),
    )


def _line(line: Line) -> tuple[str, ...]:
    pay = line.settlement.pay
    when = pay.when.sentence(Language.ENGLISH) if pay else "None of these: lost"
    return when, net(line.net), whole(line.count), decimal(line.probability, 10)


def _totals(odds: GameOdds) -> Table:
    counts = [odds.totals[side] for side in (Side.PLAYER, Side.BANKER)]
    rows = [[str(total), *_cells(odds, *[each[total] for each in counts])] for total in range(10)]
    return Table("Final totals.", _sides("total"), plain_rows([*rows, ["all", *_cells(odds, *map(sum, counts))]]))


def _margins(odds: GameOdds) -> Table:
    rows = [["0, a tie", *_cells(odds, odds.margins[0]), "", ""]]
    rows += [[str(margin), *_cells(odds, odds.margins[margin], odds.margins[-margin])] for margin in range(1, 10)]
    won = [sum(count for margin, count in odds.margins.items() if sign * margin > 0) for sign in (1, -1)]
    return Table(
        "Margins: by how many points Player or Banker wins.",
        _sides("margin"),
        plain_rows([*rows, ["1 to 9", *_cells(odds, *won)]]),
    )


def _sides(first: str) -> tuple[Column, ...]:
    return (
        named(first),
        *[Column(heading) for name in ("Player", "Banker") for heading in (f"{name}, ordered draws", "probability")],
    )


def _spread(odds: GameOdds, caption: str, first: str, counts: Mapping[str, int]) -> Table:
    columns = (named(first), Column("ordered draws"), Column("probability"))
    return Table(caption, columns, plain_rows([[name, *_cells(odds, count)] for name, count in counts.items()]))


def _cells(odds: GameOdds, *counts: int) -> list[str]:
    return [cell for count in counts for cell in (whole(count), decimal(count / odds.sequences, 8))]


def _cards_caption(odds: GameOdds) -> str:
    held = len(odds.game.opening.player)
    return "Cards in a round" + (", the one that Player holds already counted with them." if held else ".")


def _said_of_totals(odds: GameOdds) -> str:
    def most(side: Side) -> str:
        total = max(range(10), key=odds.totals[side].__getitem__)
        return f"{total} with {percent(odds.totals[side][total] / odds.sequences, 2)}"

    return (
        "Bars of the probability of each final total from 0 to 9, Player's in blue beside Banker's in red; most "
        f"frequent are {most(Side.PLAYER)} for Player and {most(Side.BANKER)} for Banker."
    )


def _correlations(odds: GameOdds) -> list[Table]:
    names = list(odds.wagers)
    blocks = [range(start, min(start + _ACROSS, len(names))) for start in range(0, len(names), _ACROSS)]
    return [_correlation(odds, names, block, part=len(blocks) > 1) for block in blocks]


def _correlation(odds: GameOdds, names: Sequence[str], block: range, *, part: bool) -> Table:
    rows = [
        [f"{place} {name}", *[_together(odds, name, names[other]) for other in block]]
        for place, name in enumerate(names, 1)
    ]
    of = f", with wagers {block.start + 1} to {block.stop}" if part else ""
    columns = (named("wager"), *[Column(str(other + 1)) for other in block])
    return Table(f"Correlation of the wagers{of}.", columns, plain_rows(rows))


def _together(odds: GameOdds, one: str, other: str) -> str:
    """A correlation; a wager that always comes to the same has none."""
    moves = odds.wagers[one].variance and odds.wagers[other].variance
    return decimal(odds.correlation(one, other), 4) if moves else NOTHING
