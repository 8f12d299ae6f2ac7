"""`punto odds`: what every wager is worth, exactly."""

from fractions import Fraction
from typing import Any

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from punto.cli.ink import QUIET, console
from punto.cli.tables import heading, percent, print_csv, print_json, table, wager_name
from punto.cli.tables import show as show_table
from punto.lab import Comparison, Composition, GameOdds, Odds, WagerOdds
from punto.lab.figures import check_target
from punto.lab.odds import ROUNDS
from punto.rules import Game, Language, Side


def answer(  # noqa: PLR0913, PLR0917
    game: Game,
    decks: int,
    remaining: str | None,
    seen: str | None,
    other: Game | None,
    language: Language,
    *,
    as_json: bool,
    as_csv: bool,
) -> None:
    """The odds from the shoe that the options describe."""
    odds = odds_of(game, decks, remaining, seen)
    against = odds_of(other, decks, remaining, seen) if other else None
    if as_json:
        print_json(plain(odds, against))
    elif as_csv:
        print_csv(odds)
    else:
        show(odds, against, language)


def compare(game: Game, language: Language, plot: str | None, *, as_json: bool, as_csv: bool) -> None:
    """The edges for four to ten decks."""
    target = check_target(plot) if plot is not None else None
    comparison = Odds(game).compare()
    if target:
        comparison.save(target)
    if as_json:
        print_json(comparison_as_json(comparison))
    elif as_csv:
        print_csv(comparison)
    else:
        show_comparison(comparison, language)


def show(odds: GameOdds, against: GameOdds | None, language: Language) -> None:
    """The odds, for a person."""
    out = console()
    out.print(heading(odds.game, language, _shoe(odds.shoe), f"{odds.sequences:,} ordered draws"))
    out.print()
    show_table(out, _summary(odds, against))
    out.print()
    show_table(out, _expectations(odds))
    out.print()
    show_table(out, _lines(odds, out))
    out.print()
    out.print(_coups(odds))
    out.print()
    show_table(out, _together(odds))


def plain(odds: GameOdds, against: GameOdds | None) -> dict[str, Any]:
    """The odds, for a program: fractions and counts as texts, so that none loses a digit."""
    answer: dict[str, Any] = {
        "game": odds.game.key,
        "decks": odds.shoe.decks,
        "cards": odds.shoe.size,
        "sequences": str(odds.sequences),
        "wagers": {name: _wager(wager) for name, wager in odds.wagers.items()},
        "totals": {side.value: [str(count) for count in counts] for side, counts in odds.totals.items()},
        "margins": {str(margin): str(count) for margin, count in odds.margins.items()},
        "naturals": {which: str(count) for which, count in odds.naturals.items()},
        "cards_per_coup": {str(cards): str(count) for cards, count in odds.cards.items()},
        "covariance": {one: {other: str(odds.covariance(one, other)) for other in odds.wagers} for one in odds.wagers},
    }
    if against:
        answer["against"] = against.game.key
        answer["gain_per_1000_rounds"] = {name: float(gain) for name, gain in _gains(odds, against).items()}
    return answer


def _wager(odds: WagerOdds) -> dict[str, Any]:
    resolved = odds.resolved_edge
    return {
        "ev": str(odds.ev),
        "edge": float(odds.edge),
        "hit": float(odds.hit),
        "push": float(odds.push),
        "variance": str(odds.variance),
        "sd": odds.sd,
        "edge_per_resolved": None if resolved is None else float(resolved),
        "per_1000_rounds": float(ROUNDS * odds.edge),
        "lines": [
            {
                "net": str(line.net),
                "count": str(line.count),
                "probability": float(line.probability),
                "result": line.settlement.result.value,
                "clause": line.settlement.clause,
                "why": line.settlement.why(),
                "break_even": None if (fair := odds.break_even(line)) is None else str(fair),
            }
            for line in odds.lines
        ],
    }


def show_comparison(comparison: Comparison, language: Language) -> None:
    """The edges for several numbers of decks, side by side."""
    drawn = table("house edge, %", *[f"{odds.shoe.decks} decks" for odds in comparison.odds])
    for name in comparison.odds[0].wagers:
        edges = [f"{100 * float(odds.wagers[name].edge):.4f}" for odds in comparison.odds]
        drawn.add_row(wager_name(name), *edges)
    out = console()
    out.print(heading(comparison.game, language))
    out.print()
    show_table(out, drawn)


def comparison_as_json(comparison: Comparison) -> dict[str, Any]:
    """The odds for several numbers of decks."""
    return {
        "game": comparison.game.key,
        "decks": {
            str(odds.shoe.decks): {
                name: {"ev": str(wager.ev), "edge": float(wager.edge)} for name, wager in odds.wagers.items()
            }
            for odds in comparison.odds
        },
    }


def odds_of(game: Game, decks: int, remaining: str | None, seen: str | None) -> GameOdds:
    """The odds from the shoe that the options describe."""
    if remaining is not None:
        shoe = Composition.remaining(remaining, game.deck, decks)
    else:
        shoe = Composition.seen(seen or "", game.deck, decks)
    return Odds(game).of(shoe)


def _shoe(shoe: Composition) -> str:
    gone = shoe.deck.size * shoe.decks - shoe.size
    return f"{shoe.decks} decks, {shoe.size} cards" + (f" ({gone} gone)" if gone else "")


def _gains(odds: GameOdds, against: GameOdds) -> dict[str, Fraction]:
    """What the operator gains per 1,000 rounds at one unit, on wagers that both games have."""
    both = [name for name in odds.wagers if name in against.wagers]
    return {name: ROUNDS * (odds.wagers[name].edge - against.wagers[name].edge) for name in both}


def _summary(odds: GameOdds, against: GameOdds | None) -> Table:
    """One line for each wager."""
    columns = ("house edge", "of what is decided", "wins", "pushes", "deviation", "house, 1,000 rounds")
    drawn = table("wager", *columns)
    gains = _gains(odds, against) if against else {}
    if against:
        drawn.add_column(f"more than {against.game.key}", justify="right")
    for name, wager in odds.wagers.items():
        resolved = "–" if wager.resolved_edge is None else percent(wager.resolved_edge)
        cells = [percent(wager.edge), resolved, percent(wager.hit, 3), percent(wager.push, 3), f"{wager.sd:.4f}"]
        cells.append(f"{float(ROUNDS * wager.edge):+.2f}")
        if against:
            cells.append(f"{float(gains[name]):+.2f}" if name in gains else "–")
        drawn.add_row(wager_name(name), *cells)
    return drawn


def _expectations(odds: GameOdds) -> Table:
    """What a player can expect of one unit, as a fraction in lowest terms."""
    drawn = table("expectation", "of one unit, exactly")
    for name, wager in odds.wagers.items():
        drawn.add_row(wager_name(name), str(wager.ev))
    return drawn


def _lines(odds: GameOdds, out: Console) -> Table:
    """One line for each thing that a wager can come to."""
    drawn = Table(box=None, pad_edge=False, header_style=QUIET)
    drawn.add_column("pay line", max_width=max(24, out.width - 68))
    for column in ("net", "ordered draws", "probability", "fair at"):
        drawn.add_column(column, justify="right", no_wrap=True)
    drawn.add_column("clause", style=QUIET)
    for name, wager in odds.wagers.items():
        drawn.add_row(wager_name(name))
        for line in wager.lines:
            settlement = line.settlement
            when = settlement.pay.when.sentence(Language.ENGLISH) if settlement.pay else "Lost"
            fair = wager.break_even(line)
            shown = "–" if fair is None or not settlement.pay or not line.net else f"{float(fair):.4f}"
            chance = f"{float(line.probability):.8f}"
            drawn.add_row(Text(f"  {when}"), _net(line.net), f"{line.count:,}", chance, shown, settlement.clause)
    return drawn


def _net(net: Fraction) -> str:
    return f"{float(net):+g}" if net else "0"


def _coups(odds: GameOdds) -> Group:
    """How the coups themselves turn out."""
    totals = table("total, %", *map(str, range(10)))
    for side, name in ((Side.PLAYER, "Player"), (Side.BANKER, "Banker")):
        totals.add_row(wager_name(name), *[_share(count, odds) for count in odds.totals[side]])
    margins = table("margin, %", *map(str, range(10)))
    for sign, name in ((1, "Player"), (-1, "Banker")):
        cells = [_share(odds.margins[sign * margin], odds) for margin in range(1, 10)]
        margins.add_row(wager_name(name), "", *cells)
    margins.add_row(wager_name("Tie"), _share(odds.margins[0], odds))
    naturals = " · ".join(f"{which} {_share(count, odds)} %" for which, count in odds.naturals.items())
    cards = " · ".join(f"{number} {_share(count, odds)} %" for number, count in odds.cards.items())
    aside = Text.assemble(("naturals  ", QUIET), naturals, ("\ncards     ", QUIET), cards)
    return Group(totals, Text(), margins, Text(), aside)


def _together(odds: GameOdds) -> Table:
    """How the wagers of one round go together: the correlation of each two."""
    names = list(odds.wagers)
    drawn = table("correlation", *[str(number) for number in range(1, len(names) + 1)])
    for number, name in enumerate(names, 1):
        cells = [f"{odds.correlation(name, other):+.3f}" for other in names[:number]]
        drawn.add_row(Text.assemble(wager_name(name), (f" {number}", QUIET)), *cells)
    return drawn


def _share(count: int, odds: GameOdds) -> str:
    return f"{100 * count / odds.sequences:.2f}"
