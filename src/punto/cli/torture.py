"""`punto torture`: run a simulated casino under many seeds, and say which of them fail."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from multiprocessing import get_context
from typing import Final

import click

from punto.casino.plants import plant_named
from punto.casino.run import STEPS, Outcome, run_seed
from punto.casino.summary import Summary
from punto.cli.progress import progress
from punto.errors import BadUsage

MOST_JOBS: Final = 64
# So many seeds are handed to a process at a time.
_AT_ONCE: Final = 8
_MOST_SEEDS: Final = 10_000_000
_MOST_STEPS: Final = 1_000_000


def run(seeds: Iterable[int], count: int, steps: int, plant: str, jobs: int, *, trace: bool) -> int:  # noqa: PLR0913 (options are arguments)
    """Run the seeds; the exit status is 1 where one of them fails."""
    plant_named(plant)
    for what, number, most in (("seeds", count, _MOST_SEEDS), ("steps", steps, _MOST_STEPS), ("jobs", jobs, MOST_JOBS)):
        if not 1 <= number <= most:
            raise BadUsage(f"--{what}: {number} is out of range: expected 1 to {most}")
    summary = Summary()
    with progress(count, "seeds") as show:
        for outcome in _outcomes(seeds, steps, plant, jobs):
            summary.add(outcome)
            show(summary.seeds)
            if outcome.broken:
                click.echo("\n".join(_told(outcome, steps, plant, trace=trace)))
    width = max(len(what) for what, _ in summary.lines())
    for what, told in summary.lines():
        click.echo(f"{what:<{width}}  {told:>12}")
    return 1 if summary.failed else 0


def _told(outcome: Outcome, steps: int, plant: str, *, trace: bool) -> Iterator[str]:
    """One line that says what broke, at which step, and what repeats it."""
    again = f"punto torture --seed {outcome.seed}"
    again += f" --steps {steps}" if steps != STEPS else ""
    again += f" --plant {plant}" if plant else ""
    yield f"seed {outcome.seed}, step {outcome.steps}: {outcome.broken} (again: {again})"
    if trace:
        yield from outcome.last


def _outcomes(seeds: Iterable[int], steps: int, plant: str, jobs: int) -> Iterator[Outcome]:
    each = partial(run_seed, steps=steps, plant=plant)
    if jobs == 1:
        yield from map(each, seeds)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        coming = iter(seeds)
        while some := [*islice(coming, _AT_ONCE * jobs * 8)]:
            yield from pool.map(each, some, chunksize=_AT_ONCE)
