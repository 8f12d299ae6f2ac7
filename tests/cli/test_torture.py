"""`punto torture`, as a person types it."""

import pytest
from tests.cli.shell import punto


def test_seeds_that_pass_are_summed_up() -> None:
    said = punto("torture", "--seeds", "2", "--from", "7", "--steps", "80")
    assert said.status == 0, said.out
    lines = dict(line.rsplit(maxsplit=1) for line in said.out.splitlines())
    assert (lines["seeds"], lines["seeds that failed"]) == ("2", "0")
    assert int(lines["entries written"].replace(",", "")) > 50
    assert {"fault: paused owner", "fault: power failure", "forgeries", "  cut all heads"} <= lines.keys()


def test_a_seed_that_fails_is_one_line_with_the_command_that_repeats_it() -> None:
    said = punto("torture", "--seed", "4", "--plant", "lost-sync")
    assert said.status == 1
    first, second, *_ = said.out.splitlines()
    assert first.startswith("seed 4, step ")
    assert first.endswith("and is not there any more (again: punto torture --seed 4 --plant lost-sync)")
    assert second.split() == ["seeds", "1"]
    traced = punto("torture", "--seed", "4", "--plant", "lost-sync", "--trace").out.splitlines()
    assert traced[0] == first
    assert "process" in traced[40]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ("--plant", "wat"),
            "'wat' is no fault that can be planted: expected lost-sync, missing-fence, adopted-forgery",
        ),
        (("--seeds", "0"), "--seeds: 0 is out of range: expected 1 to 10000000"),
        (("--seeds", "x"), "--seeds: 'x' is no number: expected a whole number"),
        (("--steps", "0"), "--steps: 0 is out of range: expected 1 to 1000000"),
        (("--jobs", "99"), "--jobs: 99 is out of range: expected 1 to 64"),
        (("--seed", "-1"), "--from and --seed: expected a seed of 0 or more"),
        (("--seed", "1", "--seeds", "2"), "--seed: expected either one seed, or --seeds and --from"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(options: tuple[str, ...], said: str) -> None:
    told = punto("torture", *options)
    assert (told.status, told.out) == (2, "")
    assert told.err.startswith("punto: ")
    assert told.err.endswith(f"{said}\n")
