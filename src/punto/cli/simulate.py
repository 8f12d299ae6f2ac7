"""`punto simulate`: whole shoes dealt, and every wager held against its exact odds."""

import os
import secrets
import sys
import time
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec
from rich.table import Table
from rich.text import Text

from punto.cards import check_decks
from punto.cli.entry import INTERRUPTED
from punto.cli.ink import QUIET, console
from punto.cli.progress import progress
from punto.cli.tables import heading, percent, print_csv, print_json, show, table, wager_name
from punto.errors import ClusterGone, PuntoError
from punto.lab.dealing import check_seed
from punto.lab.files import check_writable
from punto.lab.simulation import Simulated, Stream, Tally, Terms, beside_the_exact, run, threads
from punto.lab.simulation.running import Crew
from punto.rules import Game, Language, Winner

_KEPT_EVERY_S: Final = 10.0
# So many rounds may show what the cutting card does.
_SEEN_FROM: Final = 10**7
_CUTTING_CARD: Final = (
    "\nA cutting card deals more rounds from shoes whose coups are short; with this many rounds that may show as a "
    "deviation from the exact figures, which are those of a fresh shoe. --same-rounds deals without it."
)


@dataclass(frozen=True)
class Asked:
    """What the options say."""

    game: Game
    rounds: int
    decks: int
    cut: int
    seed: int | None
    workers: int | None
    cluster: str | None
    resume: str | None
    same_rounds: bool


def answer(asked: Asked, *, as_json: bool, as_csv: bool) -> int:
    """Deal, and answer with what came of it; interrupted, with what came of it so far."""
    kept = Path(asked.resume) if asked.resume is not None else None
    if kept:
        check_writable(kept)
    seed = asked.seed
    if seed is None:
        seed = _seed_of(kept) if kept and kept.exists() else secrets.randbits(32)
    stream = Stream(Terms(asked.game, check_decks(asked.decks), asked.cut, seed, asked.same_rounds))
    begun = Tally.load(kept, stream.terms, stream.tables.cells.size) if kept and kept.exists() else None
    running = _Running(stream, asked, kept)
    try:
        tally = running.deal(begun)
    except ClusterGone as error:
        running.keep()
        raise ClusterGone(f"{error.message}{running.where()}") from None
    if tally is None:
        return INTERRUPTED
    simulated = beside_the_exact(stream, tally)
    if as_json:
        print_json(plain(simulated))
    elif as_csv:
        print_csv(simulated)
    else:
        _show(simulated, running.seconds)
    if running.interrupted:
        sys.stderr.write(f"punto: interrupted after {tally.dealt.rounds:,} rounds{running.where()}\n")
        return INTERRUPTED
    return 0


class _Seed(msgspec.Struct):
    """All that is needed of a file to go on with its seed."""

    seed: int


class _Running:
    """A simulation under way: what is dealt, how long it has taken, and where it is kept."""

    def __init__(self, stream: Stream, asked: Asked, kept: Path | None) -> None:
        self.stream = stream
        self.asked = asked
        self.kept = kept
        self.tally: Tally | None = None
        self.seconds = 0.0
        self.interrupted = False

    def deal(self, begun: Tally | None) -> Tally | None:
        """Deal to the end, or to the first Ctrl-C; nothing if there was no time for a single block."""
        start = time.monotonic()
        saved = start
        self.tally = begun
        try:
            with (
                self._crew() as crew,
                progress(self.asked.rounds, "rounds", begun.dealt.rounds if begun else 0) as show,
            ):
                for tally in run(self.stream, self.asked.rounds, crew, begun):
                    self.tally = tally
                    show(tally.dealt.rounds)
                    if self.kept and time.monotonic() - saved > _KEPT_EVERY_S:
                        tally.save(self.kept)
                        saved = time.monotonic()
        except KeyboardInterrupt:
            self.interrupted = True
        self.seconds = time.monotonic() - start
        if self.kept or self.interrupted:
            self.keep()
        if self.tally is None:
            sys.stderr.write("punto: interrupted before the first shoes were dealt: there is nothing to keep\n")
        return self.tally

    def keep(self) -> None:
        """Keep the whole blocks that are dealt, where asked or in this folder."""
        if self.tally is not None:
            terms = self.stream.terms
            self.kept = self.kept or Path(f"punto-{terms.game.key}-{terms.seed}.json")
            self.tally.save(self.kept)

    def where(self) -> str:
        """How to go on."""
        return f"; go on with --resume {self.kept}" if self.kept and self.tally else ""

    def _crew(self) -> AbstractContextManager[Crew]:
        workers = (os.cpu_count() or 1) if self.asked.workers is None else self.asked.workers
        if self.asked.cluster is None:
            return threads(workers)
        from punto.lab.simulation.cluster import cluster

        return cluster(self.asked.cluster, workers)


def _seed_of(path: Path) -> int:
    """The seed of a file that is gone on from; what else is wrong with it is said when it is read."""
    with suppress(OSError, ValueError, RecursionError, PuntoError):
        return check_seed(msgspec.json.decode(path.read_bytes(), type=_Seed).seed)
    return 0


def plain(simulated: Simulated) -> dict[str, Any]:
    """The outcome for a program: nothing in it depends on who dealt, or how fast."""
    terms = simulated.tally.terms
    nets = [[settlement.net for settlement in wager.settlements] for wager in terms.game.wagers]
    cells = simulated.cells
    return {
        "game": terms.game.key,
        "digest": terms.digest,
        "decks": terms.decks,
        "cut": terms.cut,
        "seed": terms.seed,
        "same_rounds": terms.same_rounds,
        "rounds": simulated.rounds,
        "shoes": sum(simulated.rounds_per_shoe.values()),
        "wagers": {
            name: {
                "ev": str(wager.ev),
                "edge": -float(wager.ev),
                "exact_edge": -float(wager.expected),
                "z": wager.z,
                "chi_square": dict(zip(("value", "freedom", "p"), wager.chi_square, strict=True)),
                "lines": [
                    {
                        "net": str(each.line.net),
                        "count": each.seen,
                        "share": each.seen / simulated.rounds,
                        "probability": float(each.line.probability),
                        "z": each.z,
                    }
                    for each in wager.lines
                ],
            }
            for name, wager in simulated.wagers.items()
        },
        "cards_per_round": {str(number): count for number, count in simulated.cards_per_round.items()},
        "rounds_per_shoe": {str(number): count for number, count in simulated.rounds_per_shoe.items()},
        "streaks": {
            winner.value: {str(length): runs for length, runs in runs_of.items()}
            for winner, runs_of in simulated.streaks.items()
        },
        "joint": [
            {
                "nets": [str(nets[place][row]) for place, row in enumerate(cells.rows[:, cell])],
                "cards": int(cells.cards[cell]),
                "count": int(count),
            }
            for cell, count in enumerate(simulated.tally.dealt.cells)
        ],
    }


def _show(simulated: Simulated, seconds: float) -> None:
    terms = simulated.tally.terms
    out = console()
    shoes = sum(simulated.rounds_per_shoe.values())
    said = [f"{terms.decks} decks, {terms.cut} cards behind the cutting card", f"seed {terms.seed}"]
    out.print(heading(terms.game, Language.ENGLISH, *said))
    out.print(Text(f"{simulated.rounds:,} rounds, {shoes:,} whole shoes, {seconds:.2f} s", style=QUIET))
    out.print()
    show(out, _wagers(simulated))
    if simulated.rounds >= _SEEN_FROM and not terms.same_rounds:
        out.print(Text(_CUTTING_CARD, style=QUIET))
    out.print()
    show(out, _lines(simulated))
    out.print()
    out.print(_shoes(simulated))


def _wagers(simulated: Simulated) -> Table:
    drawn = table("wager", "exact edge", "simulated", "z", "χ²", "freedom", "by chance")
    for name, wager in simulated.wagers.items():
        square, freedom, chance = wager.chi_square
        edges = percent(-wager.expected), percent(-wager.ev)
        drawn.add_row(wager_name(name), *edges, _z(wager.z), f"{square:.2f}", str(freedom), percent(chance, 1))
    return drawn


def _lines(simulated: Simulated) -> Table:
    drawn = table("pay line", "net", "rounds", "share", "exact", "z")
    for name, wager in simulated.wagers.items():
        shown = wager_name(name)
        for each in wager.lines:
            share = f"{each.seen / simulated.rounds:.8f}"
            net = f"{float(each.line.net):+g}" if each.line.net else "0"
            drawn.add_row(shown, net, f"{each.seen:,}", share, f"{float(each.line.probability):.8f}", _z(each.z))
            shown = Text()
    return drawn


def _z(value: float) -> Text:
    return Text(f"{value:+.2f}", style="bold red" if abs(value) > 4 else "")  # noqa: PLR2004


def _shoes(simulated: Simulated) -> Table:
    """Cards in a round, rounds in a shoe, and runs of one winner."""
    drawn = table("")
    drawn.add_column("")
    cards = simulated.cards_per_round
    mean = sum(number * count for number, count in cards.items()) / simulated.rounds
    spread = " · ".join(f"{number}: {percent(count / simulated.rounds, 2)}" for number, count in cards.items())
    drawn.add_row("cards in a round", f"{mean:.4f} on average · {spread}")
    lengths = simulated.rounds_per_shoe
    if shoes := sum(lengths.values()):
        mean = sum(rounds * count for rounds, count in lengths.items()) / shoes
        drawn.add_row("rounds in a shoe", f"{mean:.3f} on average · {min(lengths)} to {max(lengths)}")
    for winner in (Winner.PLAYER, Winner.BANKER):
        runs = simulated.streaks[winner]
        if total := sum(runs.values()):
            shown = [f"{length}: {percent(runs.get(length, 0) / total, 2)}" for length in range(1, 7)]
            drawn.add_row(f"runs of {winner.value}", " · ".join([*shown, f"longest {max(runs)}"]))
    return drawn
