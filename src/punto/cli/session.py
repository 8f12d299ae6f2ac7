"""`punto session`: a bankroll followed through shoes."""

from dataclasses import dataclass

import numpy as np

from punto.cards import check_decks
from punto.cli.files import read_text
from punto.cli.ink import console
from punto.cli.progress import progress
from punto.cli.tables import heading, percent, print_csv, print_json, show, table
from punto.errors import BadStakes
from punto.lab.dealing import check_seed
from punto.lab.figures import check_target
from punto.lab.sessions import QUANTILES, Bankrolls, Sessions, Stakes
from punto.rules import Game, Language


@dataclass(frozen=True)
class Asked:
    """What the options say."""

    game: Game
    wager: str
    stakes: str
    bankroll: int
    goal: int | None
    limit: int
    rounds: int
    sessions: int
    decks: int
    cut: int
    seed: int | None
    plot: str | None


def answer(asked: Asked, *, as_json: bool, as_csv: bool) -> None:
    """What becomes of the bankroll."""
    seed = check_seed(1 if asked.seed is None else asked.seed)
    target = check_target(asked.plot) if asked.plot is not None else None
    stakes = _stakes(asked)
    sessions = Sessions(asked.game, asked.wager, check_decks(asked.decks), asked.cut)
    with progress(asked.sessions, "sessions") as report:
        bankrolls = sessions.play(stakes, asked.bankroll, asked.rounds, asked.sessions, seed, asked.goal, report)
    if target:
        bankrolls.save(target)
    if as_json:
        print_json(_plain(asked, bankrolls, seed))
    elif as_csv:
        print_csv(bankrolls)
    else:
        _show(asked, bankrolls)


def _stakes(asked: Asked) -> Stakes:
    if not asked.stakes.lower().endswith(".toml"):
        return Stakes.named(asked.stakes, asked.limit)
    try:
        return Stakes.loads(read_text(asked.stakes))
    except BadStakes as error:
        raise BadStakes(f"{asked.stakes}: {error.message}", error.at) from None


def _plain(asked: Asked, bankrolls: Bankrolls, seed: int) -> dict[str, object]:
    ruin, ruin_error = bankrolls.ruin
    mean, mean_error = bankrolls.mean
    return {
        "game": asked.game.key,
        "wager": bankrolls.wager,
        "stakes": bankrolls.stakes.name,
        "bankroll": bankrolls.bankroll,
        "goal": bankrolls.goal,
        "rounds": bankrolls.rounds,
        "sessions": bankrolls.sessions,
        "decks": asked.decks,
        "cut": asked.cut,
        "seed": seed,
        "ruin": ruin,
        "ruin_error": ruin_error,
        "reached_goal": bankrolls.reached / bankrolls.sessions,
        "ahead": bankrolls.ahead,
        "mean": mean,
        "mean_error": mean_error,
        "bets": bankrolls.played,
        "final": _quantiles(bankrolls.final),
        "drawdown": _quantiles(bankrolls.drawdown),
        "fan": bankrolls.records(),
    }


def _quantiles(values: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]") -> dict[str, float]:
    return {str(share): float(value) for share, value in zip(QUANTILES, np.quantile(values, QUANTILES), strict=True)}


def _show(asked: Asked, bankrolls: Bankrolls) -> None:
    out = console()
    way = f"{bankrolls.wager}, {bankrolls.stakes.name}"
    out.print(heading(asked.game, Language.ENGLISH, f"{asked.decks} decks", way, f"{bankrolls.sessions:,} sessions"))
    out.print()
    ruin, ruin_error = bankrolls.ruin
    mean, mean_error = bankrolls.mean
    drawn = table("", "")
    drawn.add_row("bankroll at the beginning", f"{bankrolls.bankroll:,}")
    drawn.add_row(f"on average after {bankrolls.rounds:,} rounds", f"{mean:,.2f} ± {mean_error:.2f}")
    drawn.add_row("ruined", f"{percent(ruin, 2)} ± {percent(ruin_error, 2)}")
    if bankrolls.goal is not None:
        drawn.add_row(f"left with {bankrolls.goal:,} or more", percent(bankrolls.reached / bankrolls.sessions, 2))
    drawn.add_row("ahead at the end", percent(bankrolls.ahead, 2))
    drawn.add_row("rounds bet on", f"{bankrolls.played:,.1f}")
    show(out, drawn)
    out.print()
    spread = table("", "bankroll at the end", "deepest fall")
    for share in QUANTILES:
        figures = [np.quantile(values, share) for values in (bankrolls.final, bankrolls.drawdown)]
        spread.add_row(f"{100 * share:g} % have less than", *[f"{figure:,.2f}" for figure in figures])
    show(out, spread)
