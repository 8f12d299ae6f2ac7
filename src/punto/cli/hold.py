"""`punto hold`: what the house holds after so many rounds."""

from math import sqrt

from rich.text import Text

from punto.cli.ink import QUIET, console
from punto.cli.tables import heading, percent, print_csv, print_json, show, table
from punto.lab.figures import check_target
from punto.lab.hold import CERTAINTY, Holding, Mix
from punto.rules import Game, Language


def answer(  # noqa: PLR0913, PLR0917
    game: Game, mix: str, rounds: int, decks: int, cut: int, plot: str | None, *, as_json: bool, as_csv: bool
) -> None:
    """The distribution of the hold, and when the house is ahead."""
    target = check_target(plot) if plot is not None else None
    stakes = Mix.read(mix, game, decks, cut)
    alone, dealt = stakes.after(rounds), stakes.after(rounds, by_shoe=True)
    if target:
        dealt.save(target)
    if as_csv:
        print_csv(alone, dealt)
        return
    certain = {by_shoe: stakes.rounds_until_ahead(by_shoe=by_shoe) for by_shoe in (False, True)}
    if as_json:
        print_json(
            {
                "game": game.key,
                "decks": decks,
                "cut": cut,
                "mix": {name: str(stake) for name, stake in stakes.stakes.items()},
                "rounds": rounds,
                "mean": str(stakes.mean),
                "variance": str(stakes.variance),
                "hold": float(stakes.mean / stakes.stake),
                "exact": alone.exact,
                "certainty": CERTAINTY,
                "deviation": sqrt(stakes.variance * rounds),
                **_plain(alone, certain[False]),
                "by_shoe": {
                    "rounds_per_shoe": stakes.rounds_per_shoe,
                    "covariance": stakes.covariance,
                    "deviation": stakes.deviation(rounds),
                    **_plain(dealt, certain[True]),
                },
            }
        )
        return
    _show(alone, dealt, certain[False], certain[True])


def _plain(holding: Holding, certain: int | None) -> dict[str, object]:
    return {
        "ahead": holding.ahead,
        "quantiles": {str(record["quantile"]): record["won"] for record in holding.records()},
        "rounds_until_ahead": certain,
    }


def _show(alone: Holding, dealt: Holding, certain: int | None, of_shoes: int | None) -> None:
    mix, rounds = alone.mix, alone.rounds
    out = console()
    stakes = ", ".join(f"{name} {float(stake):g}" for name, stake in mix.stakes.items())
    out.print(heading(mix.game, Language.ENGLISH, f"{mix.odds.shoe.decks} decks", f"{stakes} in each round"))
    out.print()
    first = table("", "one round", f"{rounds:,} rounds", "of what is staked")
    mean, deviation = float(mix.mean), sqrt(mix.variance)
    first.add_row("expected", f"{mean:.6f}", f"{mean * rounds:,.2f}", percent(mix.mean / mix.stake))
    wide = {"deviation, rounds independent": deviation * sqrt(rounds), "deviation by shoe": mix.deviation(rounds)}
    for name, value in wide.items():
        first.add_row(name, f"{deviation:.6f}", f"{value:,.2f}", percent(value / alone.staked))
    show(out, first)
    out.print()
    drawn = table("the house holds less in", "rounds independent", "by shoe", "of what is staked")
    for one, other in zip(alone.records(), dealt.records(), strict=True):
        shares = f"{100 * one['quantile']:g} % of all cases"
        drawn.add_row(shares, f"{one['won']:,.2f}", f"{other['won']:,.2f}", percent(other["hold"]))
    drawn.add_row()
    drawn.add_row("certainty to be ahead", percent(alone.ahead, 3), percent(dealt.ahead, 3))
    about = _from(of_shoes, mix)
    drawn.add_row(
        f"{percent(CERTAINTY, 0)} certain from",
        _from(certain, mix),
        f"about {about}" if of_shoes is not None else about,
    )
    show(out, drawn)
    out.print()
    said = (
        f"By shoe: as shoes of {mix.rounds_per_shoe} rounds deal them. Two rounds of one shoe have a covariance "
        f"of {mix.covariance:+.3g}. Mean and deviation follow from that; the rest is an estimate, the law of "
        "independent rounds fitted to them."
    )
    if not alone.exact:
        said += " The distribution has too many values: it is taken on a grid."
    if not mix.search_is_exact:
        said += " The rounds until the house is ahead are searched for on a grid."
    out.print(Text(said, style=QUIET))


def _from(certain: int | None, mix: Mix) -> str:
    if certain is not None:
        return f"{certain:,} rounds on"
    return "never" if mix.mean <= 0 else "beyond 10⁹ rounds"
