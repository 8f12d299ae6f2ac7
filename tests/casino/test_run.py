"""The simulated casino: seeds pass, the same seed is the same run, and planted faults are caught."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.width import NIGHTLY, SEED, width

from punto.casino.attacker import FORGERIES
from punto.casino.plants import PLANTS
from punto.casino.run import Outcome, run_seed
from punto.casino.summary import Summary

KEPT = [
    int(line.split()[0]) for line in Path(__file__).with_name("seeds.txt").read_text().splitlines() if line[0] != "#"
]
# In `make test` always the same seeds, at night others each time; `make nightly` also runs 10,000 with `punto torture`.
FIRST = SEED % 1_000_000 * 1_000 if NIGHTLY else 0
COUNT = width(50, 500)
# Seeds that are known to catch each fault, and what they say of it.
CAUGHT_BY = (
    ("lost-sync", 4, "was made durable, and is not there any more"),
    ("missing-fence", 10, "was written by a process that is not the table's owner"),
    ("adopted-forgery", 24, "somebody signed in to an account that was forged"),
)


def failed(outcome: Outcome) -> str:
    return f"punto torture --seed {outcome.seed}: step {outcome.steps}: {outcome.broken}"


@pytest.mark.parametrize("tenth", range(10))
def test_the_casino_gets_through_every_seed(tenth: int) -> None:
    seeds = range(FIRST + tenth * COUNT // 10, FIRST + (tenth + 1) * COUNT // 10)
    broken = [failed(outcome) for outcome in map(run_seed, seeds) if outcome.broken]
    assert not broken


@pytest.mark.parametrize("seed", KEPT)
def test_a_seed_that_once_failed_passes(seed: int) -> None:
    outcome = run_seed(seed)
    assert not outcome.broken, failed(outcome)


def test_the_same_seed_is_the_same_run_to_the_last_byte() -> None:
    first, again = run_seed(3), run_seed(3)
    assert (first.digest, first.counts, first.last) == (again.digest, again.counts, again.last)
    assert first.digest != run_seed(4, steps=20).digest


def test_a_run_does_not_depend_on_how_python_hashes() -> None:
    code = "from punto.casino.run import run_seed; print(run_seed(3, steps=150).digest)"
    environment = os.environ | {"PYTHONHASHSEED": "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == run_seed(3, steps=150).digest + "\n"


@pytest.mark.parametrize(("plant", "seed", "said"), CAUGHT_BY)
def test_a_planted_fault_is_caught(plant: str, seed: int, said: str) -> None:
    assert said in run_seed(seed, plant=plant).broken
    assert seed < COUNT, "the seed passes without the fault"


def test_every_fault_that_can_be_planted_is_tried() -> None:
    assert {plant for plant, _, _ in CAUGHT_BY} == PLANTS.keys()


@pytest.mark.nightly
@pytest.mark.parametrize("plant", PLANTS)
def test_a_planted_fault_is_caught_within_200_seeds_wherever_they_begin(plant: str) -> None:
    assert any(run_seed(seed, plant=plant).broken for seed in range(FIRST, FIRST + 200))


@pytest.mark.parametrize("seed", [902, 903, 906])
def test_an_attacked_floor_adopts_nothing_and_the_audit_finds_it(seed: int) -> None:
    outcome = run_seed(seed, attacked=True)
    assert not outcome.broken, failed(outcome)
    assert any(kind.startswith("forgery: ") for kind in outcome.counts)


def test_a_summary_names_every_kind_of_forgery_and_counts_seeds() -> None:
    summary = Summary()
    summary.add(run_seed(0, steps=60))
    lines = dict(summary.lines())
    assert lines["seeds"] == "1"
    assert {f"  {kind}" for kind in FORGERIES} <= lines.keys()
