"""`punto hold`: what the house holds after so many rounds."""

from rich.text import Text

from punto.cli.ink import QUIET, console
from punto.cli.tables import heading, percent, print_csv, print_json, show, table
from punto.lab.figures import check_target
from punto.lab.hold import CERTAINTY, Holding, Mix
from punto.rules import Game, Language


def answer(  # noqa: PLR0913
    game: Game, mix: str, rounds: int, decks: int, plot: str | None, *, as_json: bool, as_csv: bool
) -> None:
    """The distribution of the hold, and when the house is ahead."""
    target = check_target(plot) if plot is not None else None
    stakes = Mix.read(mix, game, decks)
    holding = stakes.after(rounds)
    if target:
        holding.save(target)
    if as_csv:
        print_csv(holding)
        return
    certain = stakes.rounds_until_ahead()
    if as_json:
        print_json(
            {
                "game": game.key,
                "decks": decks,
                "mix": {name: str(stake) for name, stake in stakes.stakes.items()},
                "rounds": rounds,
                "mean": str(stakes.mean),
                "variance": str(stakes.variance),
                "hold": float(stakes.mean / stakes.stake),
                "exact": holding.exact,
                "ahead": holding.ahead,
                "quantiles": {str(record["quantile"]): record["won"] for record in holding.records()},
                "rounds_until_ahead": certain,
                "certainty": CERTAINTY,
            }
        )
        return
    _show(holding, certain, decks)


def _show(holding: Holding, certain: int | None, decks: int) -> None:
    mix = holding.mix
    out = console()
    stakes = ", ".join(f"{name} {float(stake):g}" for name, stake in mix.stakes.items())
    out.print(heading(mix.game, Language.ENGLISH, f"{decks} decks", f"{stakes} in each round"))
    out.print()
    drawn = table("", "per round", f"{holding.rounds:,} rounds", "of what is staked")
    drawn.add_row(
        "expected", f"{float(mix.mean):.6f}", f"{float(mix.mean) * holding.rounds:,.2f}", percent(mix.mean / mix.stake)
    )
    deviation = float(mix.variance) ** 0.5
    drawn.add_row("deviation", f"{deviation:.6f}", f"{deviation * holding.rounds**0.5:,.2f}")
    drawn.add_row()
    for record in holding.records():
        drawn.add_row(
            f"{100 * record['quantile']:g} % hold less than", "", f"{record['won']:,.2f}", percent(record["hold"])
        )
    show(out, drawn)
    out.print()
    out.print(f"The house is ahead after {holding.rounds:,} rounds with a certainty of {percent(holding.ahead, 3)}.")
    if not holding.exact:
        out.print(Text("The distribution has too many values: it is taken on a grid.", style=QUIET))
    if certain is None:
        out.print(f"It is never ahead with a certainty of {percent(CERTAINTY, 0)}.")
    else:
        out.print(f"It is ahead with a certainty of {percent(CERTAINTY, 0)} from {certain:,} rounds on.")
