"""`punto shuffle --evidence`: the folder that a laboratory gets, and what makes its status 1."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
import pytest
from tests.cli.shell import punto
from tests.width import width

from punto.cli import evidence
from punto.cli.evidence.apart import Apart, Copies
from punto.cli.evidence.results import wrong_apart
from punto.cli.evidence.samples import SAMPLES, Sample
from punto.lab.randomness import PLANTED, Planted, even

SMALL: Final = ("--shoes", "500", "--decks", "4")
APART: Final = Apart(
    forked=Copies(9, 72, 72),
    spawned=Copies(3, 12, 12),
    planted_forked=Copies(9, 72, 8),
    kernel_bytes_a_shoe=842,
    stateless=True,
    refuses_state=True,
    planted_stateless=False,
    bounds=649,
    numbers=317_096,
    uneven_bounds=[],
    uneven_bits=[],
    orders=120,
    uneven_orders=0,
)


def seeded(seed: int, kept: int = 0) -> Callable[[int], tuple[int, ...]]:
    """Shoes from a seed, so that a test does not fail by chance; the first *kept* cards stay where they are."""
    chance = Random(seed)

    def shoe(size: int) -> tuple[int, ...]:
        order = list(range(kept, size))
        chance.shuffle(order)
        return (*range(kept), *order)

    return shoe


def sampled(monkeypatch: pytest.MonkeyPatch, *shoes: Callable[[int], tuple[int, ...]]) -> None:
    """Have the samples come from elsewhere."""
    samples = [Sample(each.key, each.title, each.says, shoe) for each, shoe in zip(SAMPLES, shoes, strict=True)]
    monkeypatch.setattr(evidence, "SAMPLES", samples)
    monkeypatch.setenv("PATH", "/nonexistent")  # no public programs


def test_the_folder_has_all_figures_and_two_documents(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    planted = width(PLANTED[::5], PLANTED)  # all of them fail in tests/lab/randomness
    monkeypatch.setattr(evidence, "PLANTED", planted)
    sampled(monkeypatch, seeded(1), seeded(2), seeded(3))
    said = punto("shuffle", "--evidence", "found", *SMALL, cwd=tmp_path, PATH="/nonexistent")
    assert (said.status, said.err) == (0, ""), said.out
    assert said.out.splitlines() == [
        "found: 500 shoes of 4 decks in each of 3 samples",
        "96 of 96 tests pass at 99 %, corrected for their number",
        f"{len(planted)} of {len(planted)} planted faults are caught",
        "dieharder is not installed: it was not run",
        "ent is not installed: it was not run",
    ]
    assert {path.name for path in (tmp_path / "found").iterdir()} == {"evidence.json", "evidence.md", "evidence.pdf"}
    assert (tmp_path / "found" / "evidence.pdf").read_bytes().startswith(b"%PDF-")

    figures = json.loads((tmp_path / "found" / "evidence.json").read_bytes())
    assert (figures["shoes"], figures["decks"], figures["cards"]) == (500, 4, 208)
    assert [len(sample["tests"]) for sample in figures["samples"]] == [32, 32, 32]
    assert [each["name"] for each in figures["planted"]] == [each.name for each in planted]
    assert len(figures["scaling"]["bounds"]) == 649
    assert all(
        int(each["accepted"]) == each["bound"] * int(each["each"]) == 2**64 - each["passed"]
        for each in figures["scaling"]["bounds"]
    )
    assert all(len(digest) == 64 for digest in figures["machine"]["digests"].values())
    apart = msgspec.convert(figures["apart"], Apart)
    assert apart.holds
    assert (apart.forked, apart.spawned) == (Copies(9, 72, 72), Copies(3, 12, 12))
    assert apart.planted_forked.distinct < 72
    assert (apart.bounds, apart.orders) == (649, 120)

    text = (tmp_path / "found" / "evidence.md").read_text()
    assert "everything passes, and every planted fault is caught" in text
    assert all(each.fault in text for each in planted)
    assert f"{2**64 - 2**64 % 416:,}" in text
    assert "WRONG" not in text


def test_a_shuffle_with_a_fault_makes_the_status_1(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sampled(monkeypatch, seeded(1), seeded(2, kept=1), seeded(3))
    monkeypatch.setattr(evidence, "PLANTED", PLANTED[:1])
    monkeypatch.setattr(evidence, "_apart", lambda: APART)
    monkeypatch.setattr(evidence, "find_spec", lambda _: None)
    said = punto("shuffle", "--evidence", "found", *SMALL, cwd=tmp_path, PATH="/nonexistent")
    assert said.status == 1
    assert "WRONG: the test fails: contributions: the kind of the first card\n" in said.out
    assert "WRONG: the test fails: floor" not in said.out
    assert "no evidence.pdf: typst is not installed (pip install 'punto[lab]')\n" in said.out
    assert {path.name for path in (tmp_path / "found").iterdir()} == {"evidence.json", "evidence.md"}
    assert "WRONG: the test fails" in (tmp_path / "found" / "evidence.md").read_text()


@pytest.mark.parametrize(
    ("changed", "wrong"),
    [
        ({"forked": Copies(9, 72, 71)}, "copied processes are not shown to deal different shoes"),
        ({"spawned": Copies(3, 12, 11)}, "copied processes are not shown to deal different shoes"),
        ({"planted_forked": Copies(9, 72, 72)}, "copied processes are not shown to deal different shoes"),
        ({"stateless": False}, "copied processes are not shown to deal different shoes"),
        ({"refuses_state": False}, "copied processes are not shown to deal different shoes"),
        ({"planted_stateless": True}, "copied processes are not shown to deal different shoes"),
        ({"uneven_bounds": [3]}, "Python's scaling is not even"),
        ({"uneven_bits": [9]}, "Python's scaling is not even"),
        ({"uneven_orders": 1}, "Python's scaling is not even"),
        ({}, ""),
    ],
)
def test_whatever_the_process_apart_finds_wrong_is_named(changed: dict[str, Any], wrong: str) -> None:
    apart = msgspec.structs.replace(APART, **changed)
    assert apart.holds is not bool(wrong)
    assert wrong_apart(apart) == ([wrong] if wrong else [])


def test_a_planted_fault_that_no_test_catches_is_wrong(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sampled(monkeypatch, seeded(1), seeded(2), seeded(3))
    monkeypatch.setattr(evidence, "PLANTED", (Planted("harmless", "it has none", even),))
    monkeypatch.setattr(evidence, "_apart", lambda: APART)
    monkeypatch.setattr(evidence, "find_spec", lambda _: None)
    said = punto("shuffle", "--evidence", "found", *SMALL, cwd=tmp_path, PATH="/nonexistent")
    assert said.status == 1
    assert said.out.endswith("WRONG: the planted fault was not caught: harmless\n")


@pytest.mark.nightly
def test_the_floors_own_shoes_pass(tmp_path: Path) -> None:
    """With chance from the machine: no p is so small that it could not be chance."""
    said = punto("shuffle", "--evidence", "found", "--shoes", "5000", cwd=tmp_path)
    assert said.status in {0, 1}
    figures = json.loads((tmp_path / "found" / "evidence.json").read_bytes())
    chances = [test["p"] for sample in figures["samples"] for test in sample["tests"]]
    assert min(chances) > 1e-8


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--evidence", "full"), "full: not empty: expected an empty folder, or one that does not exist yet"),
        (("--evidence", "file"), "file: Not a directory: expected a folder that is empty, or none"),
        (("--evidence", "no/where"), "no/where: No such file or directory: expected a folder that can be made"),
        (("--evidence", "x", "--shoes", "499"), "--shoes: 499: expected 500 or more"),
        (("--evidence", "x", "--shoes", "1.5"), "--shoes: '1.5' is no whole number"),
        (("--evidence", "x", "--decks", "3"), "3 decks: expected 4 to 10"),
        (("--evidence", "x", "--game", "tigger"), "--game: 'tigger' is not a game"),
        (("--evidence", "x", "--dump", "3"), "shuffle: expected either --dump N FILE or --evidence FOLDER"),
        (("--evidence", "x", "y"), "--evidence: writes into its own folder: expected neither FILE nor --text"),
        (("--evidence", "x", "--text"), "--evidence: writes into its own folder: expected neither FILE nor --text"),
        (("--dump", "3", "--shoes", "600", "y"), "--shoes: is for --evidence: expected --dump N"),
        (("--dump", "3"), "--dump: expected a FILE too, or - for standard output"),
    ],
)
def test_what_cannot_be_gathered_is_refused_and_nothing_is_written(
    arguments: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    (tmp_path / "file").write_text("mine")
    refused = punto("shuffle", *arguments, cwd=tmp_path)
    assert (refused.status, refused.out) == (2, "")
    assert refused.err.startswith(f"punto: {said}")
    assert refused.err.count("\n") == 1
    assert {path.name for path in tmp_path.rglob("*")} == {"full", "mine", "file"}
