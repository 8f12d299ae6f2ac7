from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.marks import CLAUSES, ROOT, clause, interpretation

from punto.floor.scenario import Runner, read_scenario
from punto.store.memory import MemoryStore

SCENARIOS = sorted((ROOT / "docs" / "scenarios").rglob("*.jsonl"))


def played() -> Iterator[Any]:
    """Each scenario under each of its rulebooks, marked with the clauses that it shows."""
    for path in SCENARIOS:
        heading = read_scenario(path.read_text()).heading
        for book in heading.under:
            name = path.relative_to(ROOT / "docs" / "scenarios").with_suffix("").as_posix()
            marks = [clause(*heading.named(book)), interpretation(*heading.readings)]
            yield pytest.param(path, book, id=f"{name}-{book}", marks=marks)


@pytest.mark.parametrize(("path", "book"), list(played()))
def test_the_scenario_goes_as_written(path: Path, book: str) -> None:
    for step in Runner(MemoryStore(), read_scenario(path.read_text()), book).run():
        assert not step.wrong, f"line {step.line.number}: {'; '.join(step.wrong)}"
        expected = step.checked or step.refusal is None
        assert expected, f"line {step.line.number}: refused with {step.refusal}"


def test_every_clause_of_play_and_of_irregularities_has_a_scenario() -> None:
    shown = {
        name
        for path in SCENARIOS
        for heading in [read_scenario(path.read_text()).heading]
        for book in heading.under
        for name in heading.named(book)
    }
    wanted = {name for name in CLAUSES if name.split()[1].split(".")[0] in ("3", "5")}
    assert not wanted - shown, f"{len(wanted - shown)} without: {sorted(wanted - shown)}"
