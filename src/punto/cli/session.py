"""`punto session`: a bankroll followed through shoes."""

from dataclasses import dataclass

import numpy as np
from rich.text import Text

from punto.cards import check_decks
from punto.cli.files import read_text
from punto.cli.ink import QUIET, console
from punto.cli.progress import progress
from punto.cli.tables import heading, percent, print_csv, print_json, show, table
from punto.errors import BadRounds, BadStakes
from punto.lab.dealing import check_seed
from punto.lab.exactsessions import ExactBankrolls
from punto.lab.figures import check_target
from punto.lab.sessions import Bankrolls, Sessions
from punto.lab.stakes import QUANTILES, Stakes
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
    exact = _exact(sessions, stakes, asked)
    if target:
        bankrolls.save(target)
    if as_json:
        print_json(_plain(asked, bankrolls, exact, seed))
    elif as_csv:
        print_csv(bankrolls)
    else:
        _show(asked, bankrolls, exact)


def _exact(sessions: Sessions, stakes: Stakes, asked: Asked) -> ExactBankrolls | None:
    """The same session worked out, if it has not too many amounts of money to be followed."""
    try:
        return sessions.exact(stakes, asked.bankroll, asked.rounds, asked.goal)
    except BadRounds:
        return None


def _stakes(asked: Asked) -> Stakes:
    if not asked.stakes.lower().endswith(".toml"):
        return Stakes.named(asked.stakes, asked.limit)
    try:
        return Stakes.loads(read_text(asked.stakes))
    except BadStakes as error:
        raise BadStakes(f"{asked.stakes}: {error.message}", error.at) from None


def _plain(asked: Asked, bankrolls: Bankrolls, exact: ExactBankrolls | None, seed: int) -> dict[str, object]:
    unable, unable_error = bankrolls.unable
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
        "could_not_pay": unable,
        "could_not_pay_error": unable_error,
        "reached_goal": bankrolls.reached / bankrolls.sessions,
        "ahead": bankrolls.ahead,
        "mean": mean,
        "mean_error": mean_error,
        "bets": bankrolls.played,
        "final": _quantiles(bankrolls.final),
        "drawdown": _quantiles(bankrolls.drawdown),
        "fan": bankrolls.records(),
        "exact": None if exact is None else _plain_exact(exact),
    }


def _plain_exact(exact: ExactBankrolls) -> dict[str, object]:
    return {
        "could_not_pay": exact.could_not_pay,
        "reached_goal": exact.reached,
        "ahead": exact.ahead,
        "mean": exact.mean,
        "bets": exact.bets,
        "left_out": exact.left_out,
        "final": {str(share): exact.quantile(share) for share in QUANTILES},
        "fan": exact.records(),
    }


def _quantiles(values: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]") -> dict[str, float]:
    return {str(share): float(value) for share, value in zip(QUANTILES, np.quantile(values, QUANTILES), strict=True)}


def _show(asked: Asked, bankrolls: Bankrolls, exact: ExactBankrolls | None) -> None:
    out = console()
    way = f"{bankrolls.wager}, {bankrolls.stakes.name}"
    out.print(heading(asked.game, Language.ENGLISH, f"{asked.decks} decks", way, f"{bankrolls.sessions:,} sessions"))
    out.print()
    unable, unable_error = bankrolls.unable
    mean, mean_error = bankrolls.mean
    beginning = f"{bankrolls.bankroll:,}"
    rows = [
        ("bankroll at the beginning", beginning, "", beginning),
        (
            f"on average after {bankrolls.rounds:,} rounds",
            f"{mean:,.2f}",
            f"{mean_error:.2f}",
            f"{exact.mean:,.6f}" if exact else "–",
        ),
        (
            "could not pay the next stake",
            percent(unable, 2),
            percent(unable_error, 2),
            percent(exact.could_not_pay, 8) if exact else "–",
        ),
        ("ahead at the end", percent(bankrolls.ahead, 2), "", percent(exact.ahead, 8) if exact else "–"),
        ("rounds bet on", f"{bankrolls.played:,.1f}", "", f"{exact.bets:,.6f}" if exact else "–"),
    ]
    if bankrolls.goal is not None:
        share = percent(bankrolls.reached / bankrolls.sessions, 2)
        reached = f"left with {bankrolls.goal:,} or more"
        rows.insert(3, (reached, share, "", percent(exact.reached, 8) if exact else "–"))
    drawn = table("", "simulated by shoe", "±", "exact, rounds independent")
    for cells in rows:
        drawn.add_row(*cells)
    show(out, drawn)
    out.print()
    spread = table("", "bankroll at the end", "exact", "deepest fall")
    for quantile in QUANTILES:
        final, fall = (f"{np.quantile(values, quantile):,.2f}" for values in (bankrolls.final, bankrolls.drawdown))
        worked_out = f"{exact.quantile(quantile):,.2f}" if exact else "–"
        spread.add_row(f"{100 * quantile:g} % have less than", final, worked_out, fall)
    show(out, spread)
    if exact is None:
        out.print()
        out.print(Text("There are too many amounts of money for exact figures.", style=QUIET))
